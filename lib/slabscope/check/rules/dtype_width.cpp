#include <slabscope/check/rule.h>

#include <optional>

namespace slabscope {
namespace {

// The table read as 64-bit ids, back to back, in the same bytes.
int128 wide_entry(const Batch& batch, std::uint64_t index) {
  const ResolvedField& table = *batch.table();
  return load_element(ElementType::i64, batch.view().bytes().data() + table.offset + index * 8);
}

void check(const Batch& batch, Reporter& report) {
  const ResolvedField& table = *batch.table();
  const ResolvedField* const slot = batch.find("slot");
  if (table.element_bytes() != 4) return;
  constexpr std::uint64_t least_used = 8;
  const std::uint64_t words = table.bytes / 4;
  const std::uint64_t row_words = table.item_elements;
  const auto blocks = batch.stated("num_blocks");
  std::uint64_t used = 0;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column, ++used) {
      const int128 entry = batch.entry(row, column);
      const bool is_odd = (row * row_words + column) % 2 != 0;
      if (is_odd && entry != 0 && entry != -1 && entry != 0xFFFFFFFF) return;
    }
    // The rows whose 64-bit tables still lie in the field.
    const std::uint64_t column = batch.kv_index(row) / batch.block_size();
    if (column >= row_words || (row * row_words + column) * 2 + 1 >= words) continue;
    const int128 block = wide_entry(batch, row * row_words + column);
    if (blocks && (block < 0 || block >= *blocks)) return;
    const std::optional<int128> written = batch.written_slot(row);
    const int128 due = block * batch.block_size() + batch.kv_index(row) % batch.block_size();
    if (slot != nullptr && written && *written != due) return;
  }
  if (used < least_used) return;
  report.slab(
      "every other 32-bit word of the used entries is 0 or -1, and read as 64-bit ids they "
      "hold: the table was written 64 bits wide");
}

constexpr std::string_view params[] = {"block_size"};
constexpr std::string_view roles[] = {"seq_len", "block_table"};
}  // namespace

extern const Rule dtype_width;
const Rule dtype_width{
    .id = "dtype-width",
    .severity = FindingSeverity::note,
    .fires_when =
        "slot-formula or block-range fires, and the table holds when it is read as 64-bit ids",
    .explanation =
        "The framework's tensor is int64 and was copied without a conversion: half of every table "
        "holds the upper words of ids.",
    .params = params,
    .roles = roles,
    .attaches_to = block_and_slot,
    .check = check};

}  // namespace slabscope
