#include <slabscope/check/batch.h>

#include <algorithm>
#include <tuple>

namespace slabscope {

Result<Batch> Batch::of(const SlabView& view, const BatchSource& source) {
  Batch made(view, source);
  const Layout& layout = view.layout();
  made.table_ = made.find("block_table", 1);
  made.seq_len_ = made.find("seq_len");
  made.slot_ = made.find("slot");
  SLABSCOPE_TRY_ASSIGN(block_size, stated_block_size(layout));
  made.block_size_ = block_size;
  SLABSCOPE_TRY(check_index_bits(layout));
  made.dummy_block_ = made.stated("dummy_block");
  if (!source.groups.empty() && source.groups.size() != layout.live_rows)
    return fail(error(ErrorCode::row_count, "there is one group for each live row")
                    .with(std::to_string(source.groups.size()), std::to_string(layout.live_rows)));
  Scope scope(*layout.description, layout.row_count, layout.live_rows);
  for (std::size_t index = 0; index < layout.description->params.size(); ++index)
    if (const Assignment* const set =
            slabscope::find(layout.params, layout.description->params[index].name))
      scope.set(index, set->value);
  if (layout.description->rows_per_group) {
    const Result<std::uint64_t> count = scope.count(*layout.description->rows_per_group);
    // Without it rules that go by groups do not run; others do.
    if (!count && count.error().code != ErrorCode::param_missing) return fail(count.error());
    made.rows_per_group_ = std::max<std::uint64_t>(count.value_or(1), 1);
  }
  for (const ResolvedField& field : layout.fields) {
    std::vector<int128>& nulls = made.nulls_.emplace_back();
    for (const Expression& each : field.description->null) {
      SLABSCOPE_TRY_ASSIGN(value, scope.value(each));
      nulls.push_back(value);
    }
    std::vector<int128>& pad = made.pads_.emplace_back();
    const bool is_any = field.description->fill_is_any;
    if (field.description->pad.empty() && field.fill && !is_any) pad.push_back(*field.fill);
    for (const Expression& each : field.description->pad) {
      const Result<int128> value = scope.value(each);
      if (!value && value.error().code == ErrorCode::param_missing) {
        pad.clear();
        break;
      }
      if (!value) return fail(value.error());
      pad.push_back(*value);
    }
  }
  made.scan_table();
  return made;
}

bool Batch::is_null(const ResolvedField& field, int128 value) const {
  const auto& nulls = nulls_[index_of(field)];
  return std::find(nulls.begin(), nulls.end(), value) != nulls.end();
}

bool Batch::is_sound(std::uint64_t row) const noexcept { return value(*seq_len_, row) >= 1; }

std::uint64_t Batch::kv_index(std::uint64_t row) const noexcept {
  return static_cast<std::uint64_t>(value(*seq_len_, row)) - 1;
}

std::uint64_t Batch::used(std::uint64_t row) const noexcept {
  return kv_index(row) / *block_size_ + 1;
}

std::uint64_t Batch::present(std::uint64_t row) const noexcept {
  if (source_.lists == nullptr || row >= source_.lists->row_count) return table_->item_elements;
  return source_.lists->columns[index_of(*table_)].counts[0][row];
}

std::uint64_t Batch::used_present(std::uint64_t row) const noexcept {
  return std::min(used(row), present(row));
}

bool Batch::is_block(int128 entry) const {
  const bool is_dummy = dummy_block_ && entry == *dummy_block_;
  return entry >= 0 && !is_null(*table_, entry) && !is_dummy;
}

std::optional<int128> Batch::written_slot(std::uint64_t row) const {
  if (slot_ == nullptr) return std::nullopt;
  const int128 slot = value(*slot_, row);
  return slot < 0 || is_null(*slot_, slot) ? std::nullopt : std::optional(slot);
}

std::int64_t Batch::group(std::uint64_t row) const noexcept {
  return source_.groups.empty() ? static_cast<std::int64_t>(row / rows_per_group_)
                                : source_.groups[row];
}

void Batch::scan_table() {
  if (table_ == nullptr || seq_len_ == nullptr || !block_size_) return;
  std::vector<int128> nobodys = nulls_[index_of(*table_)];
  if (dummy_block_) nobodys.emplace_back(*dummy_block_);
  std::optional<int128> fill;
  if (!table_->description->fill_is_any && table_->fill) fill = *table_->fill;
  scan_.emplace(view_, *table_, std::move(nobodys), fill, live_rows());
  for (std::uint64_t row = 0; row < live_rows(); ++row)
    if (is_sound(row)) scan_->add(row, used_present(row), present(row));
  scan_->finish();
}

bool Batch::writes_own_slot(std::uint64_t row) const {
  const std::optional<int128> slot = written_slot(row);
  if (!slot || used(row) > present(row)) return false;
  const int128 block = entry(row, used(row) - 1);
  return is_block(block) && *slot == block * *block_size_ + kv_index(row) % *block_size_;
}

std::span<const BlockUse> Batch::uses() const {
  if (!uses_) uses_ = find_uses();
  return *uses_;
}

std::vector<BlockUse> Batch::find_uses() const {
  std::vector<BlockUse> uses;
  if (!scan_) return uses;
  for (std::uint64_t row = 0; row < live_rows(); ++row) {
    if (!is_sound(row)) continue;
    const std::optional<int128> slot = written_slot(row);
    for (std::uint64_t column = 0; column < used_present(row); ++column) {
      const int128 block = entry(row, column);
      if (!is_block(block)) continue;
      const std::uint64_t tokens =
          std::min(*block_size_, kv_index(row) + 1 - column * *block_size_);
      uses.push_back({static_cast<std::uint64_t>(block), row, column, tokens, group(row),
                      slot && *slot / *block_size_ == block, 0});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const BlockUse& left, const BlockUse& right) {
    return std::tuple(left.block, ~left.tokens, left.row, left.column) <
           std::tuple(right.block, ~right.tokens, right.row, right.column);
  });
  for (std::size_t first = 0; first < uses.size();) {
    std::size_t other = first;
    std::size_t end = first;
    for (; end < uses.size() && uses[end].block == uses[first].block; ++end)
      if (other == first && uses[end].group != uses[first].group) other = end;
    uses[first].to_other_group = other - first;
    first = end;
  }
  return uses;
}

std::span<const BlockUse> Batch::uses_of(int128 block) const {
  if (!scan_ || !scan_->uses(block)) return {};
  const std::span<const BlockUse> all = uses();
  const auto first = std::partition_point(
      all.begin(), all.end(), [&](const BlockUse& use) { return int128{use.block} < block; });
  const auto last = std::partition_point(
      first, all.end(), [&](const BlockUse& use) { return int128{use.block} <= block; });
  return {first, last};
}

const BlockUse* Batch::holder(int128 slot, std::optional<std::int64_t> but_not) const {
  if (slot < 0 || !block_size_) return nullptr;
  const BlockUse* const use = largest_use(slot / *block_size_, but_not);
  return use != nullptr && slot % *block_size_ < use->tokens ? use : nullptr;
}

const BlockUse* Batch::largest_use(int128 block, std::optional<std::int64_t> but_not) const {
  const std::span<const BlockUse> uses = uses_of(block);
  if (uses.empty()) return nullptr;
  const BlockUse& first = uses.front();
  if (first.group != but_not) return &first;
  return first.to_other_group == 0 ? nullptr : &uses[first.to_other_group];
}

}  // namespace slabscope
