#include <slabscope/check/table_scan.h>

#include <algorithm>
#include <limits>

namespace slabscope {
namespace {

template <class T>
T entry_at(const std::byte* row, std::uint64_t column) noexcept {
  return load_little_endian<T>(row + column * sizeof(T));
}

template <class T>
RowScan scan(const std::byte* row, std::uint64_t used, std::uint64_t present,
             std::span<const int128> nobodys, std::optional<int128> fill) {
  RowScan made;
  T least = std::numeric_limits<T>::max();
  T most = std::numeric_limits<T>::min();
  for (std::uint64_t column = 0; column < used; ++column) {
    const T entry = entry_at<T>(row, column);
    least = std::min(least, entry);
    most = std::max(most, entry);
  }
  if (used != 0) {
    // An i8 is a number here, not a character.
    made.least = least;  // NOLINT(bugprone-signed-char-misuse)
    made.most = most;    // NOLINT(bugprone-signed-char-misuse)
  }
  for (const int128 each : nobodys) {
    if (each < made.least || each > made.most) continue;
    const T value = static_cast<T>(each);
    for (std::uint64_t column = 0; column < used && !made.has_nobodys; ++column)
      made.has_nobodys = entry_at<T>(row, column) == value;
  }
  made.tail = present;
  if (fill) {
    const T value = static_cast<T>(*fill);
    while (made.tail != 0 && entry_at<T>(row, made.tail - 1) == value) --made.tail;
  }
  return made;
}

// Calls `take(block)` with each used block of a row that is somebody's.
template <class T, class Take>
void for_each_block(const std::byte* row, std::uint64_t used, std::span<const int128> nobodys,
                    Take&& take) {
  for (std::uint64_t column = 0; column < used; ++column) {
    const T entry = entry_at<T>(row, column);
    if constexpr (std::numeric_limits<T>::is_signed)
      if (entry < 0) continue;
    if (std::find(nobodys.begin(), nobodys.end(), int128{entry}) != nobodys.end()) continue;
    take(static_cast<std::uint64_t>(entry));
  }
}

}  // namespace

void TableScan::add(std::uint64_t row, std::uint64_t used, std::uint64_t present) {
  const std::byte* const bytes = view_.item(*table_, row).data();
  rows_[row] = {visit_type(table_->type(),
                           [&](auto zero) {
                             return scan<decltype(zero)>(bytes, used, present, nobodys_, fill_);
                           }),
                used};
  used_ += used;
  most_ = std::max(most_, rows_[row].scan.most);
}

template <class Take>
void TableScan::for_each_used(Take&& take) const {
  for (std::uint64_t row = 0; row < rows_.size(); ++row) {
    const Row& each = rows_[row];
    if (each.used == 0) continue;
    const std::span<const int128> nobodys =
        each.scan.has_nobodys ? std::span<const int128>(nobodys_) : std::span<const int128>();
    const std::byte* const bytes = view_.item(*table_, row).data();
    visit_type(table_->type(),
               [&](auto zero) { for_each_block<decltype(zero)>(bytes, each.used, nobodys, take); });
  }
}

void TableScan::finish() {
  // A bit for each block of the pool, as long as that is not much more than the entries.
  constexpr std::uint64_t least_bits = std::uint64_t{1} << 20;
  if (most_ < 0) return;
  if (static_cast<uint128>(most_) < std::max<uint128>(least_bits, uint128{used_} * 64)) {
    seen_.assign(static_cast<std::size_t>(most_ / 64 + 1), 0);
    std::uint64_t twice = 0;
    for_each_used([&](std::uint64_t block) {
      std::uint64_t& word = seen_[block / 64];
      twice |= word >> (block % 64) & 1U;
      word |= std::uint64_t{1} << (block % 64);
    });
    shares_ = twice != 0;
  } else {
    blocks_.reserve(used_);
    for_each_used([&](std::uint64_t block) { blocks_.push_back(block); });
    std::sort(blocks_.begin(), blocks_.end());
    shares_ = std::adjacent_find(blocks_.begin(), blocks_.end()) != blocks_.end();
  }
}

bool TableScan::uses(int128 block) const noexcept {
  if (block < 0 || block > most_) return false;
  const auto index = static_cast<std::uint64_t>(block);
  if (seen_.empty()) return std::binary_search(blocks_.begin(), blocks_.end(), index);
  return (seen_[index / 64] >> (index % 64) & 1U) != 0;
}

std::uint64_t first_unlike(const SlabView& view, const ResolvedField& field, std::uint64_t item,
                           std::span<const int128> pad) {
  const std::byte* const bytes = view.item(field, item).data();
  return visit_type(field.type(), [&](auto zero) {
    using T = decltype(zero);
    std::uint64_t index = 0;
    for (; index < field.item_elements && index + 1 < pad.size(); ++index)
      if (int128{entry_at<T>(bytes, index)} != pad[index]) return index;
    if (index == field.item_elements) return index;
    if (!fits(field.type(), pad.back())) return index;
    const T value = static_cast<T>(pad.back());
    // In steps that the compiler makes wide comparisons of.
    constexpr std::uint64_t step = 64;
    for (; index + step <= field.item_elements; index += step) {
      T differing = 0;
      for (std::uint64_t each = 0; each < step; ++each)
        differing = static_cast<T>(differing | (entry_at<T>(bytes, index + each) ^ value));
      if (differing != 0) break;
    }
    while (index < field.item_elements && entry_at<T>(bytes, index) == value) ++index;
    return index;
  });
}

}  // namespace slabscope
