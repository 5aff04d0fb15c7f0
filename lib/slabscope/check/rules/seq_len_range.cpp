#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& seq_len = *batch.find("seq_len");
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row)
    if (!batch.is_sound(row))
      report.element(row, seq_len, 0, "1 or more",
                     "a live row has at least the token that it writes, so seq_len is 1 or more");
}

Result<void> put(FaultSlab& slab) {
  const ResolvedField& seq_len = *slab.batch().find("seq_len");
  const int128 below = int128{slab.distance(1U << 20U)} * -1;
  const int128 candidates[] = {0, below, minimum(seq_len.type())};
  const auto value = slab.pick(seq_len, candidates, 1);
  if (!value) return impossible("no seq_len below 1 fits the field");
  slab.set(seq_len, slab.a_row(), 0, *value);
  return {};
}

constexpr std::string_view roles[] = {"seq_len"};
}  // namespace

extern const Rule seq_len_range;
const Rule seq_len_range{.id = "seq-len-range",
                         .severity = FindingSeverity::error,
                         .fires_when = "seq_len of a live row is below 1",
                         .explanation =
                             "The KV index of a row is seq_len - 1: with 0 the kernel reads in "
                             "front of its table. Often "
                             "the row is not live at all and --live is too large.",
                         .roles = roles,
                         .check = check,
                         .fault = {.put = put}};

}  // namespace slabscope
