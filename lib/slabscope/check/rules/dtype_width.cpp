#include <slabscope/check/rule.h>

#include <optional>

namespace slabscope {
namespace {

// Does a row hold when its table is read as 64-bit ids, in the same bytes? Unknown where they do
// not all lie in the field.
std::optional<bool> holds_wide(const Batch& batch, std::uint64_t row) {
  const ResolvedField& table = *batch.table();
  const auto blocks = batch.stated("num_blocks");
  const std::uint64_t first = row * table.item_elements;
  if (batch.used(row) > table.item_elements || (first + batch.used(row)) * 8 > table.bytes)
    return std::nullopt;
  int128 block = 0;
  for (std::uint64_t column = 0; column < batch.used(row); ++column) {
    block = load_element(ElementType::i64,
                         batch.view().bytes().data() + table.offset + (first + column) * 8);
    if (block < 0 || (blocks && block >= *blocks)) return false;
  }
  const std::optional<int128> written = batch.written_slot(row);
  return !written ||
         *written == block * batch.block_size() + batch.kv_index(row) % batch.block_size();
}

void check(const Batch& batch, Reporter& report) {
  if (batch.table()->element_bytes() != 4) return;
  constexpr std::uint64_t least_used = 8;
  const std::uint64_t row_words = batch.table()->item_elements;
  std::uint64_t used = 0;
  std::uint64_t verified = 0;
  for (std::uint64_t row = 0; row < batch.live_rows(); ++row) {
    if (!batch.is_sound(row)) continue;
    for (std::uint64_t column = 0; column < batch.used_present(row); ++column, ++used) {
      const int128 entry = batch.entry(row, column);
      const bool is_odd = (row * row_words + column) % 2 != 0;
      if (is_odd && entry != 0 && entry != -1 && entry != 0xFFFFFFFF) return;
    }
    const std::optional<bool> holds = holds_wide(batch, row);
    if (holds == false) return;
    verified += holds ? 1U : 0U;
  }
  if (used < least_used || verified == 0) return;
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
