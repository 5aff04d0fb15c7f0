// A first look at a block table, at the speed of memory: what every rule needs to know to pass over
// a healthy row. Only where something stands out do the rules look at single entries.
#pragma once

#include <slabscope/slab/view.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slabscope {

struct RowScan {
  // Of the used entries that are present; least > most where there is none.
  int128 least = 0;
  int128 most = -1;
  bool has_nobodys = false;  // null or the dummy block is among them
  std::uint64_t tail = 0;    // the entries from this column on are all the fill
};

class TableScan {
 public:
  // A table, a list a row. `nobodys`: entries that are nobody's block; `fill`: of the tail, if it
  // has a known one.
  TableScan(const SlabView& view, const ResolvedField& table, std::vector<int128> nobodys,
            std::optional<int128> fill, std::uint64_t rows)
      : view_(view), table_(&table), nobodys_(std::move(nobodys)), fill_(fill), rows_(rows) {}

  // Looks at a row of which `used` entries are used, and `present` are there at all; used <=
  // present.
  void add(std::uint64_t row, std::uint64_t used, std::uint64_t present);
  // After the last row.
  void finish();

  // Of a row that was added.
  [[nodiscard]] const RowScan& row(std::uint64_t row) const noexcept { return rows_[row].scan; }
  // Is a block used more than once?
  [[nodiscard]] bool shares_blocks() const noexcept { return shares_; }
  // Does a row use this block?
  [[nodiscard]] bool uses(int128 block) const noexcept;

 private:
  struct Row {
    RowScan scan;
    std::uint64_t used = 0;
  };

  template <class Take>
  void for_each_used(Take&& take) const;

  SlabView view_;
  const ResolvedField* table_;
  std::vector<int128> nobodys_;
  std::optional<int128> fill_;
  std::vector<Row> rows_;
  std::uint64_t used_ = 0;  // entries
  int128 most_ = -1;        // of all rows
  // The blocks that are used: a bit for each, or sorted where they are too far apart for that.
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> blocks_;
  bool shares_ = false;
};

// Of any field: the first element of an item that is not its pad: pad[0], pad[1] .. and the
// last of them for all further ones. The number of elements where there is none.
[[nodiscard]] std::uint64_t first_unlike(const SlabView& view, const ResolvedField& field,
                                         std::uint64_t item, std::span<const int128> pad);

}  // namespace slabscope
