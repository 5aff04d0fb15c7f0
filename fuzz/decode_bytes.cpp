// Property: any bytes, as a slab of any layout at any parameters, decode to a document that holds
// every element, and packing it gives back the same bytes, residue included; a parameter that is
// not set is solved so that the slab has all the bytes. Input: a slab case (support/slab_case.h).
#include "support/limits.h"
#include "support/round_trip.h"
#include "support/slab_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slabscope;
  if (size > fuzz::max_input_bytes) return 0;
  if (const auto made = fuzz::read_slab_case({data, size}))
    fuzz::check_slab(*made->origin, made->layout, made->slab);
  return 0;
}
