// What an engine writes of a slab before a launch: its fields, of those with rows the padded ones,
// and gaps where the layout says that they are zero.
#pragma once

#include <slabscope/layout/owner.h>

#include <cstdint>
#include <vector>

namespace slabscope {

// Bytes [begin, end).
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// By offset; none touches the next one.
std::vector<ByteRange> uploaded_ranges(const Layout& layout);
std::uint64_t uploaded_bytes(const Layout& layout);
// Where the last of them ends, 0 if there is none.
std::uint64_t uploaded_end(const Layout& layout);

// Is this element or gap, of the same layout, written?
bool is_uploaded(const Layout& layout, const Owner& owner) noexcept;

}  // namespace slabscope
