#include <slabscope/check/rule.h>

#include <algorithm>
#include <optional>

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
    .check = check};

}  // namespace slabscope
