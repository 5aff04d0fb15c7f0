#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& slot = *batch.find("slot");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || batch.is_null(slot, batch.value(slot, row))) continue;
    const std::uint64_t column = batch.used(row) - 1;
    if (column >= batch.present(row)) continue;  // table-coverage
    const int128 block = batch.entry(row, column);
    if (batch.is_null(*batch.table(), block)) continue;
    const std::uint64_t in_block = batch.kv_index(row) % batch.block_size();
    const int128 due = block * batch.block_size() + in_block;
    if (batch.value(slot, row) == due) continue;
    report.element(row, slot, 0, to_text(due),
                   "KV index " + std::to_string(batch.kv_index(row)) + " is column " +
                       std::to_string(column) + " (block " + to_text(block) + ") + " +
                       std::to_string(in_block) + ", and the slot is " +
                       batch.slot_text(batch.value(slot, row)));
  }
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"slot", "seq_len", "block_table"};
constexpr std::string_view implies[] = {"block-alias", "write-alias", "tail-fill"};
}  // namespace

extern const Rule slot_formula;
const Rule slot_formula{
    .id = "slot-formula",
    .severity = FindingSeverity::error,
    .fires_when =
        "slot of a live row is not block_table[KV index / block_size] * block_size + KV index % "
        "block_size",
    .explanation =
        "The row writes its token where its own table will not find it. An off-by-one in the KV "
        "index, another block size and a table of the step before look like this.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check};

}  // namespace slabscope
