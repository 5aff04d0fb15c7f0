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
                         .check = check};

}  // namespace slabscope
