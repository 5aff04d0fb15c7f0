#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>
#include <vector>

namespace slabscope {
namespace {

// Every used entry of every row, with the block size `size` and entries divided by `unit`: does it
// explain the slots of all rows?
bool explains(const Batch& batch, std::uint64_t size, std::uint64_t unit) {
  const auto blocks = batch.stated("num_blocks");
  std::uint64_t explained = 0;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    const std::uint64_t kv_index = batch.kv_index(row);
    const std::uint64_t used = std::min(kv_index / size + 1, batch.present(row));
    for (std::uint64_t column = 0; unit > 1 && column < used; ++column) {
      const int128 entry = batch.entry(row, column);
      if (batch.is_null(*batch.table(), entry)) continue;
      if (entry < 0 || entry % unit != 0 || (blocks && entry / unit >= *blocks)) return false;
    }
    const std::optional<int128> written = batch.written_slot(row);
    if (!written) continue;
    if (kv_index / size >= batch.present(row)) return false;
    if (batch.entry(row, kv_index / size) / unit * size + kv_index % size != *written) return false;
    ++explained;
  }
  return explained != 0;
}

void check(const Batch& batch, Reporter& report) {
  const std::uint64_t size = batch.block_size();
  if (size > 1 && explains(batch, size, size)) {
    report.slab(
        "every used entry is a multiple of block_size, and divided by it explains the slot: "
        "token slots stand where block ids belong");
    return;
  }
  if (explains(batch, size, 1)) return;
  for (std::uint64_t other = 1; other <= (std::uint64_t{1} << 31); other *= 2) {
    if (other == size || !explains(batch, other, 1)) continue;
    report.slab("a block size of " + std::to_string(other) + " explains all slots, " +
                std::to_string(size) + " does not");
    return;
  }
}

// Token slots need a pool whose ids are mostly above the pool's size in blocks of blocks, slots of
// another block size one that is larger than what is used of it.
Result<void> plan(FaultPlan& plan) {
  const auto blocks = plan.value("num_blocks");
  if (blocks && *blocks < (std::uint64_t{1} << 32)) plan.set("num_blocks", *blocks * 16);
  return {};
}

// The blocks that are used get numbers from [begin, end), each one of its own.
Result<void> renumber(FaultSlab& slab, int128 begin, int128 end) {
  const Batch& batch = slab.batch();
  std::vector<std::uint64_t> blocks;
  for (const BlockUse& use : batch.uses())
    if (blocks.empty() || blocks.back() != use.block) blocks.push_back(use.block);
  end = std::min(end, maximum(batch.table()->type()) + 1);
  if (end - begin < int128{blocks.size()})
    return impossible("the pool is too small to tell " + counted(blocks.size(), "block") +
                      " from what they would be in the other unit");
  // Floyd's sample: a number that is taken makes room for the last one.
  std::unordered_set<std::uint64_t> taken;
  const auto last = static_cast<std::uint64_t>(end - begin - 1);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const std::uint64_t highest = last - (blocks.size() - 1 - index);
    std::uint64_t number = slab.random().between(0, highest);
    if (!taken.insert(number).second) taken.insert(number = highest);
    const std::uint64_t block = static_cast<std::uint64_t>(begin) + number;
    if (!batch.is_block(block) || !slab.renumber(blocks[index], block))
      return impossible("a block of the pool cannot be used");
  }
  return {};
}

// Entries become the slots of their blocks' first tokens. None of them is a block that is used.
Result<void> write_token_slots(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  const int128 size = batch.block_size();
  const int128 blocks = slab.num_blocks();
  if (size == 1) return impossible("with one token a block their units are the same");
  SLABSCOPE_TRY(renumber(slab, (blocks + size - 1) / size,
                         std::min(blocks, maximum(table.type()) / size + 1)));
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row)
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column)
      slab.set(table, row, column, batch.entry(row, column) * size);
  return {};
}

// Slots are computed with blocks of more tokens. None of them lies in a block that is used.
Result<void> write_other_slots(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const std::uint64_t times = std::uint64_t{1} << slab.random().between(1, 3);
  const int128 size = int128{batch.block_size()} * times;
  const int128 begin = slab.num_blocks() / (2 * times);
  if (!std::has_single_bit(batch.block_size()) || size > int128{1} << 31)
    return impossible("no power of two is another block size here");
  SLABSCOPE_TRY(renumber(slab, begin, 2 * begin));
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    const int128 kv_index = batch.kv_index(row);
    const int128 entry = batch.entry(row, static_cast<std::uint64_t>(kv_index / size));
    const int128 slot = entry * size + kv_index % size;
    if (!fits(slab.slot().type(), slot)) return impossible("no slot is so large");
    slab.set(slab.slot(), row, 0, slot);
  }
  return {};
}

Result<void> put(FaultSlab& slab) {
  return slab.random().one_in(2) ? write_token_slots(slab) : write_other_slots(slab);
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"slot", "seq_len", "block_table"};
}  // namespace

extern const Rule unit_confusion;
const Rule unit_confusion{
    .id = "unit-confusion",
    .severity = FindingSeverity::note,
    .fires_when =
        "slot-formula or block-range fires, and token slots in place of block ids, or "
        "another block size, explain it",
    .explanation =
        "Two sides disagree on the unit: blocks or tokens, or how many tokens a block has.",
    .params = params,
    .roles = roles,
    .attaches_to = block_and_slot,
    .check = check,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
