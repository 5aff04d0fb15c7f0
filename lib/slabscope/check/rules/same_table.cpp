#include <slabscope/check/rule.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace slabscope {
namespace {

// Do two rows with the same table share it as prefix caching does: full blocks that neither writes?
bool is_legal(const Batch& batch, std::uint64_t left, std::uint64_t right) {
  const auto written = [&](std::uint64_t row) {
    const auto slot = batch.written_slot(row);
    return slot ? std::optional(*slot / batch.block_size()) : std::nullopt;
  };
  const auto of_left = written(left);
  const auto of_right = written(right);
  const std::uint64_t tokens = std::min(batch.kv_index(left), batch.kv_index(right)) + 1;
  for (std::uint64_t column = 0;
       column < std::min(batch.used_present(left), batch.used_present(right)); ++column) {
    const int128 block = batch.entry(left, column);
    if (!batch.is_block(block)) continue;
    const bool is_full = tokens / batch.block_size() > column;
    if (!is_full || of_left == block || of_right == block) return false;
  }
  return true;
}

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row)
    if (batch.is_sound(row)) rows.push_back(row);
  const auto compare = [&](std::uint64_t left, std::uint64_t right) {
    return table.item_bytes() == 0
               ? 0
               : std::memcmp(batch.view().item(table, left).data(),
                             batch.view().item(table, right).data(), table.item_bytes());
  };
  std::sort(rows.begin(), rows.end(), [&](std::uint64_t left, std::uint64_t right) {
    const int order = compare(left, right);
    return order != 0 ? order < 0 : left < right;
  });
  for (std::size_t index = 1; index < rows.size(); ++index) {
    const std::uint64_t before = rows[index - 1];
    const std::uint64_t row = rows[index];
    if (batch.group(before) == batch.group(row) || compare(before, row) != 0 ||
        is_legal(batch, before, row))
      continue;
    report
        .element(row, table, 0, "a table of the row's own",
                 "row " + std::to_string(row) + " carries the whole table of row " +
                     std::to_string(before))
        .other_row = before;
  }
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"block-alias", "write-alias"};
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
    .check = check};

}  // namespace slabscope
