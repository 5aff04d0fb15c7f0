#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

namespace slabscope {
namespace {

// What stands where a kernel would read the entry, and what it would make of it.
std::string what_is_read(const Batch& batch, std::uint64_t row, std::uint64_t column) {
  const ResolvedField& table = *batch.table();
  const std::uint64_t bytes = column * table.element_bytes();
  std::string text = ": " + std::to_string(bytes) + " B from its table's start, ";
  const auto flat = checked_multiply(row, table.item_elements);
  const auto element = flat ? checked_add(*flat, column) : std::nullopt;
  if (!element || *element >= table.items * table.item_elements) {
    const auto offset = element ? checked_multiply(*element, table.element_bytes()) : std::nullopt;
    const auto at = offset ? checked_add(table.offset, *offset) : std::nullopt;
    const std::uint64_t size = batch.layout().size;
    if (!at) return text + "far past the slab's end";
    return text +
           (*at >= size ? std::to_string(*at - size) + " B past the slab's end" : "past the table");
  }
  const std::uint64_t other = *element / table.item_elements;
  const std::uint64_t entry = *element % table.item_elements;
  const int128 block = batch.entry(other, entry);
  const int128 slot = block * batch.block_size() + batch.kv_index(row) % batch.block_size();
  text += other == row ? "where no entry was given and the fill stands (block " + to_text(block)
                       : "where row " + std::to_string(other) + "'s entry " +
                             std::to_string(entry) + " (block " + to_text(block);
  text += ") stands -> slot " + to_text(slot);
  if (const BlockUse* const holder = batch.holder(slot))
    text += ", which is row " + std::to_string(holder->row) + "'s KV index " +
            to_text(int128{holder->column} * batch.block_size() + slot % batch.block_size());
  return text;
}

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row) || batch.used(row) <= batch.present(row)) continue;
    const std::uint64_t column = batch.used(row) - 1;
    Finding& found =
        report.slab("row " + std::to_string(row) + " needs column " + std::to_string(column) +
                    " of " + std::to_string(batch.present(row)) + what_is_read(batch, row, column));
    found.row = row;
    found.field = table.name();
    found.index = column;
    found.expected = counted(batch.used(row), "entry", "entries");
    found.value = counted(batch.present(row), "entry", "entries");
    found.offset = table.item_offset(row);
    found.bytes = table.item_bytes();
  }
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"kv-position", "slot-range", "write-alias"};
}  // namespace

extern const Rule table_coverage;
const Rule table_coverage{
    .id = "table-coverage",
    .severity = FindingSeverity::error,
    .fires_when = "a live row's KV index needs a column that its block table does not have",
    .explanation =
        "A kernel does not check: it reads on, into the table of the next row or past the slab, "
        "and "
        "takes what stands there for a block. Either seq_len is too large, or the table lacks a "
        "block.",
    .params = params,
    .roles = roles,
    .implies = implies,
    .check = check};

}  // namespace slabscope
