#include <slabscope/check/rule.h>

#include <algorithm>

namespace slabscope {

// A rule is a file in rules/ and a line here. Causes stand before what follows from them.
// clang-format off
#define SLABSCOPE_RULES(rule) \
  rule(region_fit) \
  rule(region_overlap) \
  rule(policy_ceiling) \
  rule(uniform_bytes) \
  rule(seq_len_range) \
  rule(table_coverage) \
  rule(kv_position) \
  rule(pad_row) \
  rule(dummy_in_use) \
  rule(block_range) \
  rule(int32_overflow) \
  rule(same_table) \
  rule(slot_range) \
  rule(slot_formula) \
  rule(block_alias) \
  rule(write_alias) \
  rule(tail_fill) \
  rule(gap_bytes) \
  rule(unit_confusion) \
  rule(dtype_width)
// clang-format on

#define SLABSCOPE_DECLARE(rule) extern const Rule rule;
SLABSCOPE_RULES(SLABSCOPE_DECLARE)

namespace {

#define SLABSCOPE_ADDRESS(rule) &rule,
constexpr const Rule* all[] = {SLABSCOPE_RULES(SLABSCOPE_ADDRESS)};

}  // namespace

std::span<const Rule* const> rules() noexcept { return all; }

const Rule* find_rule(std::string_view id) noexcept {
  const auto found = std::find_if(std::begin(all), std::end(all),
                                  [&](const Rule* each) { return each->id == id; });
  return found == std::end(all) ? nullptr : *found;
}

}  // namespace slabscope
