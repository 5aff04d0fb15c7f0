// Property: that of support/check_container.h, of ELF cores.
#include "support/check_container.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return slabscope::fuzz::check_container("elf-core", {data, size});
}
