// Golden slabs with one bit flipped, or cut off: exactly the byte's owner changes, and nothing of a
// slab is read that is not there. Under sanitizers every 7th bit is flipped.
#include "../support/sanitized.h"
#include "../support/slab_sweep.h"

#include <slabscope/slab/view.h>

#include <doctest/doctest.h>

#include <limits>

namespace slabscope::tests {
namespace {

// Longer ones have more of the same in them: slab/sweep_extra_test.cpp takes them all.
constexpr std::size_t most_bytes = 330;
constexpr std::size_t step = is_sanitized ? 7 : 1;

TEST_CASE("a flipped bit changes the element that owns it and nothing else, and is packed again") {
  const std::vector<GoldenSlab> slabs = golden_slabs(most_bytes);
  REQUIRE(slabs.size() > 100);
  for (const GoldenSlab& golden : slabs) sweep_slab_bits(golden, step);
}

TEST_CASE("a slab that is cut off is refused at every length, and what is behind it is not read") {
  const std::vector<GoldenSlab> slabs = golden_slabs(std::numeric_limits<std::size_t>::max());
  REQUIRE(slabs.size() > 180);
  for (const GoldenSlab& golden : slabs) {
    for (std::size_t length = 0; length < golden.slab.size(); ++length) {
      CAPTURE(length);
      const Bytes cut(golden.slab.begin(),
                      golden.slab.begin() + static_cast<std::ptrdiff_t>(length));
      const auto view = SlabView::of(golden.layout, cut);
      REQUIRE_FALSE(view.has_value());
      CHECK(view.error().code == ErrorCode::short_dump);
    }
    Bytes longer = golden.slab;
    longer.resize(longer.size() + 7, std::byte{0xAA});
    CHECK(elements(golden.layout, longer) == elements(golden.layout, golden.slab));
  }
}

}  // namespace
}  // namespace slabscope::tests
