#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/owner.h>

#include <algorithm>

namespace slabscope {
namespace {

// Where a kernel reads the entry of a column: the table's rows follow each other.
int128 place_of(const ResolvedField& table, std::uint64_t row, std::uint64_t column) {
  return table.offset +
         (int128{row} * table.item_elements + column) * int128{table.element_bytes()};
}

// What stands there outside the table.
std::string what_stands_at(const Layout& layout, int128 place) {
  const auto owner = place < layout.size ? owner_of(layout, static_cast<std::uint64_t>(place))
                                         : std::optional<Owner>();
  if (!owner) return to_text(place - layout.size) + " B past the slab's end";
  return owner->is_gap() ? "in a gap" : "in the field " + owner->field->name();
}

// What a kernel would read, and what it would make of it.
std::string what_is_read(const Batch& batch, std::uint64_t row, std::uint64_t column) {
  const ResolvedField& table = *batch.table();
  const std::string where =
      ": " + to_text(int128{column} * table.element_bytes()) + " B from its table's start, ";
  const int128 element = int128{row} * table.item_elements + column;
  if (element >= int128{table.items} * table.item_elements)
    return where + what_stands_at(batch.layout(), place_of(table, row, column));
  const auto other = static_cast<std::uint64_t>(element / table.item_elements);
  const auto entry = static_cast<std::uint64_t>(element % table.item_elements);
  const int128 block = batch.entry(other, entry);
  const int128 slot = block * batch.block_size() + batch.kv_index(row) % batch.block_size();
  std::string text = where + (other == row ? "where no entry was given and the fill stands"
                                           : "where row " + std::to_string(other) + "'s entry " +
                                                 std::to_string(entry));
  text +=
      " (block " + to_text(block) + (other == row ? ")" : ") stands") + " -> slot " + to_text(slot);
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
    const int128 place = place_of(table, row, column);
    if (place >= batch.layout().size) continue;
    found.offset = static_cast<std::uint64_t>(place);
    found.bytes = std::min(table.element_bytes(), batch.layout().size - *found.offset);
  }
}

// A list that ends too early, or a last token in a column that the list or the table does not have.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  const ResolvedField& table = *batch.table();
  PseudoRandom& random = slab.random();
  const std::uint64_t row = slab.a_row();
  const std::uint64_t size = batch.block_size();
  if (random.one_in(3)) {
    if (!slab.set_table_length(row, random.between(0, batch.used(row) - 1)))
      return impossible("a shorter table ends in its fill, and a parameter of that is unset");
    return {};
  }
  const std::uint64_t columns = random.one_in(2) ? batch.present(row) : table.item_elements;
  const std::uint64_t further = slab.distance(64) - 1;  // columns
  const int128 kv_index = (int128{columns} + further) * size + random.between(0, size - 1);
  if (kv_index >= maximum(batch.find("seq_len")->type()) ||
      !slab.set_kv_index(row, static_cast<std::uint64_t>(kv_index), random.one_in(2)))
    return impossible("seq_len cannot say that a row is longer than its table");
  const int128 element = int128{row} * table.item_elements + kv_index / size;
  if (batch.find("slot") == nullptr || element >= int128{table.items} * table.item_elements ||
      random.one_in(2))
    return {};
  // What a kernel makes of the entry that it reads there.
  const auto other = static_cast<std::uint64_t>(element / table.item_elements);
  const auto entry = static_cast<std::uint64_t>(element % table.item_elements);
  (void)slab.write_into(row, batch.entry(other, entry));
  return {};
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"block_table", "seq_len"};
constexpr std::string_view implies[] = {"kv-position", "slot-range", "block-alias", "write-alias"};
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
    .check = check,
    .fault = {.put = put}};

}  // namespace slabscope
