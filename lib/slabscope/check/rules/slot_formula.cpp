#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <iterator>

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

// The row writes elsewhere in the pool, or its last token is not where the slot was computed for.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& slot = slab.slot();
  const std::uint64_t row = slab.a_row();
  const std::uint64_t size = batch.block_size();
  if (slab.random().one_in(4)) {
    const std::uint64_t other = slab.random().between(0, batch.used(row) * size - 1);
    if (other != batch.kv_index(row) && slab.set_kv_index(row, other)) return {};
  }
  const int128 due = batch.value(slot, row);
  const int128 slots = int128{slab.num_blocks()} * size;
  const auto last = static_cast<std::uint64_t>(slots - 1);
  const int128 far = slab.distance(size);
  const int128 candidates[] = {due + far,
                               due - far,
                               due + size,
                               due - size,
                               batch.value(slot, slab.a_row()),
                               slab.random().between(0, last)};
  const std::size_t first = slab.random().between(0, std::size(candidates) - 1);
  for (std::size_t index = 0; index < std::size(candidates); ++index) {
    const int128 value = candidates[(first + index) % std::size(candidates)];
    if (value == due || value < 0 || value >= slots || !fits(slot.type(), value) ||
        batch.is_null(slot, value))
      continue;
    slab.set(slot, row, 0, value);
    return {};
  }
  return impossible("the pool has no other slot");
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
    .check = check,
    .fault = {.put = put}};

}  // namespace slabscope
