// Does the type that a container gives to bytes go with a layout?
#pragma once

#include <slabscope/dump/container.h>
#include <slabscope/layout/layout.h>

namespace slabscope::app {

// Bytes and unsigned or signed numbers of one byte take any layout. Wider numbers are those of a
// buffer in which slabs stand: no field may be narrower, one must be as wide, and slabs begin at
// whole numbers. Big-endian numbers have been turned around one by one: all fields must be as wide.
// Signs do not matter. `offset`: bytes between the begins of the region and of the first slab;
// `stride`: from one slab to the next, 0 if there is one. Error: type_mismatch.
[[nodiscard]] Result<void> check_region_type(const RegionType& type, const Layout& layout,
                                             std::uint64_t offset, std::uint64_t stride = 0);

}  // namespace slabscope::app
