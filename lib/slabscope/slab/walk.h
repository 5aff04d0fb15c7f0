// Who owns each byte of a slab, from the first to the last: elements that rows give, the fill
// behind a short list, padding rows, rows that are not used, gaps. Packing writes what this walk
// says; the residue of a dump is where the bytes differ from it.
#pragma once

#include <slabscope/slab/rows.h>

#include <array>
#include <cstdint>

namespace slabscope {

// Are all lists of the column as long as the dimensions of its field?
inline bool is_full(const ResolvedField& field, const ColumnView& column) noexcept {
  const std::span<const std::uint64_t> shape = field.item_shape();
  for (std::size_t level = 0; level < column.counts.size(); ++level)
    if (!column.counts[level].is_uniform() ||
        column.counts[level].uniform != (shape.empty() ? 1 : shape[level]))
      return false;
  return true;
}

// A visitor has
//   begin_field(field index)            the elements given next are this field's, from the first
//   row on begin_list(row)                     ... from this row on, where lists lie apart
//   given(field, count)                 the next `count` elements of the rows
//   repeat(field, value, count)         `count` elements of this value
//   zeros(bytes)                        bytes that packing sets to zero (rows not used, gaps)
// and is called in order of offset, for every byte once. `rows` has passed check_lists(), or is
// rows whose lists are full, and check_pads().
template <class Visitor>
class SlabWalk {
 public:
  SlabWalk(const Layout& layout, const RowsView& rows, Visitor& visitor)
      : layout_(layout), rows_(rows), visitor_(visitor) {}

  void run() {
    for (const Tile& tile : layout_.tiles) {
      if (tile.is_gap())
        visitor_.zeros(tile.bytes);
      else
        walk_field(tile.field);
    }
  }

 private:
  void walk_field(std::size_t index) {
    const ResolvedField& field = layout_.fields[index];
    const ColumnView& column = rows_.columns[index];
    const std::uint64_t given = field.description->per_row ? rows_.row_count : 1;
    visitor_.begin_field(index);
    if (column.list_at == nullptr && is_full(field, column))
      visitor_.given(field, given * field.item_elements);
    else if (field.item_shape().size() <= 1)
      walk_lists(field, column, given);
    else
      walk_nested(field, column, given);
    if (!field.description->per_row) return;
    for (std::uint64_t row = given; row < layout_.padded_rows; ++row) pad_row(field);
    visitor_.zeros((field.items - layout_.padded_rows) * field.item_bytes());
  }

  void walk_lists(const ResolvedField& field, const ColumnView& column, std::uint64_t given) {
    // Copies, so that nothing is read again for each row.
    const ListCountsView counts = column.counts[0];
    const std::uint64_t full = field.item_elements;
    const bool lie_apart = column.list_at != nullptr;
    for (std::uint64_t row = 0; row < given; ++row) {
      const std::uint64_t count = counts[row];
      if (lie_apart) visitor_.begin_list(row);
      if (count != 0) visitor_.given(field, count);
      if (count != full) visitor_.repeat(field, *field.fill, full - count);
    }
  }

  void walk_nested(const ResolvedField& field, const ColumnView& column, std::uint64_t given) {
    std::array<std::uint64_t, max_dimensions> next_list{};
    for (std::uint64_t row = 0; row < given; ++row)
      walk_level(field, column, 0, field.item_elements, next_list);
  }

  void walk_level(const ResolvedField& field, const ColumnView& column, std::size_t level,
                  std::uint64_t elements, std::array<std::uint64_t, max_dimensions>& next_list) {
    const std::uint64_t count = column.counts[level][next_list[level]++];
    if (level + 1 == column.counts.size()) {
      if (count != 0) visitor_.given(field, count);
      return fill(field, elements - count);
    }
    const std::uint64_t inner = elements / field.item_shape()[level];
    for (std::uint64_t entry = 0; entry < count; ++entry)
      walk_level(field, column, level + 1, inner, next_list);
    fill(field, elements - count * inner);
  }

  void fill(const ResolvedField& field, std::uint64_t count) {
    if (count != 0) visitor_.repeat(field, *field.fill, count);
  }

  void pad_row(const ResolvedField& field) {
    const std::vector<int128>& pad = *field.pad;
    std::uint64_t element = 0;
    for (; element < field.item_elements && element + 1 < pad.size(); ++element)
      visitor_.repeat(field, pad[element], 1);
    if (element < field.item_elements)
      visitor_.repeat(field, pad.back(), field.item_elements - element);
  }

  const Layout& layout_;
  const RowsView& rows_;
  Visitor& visitor_;
};

template <class Visitor>
void walk_slab(const Layout& layout, const RowsView& rows, Visitor& visitor) {
  SlabWalk<Visitor>(layout, rows, visitor).run();
}

}  // namespace slabscope
