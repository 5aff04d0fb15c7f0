#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const auto dummy = *batch.stated("dummy_block");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || !batch.scan(row).has_nobodys) continue;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column) {
      const int128 entry = batch.entry(row, column);
      if (entry != dummy || batch.is_null(*batch.table(), entry)) continue;
      report.element(row, *batch.table(), column, "a block of the row's own",
                     "the dummy block stands where the row's tokens " +
                         to_text(int128{column} * batch.block_size()) + ".. are");
      break;
    }
  }
}

Result<void> plan(FaultPlan& plan) {
  const auto blocks = plan.value("num_blocks");
  if (!plan.value("dummy_block") || plan.random().one_in(2))
    plan.set("dummy_block", plan.random().between(0, blocks.value_or(1) - 1));
  return {};
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const auto dummy = *batch.stated("dummy_block");
  const std::uint64_t row = slab.a_row();
  const std::uint64_t column = slab.random().between(0, batch.used(row) - 1);
  if (!fits(batch.table()->type(), dummy) || batch.is_null(*batch.table(), dummy))
    return impossible("no table entry can be block " + std::to_string(dummy));
  // The slot of the last token may have been computed from it.
  if (column + 1 == batch.used(row) && batch.find("slot") != nullptr && dummy < slab.num_blocks() &&
      slab.random().one_in(2) && !slab.write_into(row, dummy))
    return impossible("no slot can lie in block " + std::to_string(dummy));
  slab.set(*batch.table(), row, column, dummy);
  return {};
}

constexpr std::string_view params[] = {"block_size", "dummy_block"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"block-range", "slot-formula", "write-alias"};
}  // namespace

extern const Rule dummy_in_use;
const Rule dummy_in_use{
    .id = "dummy-in-use",
    .severity = FindingSeverity::error,
    .fires_when = "a used table entry of a live row is dummy_block",
    .explanation =
        "Every padding row writes into the dummy block. A live row that reads it reads garbage: "
        "the "
        "table was not extended before seq_len was, or the row was reset too early.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
