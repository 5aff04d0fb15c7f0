// Property: that of support/check_container.h, of what torch.save writes.
#include "support/check_container.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return slabscope::fuzz::check_container("torch", {data, size});
}
