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
        "In this layout position is the KV index. Where they differ, one of the two was advanced "
        "and the other was not.",
    .roles = roles,
    .implies = implies,
    .check = check};

}  // namespace slabscope
