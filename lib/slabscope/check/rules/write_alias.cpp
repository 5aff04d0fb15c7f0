#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <optional>
#include <unordered_map>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& slot = *batch.find("slot");
  const bool shares = batch.shares_blocks();
  std::unordered_map<std::int64_t, std::uint64_t> writers;  // of live rows, by slot
  for (std::uint64_t row = 0; row < batch.padded_rows(); ++row) {
    const bool is_live = row < batch.live_rows();
    if (is_live && !batch.is_sound(row)) continue;
    const std::optional<int128> written = batch.written_slot(row);
    if (!written || (is_live && !shares && batch.writes_own_slot(row))) continue;
    const BlockUse* const victim =
        batch.holder(*written, is_live ? std::optional(batch.group(row)) : std::nullopt);
    if (victim == nullptr && is_live) {
      const auto [first, is_new] = writers.try_emplace(static_cast<std::int64_t>(*written), row);
      if (is_new || batch.group(first->second) == batch.group(row)) continue;
      report
          .element(row, slot, 0, "a slot of the row's own",
                   "row " + std::to_string(row) + " writes slot " + batch.slot_text(*written) +
                       ", and so does row " + std::to_string(first->second))
          .other_row = first->second;
    }
    if (victim == nullptr) continue;
    const std::uint64_t in_block = static_cast<std::uint64_t>(*written % batch.block_size());
    const std::string kv_index = std::to_string(victim->column * batch.block_size() + in_block);
    report
        .element(row, slot, 0, "a slot of the row's own",
                 (is_live ? "row " : "padding row ") + std::to_string(row) + " writes slot " +
                     batch.slot_text(*written) + ", which is KV index " + kv_index + " of row " +
                     std::to_string(victim->row))
        .other_row = victim->row;
  }
}

// Padding rows are what they should be, and point at a block that a live row owns. All other ways
// to the slot of another row break a rule before this one.
Result<void> plan(FaultPlan& plan) {
  SLABSCOPE_TRY(plan.choose_padding());
  const ParamDescription* const dummy = plan.description().find_param("dummy_block");
  if (dummy == nullptr) return {};
  if (!plan.may_set("dummy_block") || !dummy->default_value)
    return impossible(
        "padding rows write to the dummy block that is stated, and other rows cannot write to the "
        "slot of a row without sharing its block: see pad-row, slot-formula and block-alias");
  plan.unsaid = "dummy_block";  // nobody says that this block is not for rows
  return {};
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const std::span<const int128> pad = batch.pad(slab.slot());
  if (pad.empty() || pad[0] < 0 || batch.is_null(slab.slot(), pad[0]))
    return impossible("padding rows of this layout write nowhere");
  const int128 block = pad[0] / batch.block_size();
  if (block >= slab.num_blocks() || !batch.is_block(block))
    return impossible("padding rows write to block " + to_text(block) + ", which no row may use");
  if (batch.holder(pad[0]) != nullptr) return {};
  if (batch.uses().empty()) return impossible("no row uses a block");
  const BlockUse& use = batch.uses()[slab.random().between(0, batch.uses().size() - 1)];
  if (pad[0] % batch.block_size() >= use.tokens || !batch.uses_of(block).empty() ||
      !slab.renumber(use.block, static_cast<std::uint64_t>(block)))
    return impossible("no row has a token where padding rows write");
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"slot", "seq_len", "block_table"};
}  // namespace

extern const Rule write_alias;
const Rule write_alias{
    .id = "write-alias",
    .severity = FindingSeverity::error,
    .fires_when = "a row writes a slot inside the live KV of a row of another group",
    .explanation =
        "One request overwrites what another one reads. The answer of the victim drifts, the "
        "writer "
        "looks healthy.",
    .params = params,
    .roles = roles,
    .check = check,
    .by_group = true,
    .fault = {.plan = plan, .put = put}};

}  // namespace slabscope
