#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& position = *batch.find("kv_position");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || batch.value(position, row) == batch.kv_index(row)) continue;
    const std::string kv_index = std::to_string(batch.kv_index(row));
    report.element(row, position, 0, kv_index,
                   "seq_len " + std::to_string(batch.kv_index(row) + 1) + " means that KV index " +
                       kv_index + " is written, and position must be that index");
  }
}

// One of the two was advanced and the other was not.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& position = *batch.find("kv_position");
  const std::uint64_t row = slab.a_row();
  const std::uint64_t kv_index = batch.kv_index(row);
  const ResolvedField* const table = batch.table();
  if (table != nullptr && slab.random().one_in(3)) {
    const std::uint64_t tokens = batch.used(row) * batch.block_size();
    const std::uint64_t other = slab.random().between(0, tokens - 1);
    if (other != kv_index && slab.set_kv_index(row, other, false)) return {};
  }
  const int128 far = slab.distance(1U << 20U);
  const int128 candidates[] = {kv_index + far, kv_index - far, maximum(position.type())};
  const auto value = slab.pick(position, candidates, kv_index);
  if (!value) return impossible("no other position fits the field");
  slab.set(position, row, 0, *value);
  return {};
}

constexpr std::string_view roles[] = {"kv_position", "seq_len"};
constexpr std::string_view implies[] = {"slot-range", "slot-formula", "block-alias", "write-alias",
                                        "tail-fill"};
}  // namespace

extern const Rule kv_position;
const Rule kv_position{
    .id = "kv-position",
    .severity = FindingSeverity::error,
    .fires_when =
        "a field of role kv_position differs from the KV index (seq_len - 1) of a live row",
    .explanation =
        "In a layout whose field has this role, as the built-in decode, the position is the KV "
        "index. "
        "Where they differ, one of the two was advanced and the other was not. A field of role "
        "position, as in mtp and mtp_batch, is only what rotary embedding uses, and may be any.",
    .roles = roles,
    .implies = implies,
    .check = check,
    .fault = {.put = put}};

}  // namespace slabscope
