// Where two slabs of one layout differ: element by element, and in gaps by runs of bytes.
#pragma once

#include <slabscope/layout/owner.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace slabscope {

// What a launch does not look at, by where it stands. What may differ there is left over from
// earlier steps.
enum class Stale : std::uint8_t {
  no,
  row,    // at or past the padded rows: it was not uploaded
  entry,  // of a block table, past those that the row uses in either slab
};

struct Change {
  Owner owner;               // an element, or the gap that the bytes are in
  std::uint64_t offset = 0;  // of the first byte below, from the slab's start
  // The element's bytes, or in a gap a longest run of bytes that all differ.
  std::span<const std::byte> before;
  std::span<const std::byte> after;
  Stale stale = Stale::no;
};

struct DiffRules {
  bool ignore_gaps = false;
  bool ignore_stale = false;
  std::optional<std::uint64_t> uploaded_rows;  // those behind are stale; default: padded_rows
};

class SlabDiff {
 public:
  // `layout` must outlive the diff. Errors: param_range (block_size), padded_rows (more uploaded
  // rows than the layout has room for).
  static Result<SlabDiff> of(const Layout& layout, const DiffRules& rules);

  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  // False where the layout has block tables and sequence lengths, but it is not stated how many
  // tokens a block holds: then no entry is stale.
  [[nodiscard]] bool knows_used_entries() const noexcept { return !lacks_block_size_; }

  // Calls `take(change)` for every change from `before` to `after` (layout().size bytes each), in
  // order of offset, without those that the rules ignore. Cost: one pass over both.
  void compare(std::span<const std::byte> before, std::span<const std::byte> after,
               const std::function<void(const Change& change)>& take) const;

  // "17 -> 18"; slots and blocks also as block + offset or as slots, where block_size is stated;
  // and whether it is stale. Of a gap: how many bytes.
  [[nodiscard]] std::string message(const Change& change) const;

 private:
  struct Slabs {
    std::span<const std::byte> before;
    std::span<const std::byte> after;
    const std::function<void(const Change&)>& take;
  };

  SlabDiff(const Layout& layout, const DiffRules& rules) : layout_(layout), rules_(rules) {}
  void compare_gap(const Tile& tile, const Slabs& slabs) const;
  void compare_field(const ResolvedField& field, const Slabs& slabs) const;
  [[nodiscard]] Stale staleness(const Owner& owner, const Slabs& slabs) const;
  [[nodiscard]] int128 used_entries(std::uint64_t row, std::span<const std::byte> slab) const;
  [[nodiscard]] std::string value_text(const ResolvedField& field, int128 value) const;

  const Layout& layout_;
  DiffRules rules_;
  std::optional<std::uint64_t> block_size_;
  std::uint64_t lookahead_tokens_ = 0;
  bool lacks_block_size_ = false;
  // Null where it is not known which entries are used.
  const ResolvedField* table_ = nullptr;
  const ResolvedField* seq_len_ = nullptr;
};

}  // namespace slabscope
