#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace slabscope {
namespace {

// By group, the columns that are used or reserved: its tables are as long as its longest row needs.
std::unordered_map<std::int64_t, std::uint64_t> reserved_columns(const Batch& batch) {
  const std::uint64_t lookahead = batch.stated("lookahead_tokens").value_or(0);
  std::unordered_map<std::int64_t, std::uint64_t> used;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    const std::uint64_t last = batch.kv_index(row) / batch.block_size();
    const std::uint64_t reserved =
        checked_add(batch.kv_index(row), lookahead).value_or(~std::uint64_t{0}) /
        batch.block_size();
    std::uint64_t& most = used[batch.group(row)];
    most = std::max({most, last + 1, reserved == ~std::uint64_t{0} ? reserved : reserved + 1});
  }
  return used;
}

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  if (table.description->fill_is_any || !table.fill) return;
  bool is_clean = true;
  for (std::uint64_t row = 0; row < batch.live_rows() && is_clean; ++row)
    is_clean = !batch.is_sound(row) || batch.scan(row).tail <= batch.used_present(row);
  if (is_clean) return;
  std::unordered_map<std::int64_t, std::uint64_t> used = reserved_columns(batch);
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || used[batch.group(row)] >= batch.scan(row).tail) continue;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> shown;  // the first, or the first that is another row's block
    const BlockUse* owner = nullptr;
    for (std::uint64_t column = used[batch.group(row)]; column < batch.present(row); ++column) {
      const int128 entry = batch.entry(row, column);
      if (entry == *table.fill) continue;
      ++count;
      if (!shown) shown = column;
      if (owner != nullptr) continue;
      owner = batch.largest_use(entry, batch.group(row));
      if (owner != nullptr) shown = column;
    }
    if (!shown) continue;
    std::string message = counted(count, "entry", "entries") + " from column " +
                          std::to_string(used[batch.group(row)]) +
                          " on, which the row does not use";
    message += owner != nullptr ? ": this one is a block of row " + std::to_string(owner->row)
                                : ": left over from another request?";
    Finding& found = report.element(row, table, *shown, to_text(*table.fill), std::move(message));
    if (owner == nullptr) continue;
    found.severity = FindingSeverity::error;
    found.other_row = owner->row;
  }
}

std::vector<std::string_view> params_of(const Batch& batch) {
  std::vector<std::string_view> names;
  const FieldDescription& table = *batch.table()->description;
  if (table.fill && !table.fill_is_any) add_params(*batch.layout().description, *table.fill, names);
  return names;
}

Result<void> plan(FaultPlan& plan) {
  if (plan.table().fill_is_any)
    return impossible("in this layout any entry may stand behind the used ones");
  const auto entries = plan.table_entries(plan.random().between(2, 16));
  if (entries && *entries < 2)
    return impossible("the block tables have " + counted(*entries, "entry", "entries") +
                      ", and a row uses at least one");
  if (entries) plan.generate.most_blocks = plan.random().between(1, *entries - 1);
  return {};
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  PseudoRandom& random = slab.random();
  const std::uint64_t row = slab.a_row();
  const std::uint64_t first = reserved_columns(batch)[batch.group(row)];
  if (!table.fill) return impossible("a parameter of the table's fill is unset");
  if (first >= table.item_elements || batch.uses().empty())
    return impossible("no row has an entry behind the used ones");
  const std::uint64_t column =
      random.one_in(2) ? first : random.between(first, table.item_elements - 1);
  const BlockUse& use = batch.uses()[random.between(0, batch.uses().size() - 1)];
  const int128 candidates[] = {slab.free_block().value_or(0), use.block, *table.fill + 1,
                               *table.fill - 1};
  const auto value = slab.pick(table, candidates, *table.fill);
  if (!value) return impossible("no other entry fits the table");
  slab.set(table, row, column, *value);
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
}  // namespace

extern const Rule tail_fill;
const Rule tail_fill{
    .id = "tail-fill",
    .severity = FindingSeverity::warning,
    .fires_when =
        "a table entry behind the used ones differs from the layout's fill (an error when it is a "
        "used block of another row)",
    .explanation =
        "Stale entries are harmless until a kernel reads ahead or seq_len grows before the table "
        "does. Blocks reserved ahead of seq_len are said with -D lookahead_tokens=N.",
    .params = params,
    .roles = roles,
    .check = check,
    .params_of = params_of,
    .by_group = true,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
