#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <iterator>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  const auto blocks = *batch.stated("num_blocks");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    const RowScan& scan = batch.scan(row);
    if (scan.least >= 0 && scan.most < blocks) continue;
    std::uint64_t outside = 0;
    std::uint64_t first = 0;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column) {
      const int128 entry = batch.entry(row, column);
      if ((entry >= 0 && entry < blocks) || batch.is_null(table, entry)) continue;
      if (outside++ == 0) first = column;
    }
    if (outside == 0) continue;
    std::string message = "no block of the pool";
    if (table.type() == ElementType::u32 && batch.entry(row, first) >= int128{1} << 31)
      message += "; kernels read it as " + to_text(batch.entry(row, first) - (int128{1} << 32));
    if (outside > 1)
      message += "; " + counted(outside, "used entry", "used entries") + " of this row";
    report.element(row, table, first, blocks == 0 ? "nothing" : "0.." + std::to_string(blocks - 1),
                   std::move(message));
  }
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  const int128 blocks = slab.num_blocks();
  const std::uint64_t row = slab.a_row();
  const std::uint64_t column = slab.random().between(0, batch.used(row) - 1);
  const int128 far = slab.distance(1U << 24U);
  const int128 candidates[] = {blocks, blocks - 1 + far, -far, maximum(table.type()),
                               (int128{1} << 31) - 1 + far};
  const std::size_t first = slab.random().between(0, std::size(candidates) - 1);
  for (std::size_t index = 0; index < std::size(candidates); ++index) {
    const int128 entry = candidates[(first + index) % std::size(candidates)];
    if (!fits(table.type(), entry) || batch.is_null(table, entry) ||
        (entry >= 0 && entry < blocks) || (entry >= 0 && !batch.is_block(entry)))
      continue;
    slab.set(table, row, column, entry);
    // The slot of the last token may have been computed from it.
    if (column + 1 == batch.used(row) && batch.find("slot") != nullptr && slab.random().one_in(2))
      (void)slab.write_into(row, entry);
    return {};
  }
  return impossible("the table's type holds no block outside of the pool");
}

constexpr std::string_view params[] = {"block_size", "num_blocks"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"int32-overflow", "same-table",  "slot-range",
                                        "slot-formula",   "block-alias", "write-alias"};
}  // namespace

extern const Rule block_range;
const Rule block_range{.id = "block-range",
                       .severity = FindingSeverity::error,
                       .fires_when = "a used table entry of a live row is outside [0, num_blocks)",
                       .explanation =
                           "The kernel reads or writes KV outside the pool. Token slots where "
                           "block ids belong, 64-bit "
                           "ids in a 32-bit table and freed tables look like this.",
                       .params = params,
                       .roles = roles,
                       .implies = implies,
                       .check = check,
                       .fault = {.put = put}};

}  // namespace slabscope
