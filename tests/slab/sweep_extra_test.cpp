// What takes minutes, and is run by `ctest -C extra`: every golden slab with every bit flipped.
#include "../support/slab_sweep.h"

#include <doctest/doctest.h>

#include <limits>

namespace slabscope::tests {
namespace {

TEST_CASE("every golden slab with a bit flipped") {
  for (const GoldenSlab& golden : golden_slabs(std::numeric_limits<std::size_t>::max()))
    sweep_slab_bits(golden, 1);
}

}  // namespace
}  // namespace slabscope::tests
