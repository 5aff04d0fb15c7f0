#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace slabscope {
namespace {

// A live row among those that carry its table.
struct Carrier {
  std::uint64_t row;
  std::uint64_t used;     // columns
  std::uint64_t written;  // the column that it writes into, past all of them if none
  bool is_full;           // its last used block too
};

Carrier carrier_of(const Batch& batch, std::uint64_t row) {
  const std::uint64_t used = batch.used_present(row);
  const std::optional<int128> slot = batch.written_slot(row);
  std::uint64_t written = ~std::uint64_t{0};
  for (std::uint64_t column = 0; slot && column < used; ++column)
    if (const int128 block = batch.entry(row, column);
        batch.is_block(block) && *slot / batch.block_size() == block) {
      written = column;
      break;
    }
  const bool ends_full = (batch.kv_index(row) + 1) % batch.block_size() == 0;
  return {row, used, written,
          used == 0 || ends_full || !batch.is_block(batch.entry(row, used - 1))};
}

// The best carrier so far, and the best one of another group than its.
class BestTwo {
 public:
  template <class Better>
  void offer(const Batch& batch, const Carrier& each, const Better& better) {
    if (first_ && batch.group(first_->row) == batch.group(each.row)) {
      if (better(each, *first_)) first_ = each;
      return;
    }
    if (!first_ || better(each, *first_)) {
      second_ = std::exchange(first_, each);
    } else if (!second_ || better(each, *second_)) {
      second_ = each;
    }
  }
  [[nodiscard]] const Carrier* of_another_group(const Batch& batch, std::uint64_t row) const {
    for (const auto* each : {&first_, &second_})
      if (*each && batch.group((*each)->row) != batch.group(row)) return &**each;
    return nullptr;
  }

 private:
  std::optional<Carrier> first_, second_;
};

// Rows with one table, from the longest to the shortest. What two of them share are the used
// columns of the shorter one: legally so if all of them are full and neither row writes into them.
void check_run(const Batch& batch, std::span<const std::uint64_t> rows, Reporter& report) {
  BestTwo longest;
  BestTwo writers;
  for (const std::uint64_t row : rows) {
    const Carrier each = carrier_of(batch, row);
    const bool is_bad = each.used != 0 && (!each.is_full || each.written < each.used);
    const Carrier* other = longest.of_another_group(batch, row);
    if (!is_bad) {
      const Carrier* const writer = writers.of_another_group(batch, row);
      other = writer != nullptr && writer->written < each.used ? writer : nullptr;
    }
    if (other != nullptr) {
      const auto [before, behind] = std::minmax(row, other->row);
      report
          .element(behind, *batch.table(), 0, "a table of the row's own",
                   "row " + std::to_string(behind) + " carries the whole table of row " +
                       std::to_string(before))
          .other_row = before;
    }
    longest.offer(batch, each, [](const Carrier&, const Carrier&) { return false; });
    writers.offer(batch, each, [](const Carrier& left, const Carrier& right) {
      return left.written < right.written;
    });
  }
}

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  if (table.item_bytes() == 0 || !batch.shares_blocks()) return;
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row)
    if (batch.is_sound(row)) rows.push_back(row);
  const auto compare = [&](std::uint64_t left, std::uint64_t right) {
    return std::memcmp(batch.view().item(table, left).data(),
                       batch.view().item(table, right).data(), table.item_bytes());
  };
  std::sort(rows.begin(), rows.end(), [&](std::uint64_t left, std::uint64_t right) {
    const int order = compare(left, right);
    if (order != 0) return order < 0;
    return std::pair(batch.kv_index(right), left) < std::pair(batch.kv_index(left), right);
  });
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && compare(rows[begin], rows[end]) == 0) ++end;
    check_run(batch, std::span(rows).subspan(begin, end - begin), report);
    begin = end;
  }
}

// Row `one` carries the table of another row, and knows it or not.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  SLABSCOPE_TRY_ASSIGN(rows, slab.two_rows());
  const std::uint64_t length = batch.present(rows.other);
  const std::uint64_t kv_index = slab.random().one_in(2)
                                     ? batch.kv_index(rows.one)
                                     : slab.random().between(0, batch.kv_index(rows.other));
  if (kv_index / batch.block_size() >= length)
    return impossible("no row is as long as the table of another one");
  for (std::uint64_t column = 0; column < table.item_elements; ++column)
    slab.set(table, rows.one, column, batch.entry(rows.other, column));
  if (!slab.set_table_length(rows.one, length))
    return impossible("a shorter table ends in its fill, and a parameter of that is unset");
  const bool is_consistent = kv_index != batch.kv_index(rows.one) || slab.random().one_in(2);
  if (!slab.set_kv_index(rows.one, kv_index)) return impossible("seq_len cannot be so large");
  if (is_consistent && batch.find("slot") != nullptr &&
      !slab.write_into(rows.one, batch.entry(rows.one, kv_index / batch.block_size())))
    return impossible("no slot lies in so large a block");
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"slot-formula", "block-alias", "write-alias", "tail-fill"};
}  // namespace

extern const Rule same_table;
const Rule same_table{
    .id = "same-table",
    .severity = FindingSeverity::warning,
    .fires_when =
        "live rows of different groups carry one identical table whose used entries are not "
        "legally "
        "shared",
    .explanation =
        "The table of one request was uploaded for two: a row index that was not advanced, or a "
        "broadcast where a copy per row was due.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check,
    .by_group = true,
    .fault = {.least_rows = 2, .put = put}};

}  // namespace slabscope
