#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <iterator>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& slot = *batch.find("slot");
  const int128 slots = int128{*batch.stated("num_blocks")} * *batch.stated("block_size");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (batch.find("seq_len") != nullptr && !batch.is_sound(row)) continue;
    const int128 value = batch.value(slot, row);
    if (batch.is_null(slot, value) || (value >= 0 && value < slots)) continue;
    report.element(row, slot, 0, slots == 0 ? "nothing" : "0.." + to_text(slots - 1),
                   value < 0 ? "a slot in front of the pool" : "a slot behind the pool's last one");
  }
}

Result<void> put(FaultSlab& slab) {
  const ResolvedField& slot = slab.slot();
  const int128 slots = int128{slab.num_blocks()} * slab.batch().block_size();
  const int128 far = slab.distance(1U << 30U);
  const int128 candidates[] = {slots, slots - 1 + far, -1 - far, maximum(slot.type()),
                               minimum(slot.type())};
  const std::size_t first = slab.random().between(0, std::size(candidates) - 1);
  for (std::size_t index = 0; index < std::size(candidates); ++index) {
    const int128 value = candidates[(first + index) % std::size(candidates)];
    if ((value >= 0 && value < slots) || !fits(slot.type(), value) ||
        slab.batch().is_null(slot, value))
      continue;
    slab.set(slot, slab.a_row(), 0, value);
    return {};
  }
  return impossible("the slot's type holds none outside of the pool");
}

constexpr std::string_view params[] = {"block_size", "num_blocks"};
constexpr std::string_view roles[] = {"slot"};
// A slot that a block of the pool gives is in the pool.
constexpr std::string_view implies[] = {"slot-formula"};
}  // namespace

extern const Rule slot_range;
const Rule slot_range{
    .id = "slot-range",
    .severity = FindingSeverity::error,
    .fires_when = "slot of a live row is outside [0, num_blocks * block_size) and not null",
    .explanation = "The kernel writes outside the pool, over whatever was allocated there.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check,
    .fault = {.put = put}};

}  // namespace slabscope
