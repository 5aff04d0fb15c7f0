#include <slabscope/check/diff.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/check/roles.h>

#include <algorithm>
#include <cstring>

namespace slabscope {
namespace {

// The first byte at or behind `at` in which they differ, or their size. Slabs are mostly equal:
// large pieces are compared at once.
std::uint64_t next_difference(std::span<const std::byte> left, std::span<const std::byte> right,
                              std::uint64_t at) {
  constexpr std::uint64_t piece = 4096;
  while (at < left.size()) {
    const std::uint64_t count = std::min(piece, left.size() - at);
    if (std::memcmp(left.data() + at, right.data() + at, count) != 0) {
      while (left[at] == right[at]) ++at;
      return at;
    }
    at += count;
  }
  return left.size();
}

bool is_only_of_its_role(const Layout& layout, const ResolvedField& field) {
  return std::none_of(layout.fields.begin(), layout.fields.end(), [&](const ResolvedField& each) {
    return &each != &field && each.description->role == field.description->role;
  });
}

}  // namespace

Result<SlabDiff> SlabDiff::of(const Layout& layout, const DiffRules& rules) {
  SlabDiff made(layout, rules);
  const std::uint64_t uploaded = rules.uploaded_rows.value_or(layout.padded_rows);
  if (uploaded > layout.capacity)
    return fail(error(ErrorCode::padded_rows, "more padded rows than the slab has room for")
                    .with(std::to_string(uploaded), "up to " + std::to_string(layout.capacity)));
  made.rules_.uploaded_rows = uploaded;
  SLABSCOPE_TRY_ASSIGN(block_size, stated_block_size(layout));
  made.block_size_ = block_size;
  made.lookahead_tokens_ = stated_param(layout, "lookahead_tokens").value_or(0);
  const ResolvedField* const table = find_row_field(layout, "block_table", 1);
  const ResolvedField* const seq_len = find_row_field(layout, "seq_len", 0);
  if (table == nullptr || seq_len == nullptr || !is_only_of_its_role(layout, *table) ||
      !is_only_of_its_role(layout, *seq_len))
    return made;
  made.lacks_block_size_ = !block_size;
  if (!block_size) return made;
  made.table_ = table;
  made.seq_len_ = seq_len;
  return made;
}

void SlabDiff::compare(std::span<const std::byte> before, std::span<const std::byte> after,
                       const std::function<void(const Change&)>& take) const {
  const Slabs slabs{before, after, take};
  for (const Tile& tile : layout_.tiles) {
    if (!tile.is_gap())
      compare_field(layout_.fields[tile.field], slabs);
    else if (!rules_.ignore_gaps)
      compare_gap(tile, slabs);
  }
}

void SlabDiff::compare_gap(const Tile& tile, const Slabs& slabs) const {
  const auto before = slabs.before.subspan(tile.offset, tile.bytes);
  const auto after = slabs.after.subspan(tile.offset, tile.bytes);
  const Owner owner{nullptr, 0, 0, tile.offset, tile.bytes};
  for (std::uint64_t at = 0; (at = next_difference(before, after, at)) < tile.bytes;) {
    const std::uint64_t begin = at;
    while (at < tile.bytes && before[at] != after[at]) ++at;
    slabs.take({owner, tile.offset + begin, before.subspan(begin, at - begin),
                after.subspan(begin, at - begin), Stale::no});
  }
}

void SlabDiff::compare_field(const ResolvedField& field, const Slabs& slabs) const {
  const auto before = slabs.before.subspan(field.offset, field.bytes);
  const auto after = slabs.after.subspan(field.offset, field.bytes);
  const std::uint64_t width = field.element_bytes();
  for (std::uint64_t at = 0; (at = next_difference(before, after, at)) < field.bytes;) {
    const std::uint64_t number = at / width;
    const Owner owner = owner_at(field, number / field.item_elements, number % field.item_elements);
    at = (number + 1) * width;
    const Stale stale = staleness(owner, slabs);
    if (rules_.ignore_stale && stale != Stale::no) continue;
    slabs.take({owner, owner.offset, before.subspan(number * width, width),
                after.subspan(number * width, width), stale});
  }
}

Stale SlabDiff::staleness(const Owner& owner, const Slabs& slabs) const {
  if (owner.field->description->per_row && owner.item >= *rules_.uploaded_rows) return Stale::row;
  if (owner.field != table_) return Stale::no;
  const int128 used =
      std::max(used_entries(owner.item, slabs.before), used_entries(owner.item, slabs.after));
  return owner.element < used ? Stale::no : Stale::entry;
}

// Entries that a row's tokens take, and those reserved ahead of them.
int128 SlabDiff::used_entries(std::uint64_t row, std::span<const std::byte> slab) const {
  const int128 tokens = load_element(seq_len_->type(), slab.data() + seq_len_->item_offset(row));
  return tokens < 1 ? 0 : (tokens - 1 + lookahead_tokens_) / *block_size_ + 1;
}

std::string SlabDiff::value_text(const ResolvedField& field, int128 value) const {
  const std::string& role = field.description->role;
  if (role == "slot") return slot_text(value, block_size_);
  if (role != "block_table" || !block_size_ || value < 0) return to_text(value);
  return to_text(value) + " (slots " + to_text(value * *block_size_) + ".." +
         to_text(value * *block_size_ + (*block_size_ - 1)) + ")";
}

std::string SlabDiff::message(const Change& change) const {
  if (change.owner.is_gap()) return counted(change.before.size(), "byte") + " of a gap";
  const ResolvedField& field = *change.owner.field;
  std::string text = value_text(field, load_element(field.type(), change.before.data())) + " -> " +
                     value_text(field, load_element(field.type(), change.after.data()));
  if (change.stale == Stale::row) text += ", in a row that is not uploaded";
  if (change.stale == Stale::entry) text += ", past the entries in use";
  return text;
}

}  // namespace slabscope
