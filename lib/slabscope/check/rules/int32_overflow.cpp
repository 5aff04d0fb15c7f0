#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <optional>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const int128 stride = *batch.stated("kv_block_stride");
  const std::uint64_t bits = std::min<std::uint64_t>(*batch.stated("kv_index_bits"), 64);
  const int128 largest = (int128{1} << bits) - 1;
  // With a stride of 0 every index is 0.
  if (stride == 0) return;
  const int128 fits_first = largest / stride;
  const int128 fits_whole = (largest + 1) / stride - 1;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || batch.scan(row).most <= fits_whole) continue;
    std::optional<std::uint64_t> worst;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column) {
      const int128 entry = batch.entry(row, column);
      if (entry > fits_whole && !batch.is_null(*batch.table(), entry) &&
          (!worst || entry > batch.entry(row, *worst)))
        worst = column;
    }
    if (!worst) continue;
    const int128 entry = batch.entry(row, *worst);
    const bool is_error = entry > fits_first;
    Finding& found = report.element(
        row, *batch.table(), *worst, fits_whole < 0 ? "nothing" : "up to " + to_text(fits_whole),
        to_text(entry) + " * " + to_text(stride) +
            (is_error ? " does not fit " : " fits, but the block's last element does not fit ") +
            std::to_string(bits) + " bits; " +
            (fits_whole < 0 ? std::string("no block fits whole")
                            : "block " + to_text(fits_whole) + " is the largest that fits whole") +
            ", block " + to_text(fits_first) + " the largest whose first element fits");
    if (!is_error) found.severity = FindingSeverity::warning;
  }
}

constexpr std::string_view params[] = {"block_size", "kv_block_stride", "kv_index_bits"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
}  // namespace

extern const Rule int32_overflow;
const Rule int32_overflow{
    .id = "int32-overflow",
    .severity = FindingSeverity::error,
    .fires_when =
        "block * kv_block_stride of a used entry does not fit kv_index_bits (a warning when only "
        "the block's last element does not)",
    .explanation =
        "The kernel's product wraps and addresses another block. The pool has grown past what its "
        "index type can hold: widen the type, or keep the pool below the block named.",
    .params = params,
    .roles = roles,
    .check = check};

}  // namespace slabscope
