// A slab as the checks see it: fields by their role, the rows that are live, used table entries,
// groups. Reads straight from the slab's bytes.
#pragma once

#include <slabscope/arena/arena.h>
#include <slabscope/check/roles.h>
#include <slabscope/check/table_scan.h>
#include <slabscope/slab/rows.h>
#include <slabscope/slab/view.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// What is checked beside the slab's bytes.
struct BatchSource {
  std::uint64_t slab = 0;                     // number of the document or stride
  std::optional<std::uint64_t> region_bytes;  // what the slab may take
  std::span<const std::int64_t> groups = {};  // one a live row; empty: see rows_per_group
  const RowsView* lists = nullptr;            // of a document: how long its lists are
  const PlacedArena* arena = nullptr;         // where the slab, number `slab` of it, has neighbours
};

// One use of a block by a live row.
struct BlockUse {
  std::uint64_t block;
  std::uint64_t row;
  std::uint64_t column;
  std::uint64_t tokens;  // of the row in this block, at least 1
  std::int64_t group;
  bool is_written;  // the row writes into it
  // Of a block's first use: from it to the first one of another group, 0 if there is none.
  std::size_t to_other_group;
};

class Batch {
 public:
  // The view and what `source` points to must outlive the batch. Errors: row_count (groups that are
  // not one a live row), param_range (block_size, kv_index_bits).
  static Result<Batch> of(const SlabView& view, const BatchSource& source);

  [[nodiscard]] const Layout& layout() const noexcept { return view_.layout(); }
  [[nodiscard]] const SlabView& view() const noexcept { return view_; }
  [[nodiscard]] const BatchSource& source() const noexcept { return source_; }
  [[nodiscard]] std::uint64_t live_rows() const noexcept { return layout().live_rows; }
  [[nodiscard]] std::uint64_t padded_rows() const noexcept { return layout().padded_rows; }

  // A parameter that a document, an option or the layout itself states; a default is not stated.
  [[nodiscard]] std::optional<std::uint64_t> stated(std::string_view param) const {
    return stated_param(layout(), param);
  }

  // A field with one value a row; null where the layout has none of this role and shape.
  [[nodiscard]] const ResolvedField* find(std::string_view role) const { return find(role, 0); }
  // The block table: a list a row.
  [[nodiscard]] const ResolvedField* table() const noexcept { return table_; }
  [[nodiscard]] int128 value(const ResolvedField& field, std::uint64_t row) const noexcept {
    return view_.element(field, row, 0);
  }
  // What stands in a padding row: its first elements, the last one repeats. Empty where a parameter
  // that it needs has no value.
  [[nodiscard]] std::span<const int128> pad(const ResolvedField& field) const noexcept {
    return pads_[index_of(field)];
  }
  // Is `value` one of those that mean "none" in this field?
  [[nodiscard]] bool is_null(const ResolvedField& field, int128 value) const;

  // Of a live row with seq_len of at least 1; the layout has seq_len, and block_size is stated
  // where blocks are asked for.
  [[nodiscard]] bool is_sound(std::uint64_t row) const noexcept;  // seq_len >= 1
  [[nodiscard]] std::uint64_t kv_index(std::uint64_t row) const noexcept;
  [[nodiscard]] std::uint64_t block_size() const noexcept { return *block_size_; }
  // Blocks that its tokens take, whether its table has so many entries or not.
  [[nodiscard]] std::uint64_t used(std::uint64_t row) const noexcept;
  // Entries that its table has: the dimension, or the list's length in a document.
  [[nodiscard]] std::uint64_t present(std::uint64_t row) const noexcept;
  // Entries that are used and present.
  [[nodiscard]] std::uint64_t used_present(std::uint64_t row) const noexcept;
  [[nodiscard]] int128 entry(std::uint64_t row, std::uint64_t column) const noexcept {
    return view_.element(*table_, row, column);
  }
  // Is this entry a block that somebody may own: neither null nor the dummy block?
  [[nodiscard]] bool is_block(int128 entry) const;
  // The slot that a row writes to, if it writes.
  [[nodiscard]] std::optional<int128> written_slot(std::uint64_t row) const;
  [[nodiscard]] std::int64_t group(std::uint64_t row) const noexcept;

  // What a first look at the table of a sound live row tells. These three need a table, seq_len and
  // block_size.
  [[nodiscard]] const RowScan& scan(std::uint64_t row) const noexcept { return scan_->row(row); }
  // Is a block used more than once?
  [[nodiscard]] bool shares_blocks() const noexcept { return scan_->shares_blocks(); }
  // Is the slot that this row writes the one that its table gives for its KV index?
  [[nodiscard]] bool writes_own_slot(std::uint64_t row) const;

  // Every block that a sound live row uses, in order of block, then from the one
  // with the most tokens in it to the one with the fewest. Empty where the layout has
  // no table or no seq_len, or block_size is not stated. Listed when it is asked for: what the
  // first look tells is enough for rows that share nothing.
  [[nodiscard]] std::span<const BlockUse> uses() const;
  [[nodiscard]] std::span<const BlockUse> uses_of(int128 block) const;
  // The one with the most tokens, not of the group `but_not`; null if there is none.
  [[nodiscard]] const BlockUse* largest_use(int128 block,
                                            std::optional<std::int64_t> but_not = {}) const;
  // A row, not of the group `but_not`, whose live KV holds this slot; null if there is none.
  [[nodiscard]] const BlockUse* holder(int128 slot, std::optional<std::int64_t> but_not = {}) const;
  // "144 (block 9 + 0)".
  [[nodiscard]] std::string slot_text(int128 slot) const {
    return slabscope::slot_text(slot, block_size_);
  }

  [[nodiscard]] std::uint64_t offset(const ResolvedField& field, std::uint64_t row,
                                     std::uint64_t index) const noexcept {
    return field.item_offset(row) + index * field.element_bytes();
  }

 private:
  Batch(const SlabView& view, const BatchSource& source) : view_(view), source_(source) {}
  [[nodiscard]] const ResolvedField* find(std::string_view role, std::size_t dimensions) const {
    return find_row_field(layout(), role, dimensions);
  }
  [[nodiscard]] std::size_t index_of(const ResolvedField& field) const noexcept {
    return static_cast<std::size_t>(&field - layout().fields.data());
  }
  void scan_table();
  [[nodiscard]] std::vector<BlockUse> find_uses() const;

  SlabView view_;
  BatchSource source_;
  const ResolvedField* table_ = nullptr;
  const ResolvedField* seq_len_ = nullptr;
  const ResolvedField* slot_ = nullptr;
  std::optional<std::uint64_t> block_size_;
  std::optional<std::uint64_t> dummy_block_;
  std::uint64_t rows_per_group_ = 1;
  std::vector<std::vector<int128>> nulls_;  // of each field
  std::vector<std::vector<int128>> pads_;   // likewise
  std::optional<TableScan> scan_;
  mutable std::optional<std::vector<BlockUse>> uses_;
};

}  // namespace slabscope
