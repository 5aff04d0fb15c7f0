#include <slabscope/check/rule.h>

#include <algorithm>
#include <array>

namespace slabscope {

// A rule is a file in rules/ and a name in each of these two lists.
extern const Rule uniform_bytes, region_fit, policy_ceiling, seq_len_range, table_coverage,
    kv_position, pad_row, dummy_in_use, block_range, int32_overflow, same_table, slot_formula,
    block_alias, slot_range, write_alias, tail_fill, gap_bytes, unit_confusion, dtype_width;

namespace {

// Causes before what follows from them.
constexpr std::array<const Rule*, 19> all = {
    &uniform_bytes, &region_fit,   &policy_ceiling, &seq_len_range, &table_coverage,
    &kv_position,   &pad_row,      &dummy_in_use,   &block_range,   &int32_overflow,
    &same_table,    &slot_formula, &block_alias,    &slot_range,    &write_alias,
    &tail_fill,     &gap_bytes,    &unit_confusion, &dtype_width};

}  // namespace

std::span<const Rule* const> rules() noexcept { return all; }

const Rule* find_rule(std::string_view id) noexcept {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Rule* each) { return each->id == id; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace slabscope
