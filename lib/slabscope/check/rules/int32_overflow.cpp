#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const int128 stride = *batch.stated("kv_block_stride");
  const std::uint64_t bits = *batch.stated("kv_index_bits");
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

// Of blocks whose elements have indices up to `largest`.
struct Limits {
  int128 largest;
  int128 fits_whole;  // the last block that does, below 0 if none
};
Limits limits(std::uint64_t bits, int128 stride) {
  const int128 largest = (int128{1} << bits) - 1;
  return {largest, (largest + 1) / stride - 1};
}

constexpr int128 most_stride = ~std::uint64_t{0};

// The first block that does not fit is one of the pool.
Result<void> choose_stride(FaultPlan& plan, std::uint64_t bits, std::uint64_t blocks) {
  PseudoRandom& random = plan.random();
  const int128 largest = limits(bits, 1).largest;
  const std::uint64_t last = blocks - 1;
  const std::uint64_t block = last == 0 || random.one_in(2) ? last : random.between(1, last);
  // The block's first element does not fit, or only its last one does not.
  const int128 least = block == 0 ? largest + 2 : largest / block + 1;
  int128 stride = least - 1;
  if (stride == 0 || limits(bits, stride).fits_whole >= last || random.one_in(2)) stride = least;
  const int128 many = stride * random.between(2, 64);
  if (many <= most_stride && random.one_in(4)) stride = many;
  if (stride > most_stride || !plan.set("kv_block_stride", static_cast<std::uint64_t>(stride)))
    return impossible("with kv_index_bits " + std::to_string(bits) +
                      " no stride is too large for " + counted(blocks, "block"));
  return {};
}

Result<void> plan(FaultPlan& plan) {
  const auto blocks = plan.value("num_blocks");
  auto bits = plan.value("kv_index_bits");
  const auto stride = plan.value("kv_block_stride");
  if (!blocks || *blocks == 0) return impossible("the pool has no blocks");
  if (bits && !is_index_width(*bits))
    return impossible("kv_index_bits is " + std::to_string(*bits) + ", none of " +
                      std::string(index_widths));
  constexpr std::uint64_t usual[] = {31, 32, 63};
  const std::size_t first = plan.random().between(0, std::size(usual) - 1);
  for (std::size_t index = 0; index < std::size(usual) && !bits; ++index) {
    const std::uint64_t each = usual[(first + index) % std::size(usual)];
    if (stride && *stride != 0 && limits(each, *stride).fits_whole >= int128{*blocks} - 1) continue;
    if (plan.set("kv_index_bits", each)) bits = each;
  }
  if (bits && (!stride || plan.may_set("kv_block_stride")))
    return choose_stride(plan, *bits, *blocks);
  if (bits && stride && *stride != 0 && limits(*bits, *stride).fits_whole < int128{*blocks} - 1)
    return {};
  return impossible("the indices of all " + counted(*blocks, "block") +
                    " fit with kv_block_stride " + std::to_string(stride.value_or(0)));
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const int128 fits_whole =
      limits(*batch.stated("kv_index_bits"), *batch.stated("kv_block_stride")).fits_whole;
  for (const BlockUse& use : batch.uses())
    if (use.block > fits_whole) return {};
  const std::uint64_t row = slab.a_row();
  const std::uint64_t column = slab.random().between(0, batch.used(row) - 1);
  const auto block =
      slab.free_block(static_cast<std::uint64_t>(std::max<int128>(fits_whole + 1, 0)));
  if (!block) return impossible("all blocks above " + to_text(fits_whole) + " are in use");
  slab.set(*batch.table(), row, column, *block);
  if (column + 1 == batch.used(row) && batch.find("slot") != nullptr &&
      !slab.write_into(row, *block))
    return impossible("no slot can lie in block " + std::to_string(*block));
  return {};
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
    .check = check,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
