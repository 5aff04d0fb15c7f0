#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

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
                       .check = check};

}  // namespace slabscope
