#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <optional>
#include <utility>

namespace slabscope {
namespace {

// Of the uses of one block, two that must not be: they are of different groups, and not both of
// them only read the same full column.
std::optional<std::pair<BlockUse, BlockUse>> conflict(const Batch& batch,
                                                      std::span<const BlockUse> uses) {
  const BlockUse& first = uses.front();
  if (first.to_other_group == 0) return std::nullopt;
  const BlockUse& of_other_group = uses[first.to_other_group];
  const BlockUse* of_other_column = nullptr;
  for (const BlockUse& use : uses) {
    if (use.is_written || use.tokens != batch.block_size())
      return std::pair(use, use.group != first.group ? first : of_other_group);
    if (use.column != first.column && of_other_column == nullptr) of_other_column = &use;
  }
  if (of_other_column == nullptr) return std::nullopt;
  if (of_other_column->group != first.group) return std::pair(first, *of_other_column);
  return std::pair(of_other_group,
                   of_other_group.column != first.column ? first : *of_other_column);
}

void check(const Batch& batch, Reporter& report) {
  if (!batch.shares_blocks()) return;
  const std::span<const BlockUse> all = batch.uses();
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].block == all[begin].block) ++end;
    auto found = conflict(batch, all.subspan(begin, end - begin));
    const std::size_t count = end - begin;
    begin = end;
    if (!found) continue;
    auto [one, other] = *found;
    if (other.row > one.row) std::swap(one, other);
    const auto how = [&](const BlockUse& use) {
      return "row " + std::to_string(use.row) + " (column " + std::to_string(use.column) +
             (use.is_written                    ? ", which it writes"
              : use.tokens < batch.block_size() ? ", not full"
                                                : "") +
             ")";
    };
    std::string message =
        "block " + std::to_string(one.block) + " is used by " + how(other) + " and " + how(one);
    if (count > 2) message += ", " + counted(count, "use") + " in all";
    report
        .element(one.row, *batch.table(), one.column, "a block of the row's own",
                 std::move(message))
        .other_row = other.row;
  }
}

Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  SLABSCOPE_TRY_ASSIGN(rows, slab.two_rows());
  const auto [row, owner] = rows;
  const std::uint64_t column = slab.random().between(0, batch.used(row) - 1);
  const std::uint64_t taken = slab.random().between(0, batch.used(owner) - 1);
  const int128 block = batch.entry(owner, taken);
  const bool is_last = column + 1 == batch.used(row);
  // A full block in the same column may be a shared prefix.
  if (column == taken && !is_last && taken + 1 != batch.used(owner))
    return impossible("the rows that were drawn would share a prefix");
  slab.set(table, row, column, block);
  bool is_same = true;
  for (std::uint64_t each = 0; each < table.item_elements; ++each)
    is_same = is_same && batch.entry(row, each) == batch.entry(owner, each);
  if (is_same) return impossible("rows of one block each have one table when they share it");
  if (is_last && batch.find("slot") != nullptr && !slab.write_into(row, block))
    return impossible("no slot lies in so large a block");
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"write-alias", "tail-fill"};
}  // namespace

extern const Rule block_alias;
const Rule block_alias{
    .id = "block-alias",
    .severity = FindingSeverity::error,
    .fires_when =
        "two live rows of different groups use one block that is no shared prefix: in the same "
        "column, full in both, written by neither",
    .explanation =
        "The block was given out twice, or freed while a row still uses it. Rows of one sequence "
        "belong to one group: say so with --groups.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check,
    .by_group = true,
    .fault = {.least_rows = 2, .put = put}};

}  // namespace slabscope
