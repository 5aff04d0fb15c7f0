// Golden slabs with one bit flipped: exactly the byte's owner changes.
#pragma once

#include "golden.h"

#include <slabscope/layout/layout.h>

#include <cstddef>
#include <span>
#include <vector>

namespace slabscope::tests {

struct GoldenSlab {
  Layout layout;
  Bytes slab;
};

// Those of at most so many bytes.
std::vector<GoldenSlab> golden_slabs(std::size_t most_bytes);

// Every element, in the order of the layout.
std::vector<int128> elements(const Layout& layout, std::span<const std::byte> slab);

// Flips every `step`-th bit: no element changes but the one that owns it, and what is decoded then
// is packed again as it was.
void sweep_slab_bits(const GoldenSlab& golden, std::size_t step);

}  // namespace slabscope::tests
