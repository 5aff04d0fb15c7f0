// Rows to slab. Rows are copied whole and only what they do not give is filled: no byte is written
// twice.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/base/stream.h>
#include <slabscope/slab/residue.h>
#include <slabscope/slab/rows.h>

#include <cstddef>
#include <optional>
#include <span>

namespace slabscope {

// A list that is longer than its dimension: `rows[row].field`, at `level` 0 for the row's own list.
struct LongList {
  std::size_t field = 0;
  std::uint64_t row = 0;
  std::size_t level = 0;
  std::uint64_t count = 0;
};
// Error list_too_long: figures, row, length and dimension.
Error long_list_error(const Layout& layout, const LongList& list,
                      std::optional<std::uint64_t> region_bytes);

// Is the pad known of every field that padding rows have? Error: why it is not.
Result<void> check_pads(const Layout& layout);

// The same, and of the fill of every field whose lists are shorter than their dimension.
Result<void> check_fills(const Layout& layout, const RowsView& rows);

// May these rows be packed? Their number, a fill where one is needed, and every list's length.
// Errors: live_rows, row_count, padded_rows, list_too_long, and those of check_fills.
Result<void> check_lists(const Layout& layout, const RowsView& rows,
                         std::optional<std::uint64_t> region_bytes = {});

// Packs into the first layout.size bytes of `region`, which are all written, and returns their
// number; nothing is written on an error. Success allocates nothing and throws nothing; the text of
// an error may throw std::bad_alloc. `region_bytes`: what the slab may take, where `region` is
// longer, or only as long as the slab. Errors: region_exceeded, those of check_lists. Cost: one
// pass over the slab.
Result<std::size_t> pack_into(std::span<std::byte> region, const Layout& layout,
                              const RowsView& rows, std::optional<std::uint64_t> region_bytes = {});

// Packs into a slab of its own. `region_bytes`: what the slab may take, no check without. Errors:
// as pack_into, slab_limit.
Result<Buffer> pack(const Layout& layout, const RowsView& rows,
                    std::optional<std::uint64_t> region_bytes = {},
                    std::uint64_t max_slab_bytes = default_max_slab_bytes);

// Writes the slab, with `residue` laid over it, to `sink` without ever holding it whole. The rows
// have passed check_lists and the residue lies inside the slab.
Result<void> write_slab(const Layout& layout, const RowsView& rows, const Residue& residue,
                        Sink& sink);

}  // namespace slabscope
