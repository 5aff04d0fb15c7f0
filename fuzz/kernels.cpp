// Property: the kernel bodies of the device round trip, on host threads, keep to the memory that
// they were given, whatever their tables say. Input: the tables.
#include "support/limits.h"
#include "support/property.h"

#include <tests/support/hostile_kernels.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slabscope;
  if (size > fuzz::max_input_bytes) return 0;
  fuzz::require(tests::kernels_keep_to_their_memory(std::as_bytes(std::span(data, size))),
                "kernels write no byte outside their memory");
  return 0;
}
