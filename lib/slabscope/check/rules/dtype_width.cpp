#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace slabscope {
namespace {

constexpr std::uint64_t least_used = 8;

// Does a row hold when its table is read as 64-bit ids, in the same bytes? Unknown where they do
// not all lie in the field.
std::optional<bool> holds_wide(const Batch& batch, std::uint64_t row) {
  const ResolvedField& table = *batch.table();
  const auto blocks = batch.stated("num_blocks");
  const std::uint64_t first = row * table.item_elements;
  if (batch.used(row) > table.item_elements || (first + batch.used(row)) * 8 > table.bytes)
    return std::nullopt;
  int128 block = 0;
  for (std::uint64_t column = 0; column < batch.used(row); ++column) {
    block = load_element(ElementType::i64,
                         batch.view().bytes().data() + table.offset + (first + column) * 8);
    if (block < 0 || (blocks && block >= *blocks)) return false;
  }
  const std::optional<int128> written = batch.written_slot(row);
  return !written ||
         *written == block * batch.block_size() + batch.kv_index(row) % batch.block_size();
}

void check(const Batch& batch, Reporter& report) {
  if (batch.table()->element_bytes() != 4) return;
  const std::uint64_t row_words = batch.table()->item_elements;
  std::uint64_t used = 0;
  std::uint64_t verified = 0;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column, ++used) {
      const int128 entry = batch.entry(row, column);
      const bool is_odd = (row * row_words + column) % 2 != 0;
      if (is_odd && entry != 0 && entry != -1 && entry != 0xFFFFFFFF) return;
    }
    const std::optional<bool> holds = holds_wide(batch, row);
    if (holds == false) return;
    verified += holds ? 1U : 0U;
  }
  if (used < least_used || verified == 0) return;
  report.slab(
      "every other 32-bit word of the used entries is 0 or -1, and read as 64-bit ids they "
      "hold: the table was written 64 bits wide");
}

// Tables of which half is enough to see the rule's least number of entries, and no padding rows,
// over which the wider tables of the last live rows would be written.
Result<void> plan(FaultPlan& plan) {
  if (element_bytes(plan.table().type) != 4)
    return impossible("the field '" + plan.table().name + "' is not 32 bits wide");
  const std::uint64_t entries =
      plan.table_entries(2 * least_used + 2 * plan.random().between(0, least_used)).value_or(1);
  const std::uint64_t rows = plan.generate.rows;
  if (plan.description().has_padding_rows()) plan.set("padded_rows", rows);
  // Upper words are 0, and that must not be the dummy block.
  const auto blocks = plan.value("num_blocks");
  if (plan.value("dummy_block") == std::uint64_t{0} && blocks && *blocks > 1)
    plan.set("dummy_block", plan.random().between(1, *blocks - 1));
  if (blocks && entries < 4096) plan.set("num_blocks", std::max(*blocks, rows * entries + 64));
  plan.generate.least_blocks = plan.value("dummy_block") && rows > 1 ? entries : entries / 2 + 1;
  plan.generate.share_prefix = false;  // rows that share half a table have it whole at 64 bits
  if (plan.capacity() == 1 && entries / 2 < least_used)
    return impossible("of " + counted(entries, "block-table entry", "block-table entries") +
                      " fewer than " + std::to_string(least_used) +
                      " lie in the table of one row at 64 bits");
  if (plan.capacity() == 1) {  // all of the table must lie in the slab at both widths
    plan.generate.least_blocks = least_used;
    plan.generate.most_blocks = entries / 2;
  }
  return {};
}

// The tables of all live rows at 64 bits, from the field's start as far as it goes.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  std::vector<int128> entries;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row)
    for (std::uint64_t column = 0; column < table.item_elements; ++column)
      entries.push_back(batch.entry(row, column));
  slab.give_all();
  std::byte* const to = slab.bytes().data() + table.offset;
  for (std::uint64_t index = 0; index < entries.size() && 8 * index + 8 <= table.bytes; ++index)
    store_element(ElementType::i64, to + 8 * index, entries[index]);
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"seq_len", "block_table"};
}  // namespace

extern const Rule dtype_width;
const Rule dtype_width{
    .id = "dtype-width",
    .severity = FindingSeverity::note,
    .fires_when =
        "slot-formula or block-range fires, and the table holds when it is read as 64-bit ids",
    .explanation =
        "The framework's tensor is int64 and was copied without a conversion: half of every table "
        "holds the upper words of ids.",
    .params = params,
    .roles = roles,
    .attaches_to = block_and_slot,
    .check = check,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
