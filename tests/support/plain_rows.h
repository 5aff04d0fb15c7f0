// Rows of the built-in layouts as tests write them down: one struct a row, whatever the layout; and
// the ways into the library for them. Knows no offset.
#pragma once

#include <slabscope/slab/rows.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

struct PlainRow {
  std::uint32_t position = 0;
  std::int64_t slot = 0;
  std::int32_t seq_len = 0;
  std::vector<std::int64_t> block_table{};  // u32 in mtp and mtp_batch, i32 in decode
  std::optional<std::int32_t> seq_slot{};   // decode only; none: left out
};

using Params = std::map<std::string, std::uint64_t>;

// The row as columns of the description's fields, which are some of PlainRow's.
Rows columns_of(const Description& description, std::span<const PlainRow> rows);

// A rows document of one line.
std::string document_of(std::string_view layout, const Params& params,
                        std::span<const PlainRow> rows,
                        std::optional<std::uint64_t> region_bytes = {});

// Tables of elements of type T, as the typed entry points take them.
template <class T>
class Tables {
 public:
  explicit Tables(std::span<const PlainRow> rows) {
    for (const PlainRow& row : rows) {
      auto& table = entries_.emplace_back();
      for (const std::int64_t block : row.block_table) table.push_back(static_cast<T>(block));
    }
    spans_.assign(entries_.begin(), entries_.end());
  }
  [[nodiscard]] std::span<const std::span<const T>> spans() const noexcept { return spans_; }

 private:
  std::vector<std::vector<T>> entries_;
  std::vector<std::span<const T>> spans_;
};

// One member of every row, back to back.
template <class T>
std::vector<T> column(std::span<const PlainRow> rows, T PlainRow::*member) {
  std::vector<T> values;
  for (const PlainRow& row : rows) values.push_back(row.*member);
  return values;
}
// -1 where a row has none.
std::vector<std::int32_t> seq_slots(std::span<const PlainRow> rows);

}  // namespace slabscope::tests
