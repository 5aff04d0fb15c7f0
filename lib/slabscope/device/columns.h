// A slab's values field by field: all elements of all rows of capacity, back to back, in host byte
// order. What a kernel is given to pack, and what it must read.
#pragma once

#include <slabscope/slab/residue.h>
#include <slabscope/slab/rows.h>
#include <slabscope/slab/view.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slabscope {

struct ColumnPlaces {
  std::vector<std::uint64_t> offsets;  // of each field's column, bytes, multiples of 8
  std::uint64_t bytes = 0;             // of all of them, a multiple of 8
};
ColumnPlaces column_places(const Layout& layout);

// From the slab's bytes, each element from where the layout says it is.
void columns_of_slab(const SlabView& slab, const ColumnPlaces& places,
                     std::span<std::byte> columns);

// From the rows, by no offset of the layout: what packing should have put into the slab. Elements
// that the residue (null: none) touches are taken from the slab. The rows have passed
// check_lists().
void columns_of_rows(const SlabView& slab, const RowsView& rows, const Residue* residue,
                     const ColumnPlaces& places, std::span<std::byte> columns);

}  // namespace slabscope
