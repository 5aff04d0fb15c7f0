#include <slabscope/slab/residue.h>

#include <slabscope/slab/walk.h>

#include <algorithm>
#include <cstring>

namespace slabscope {
namespace {

// Walks a slab beside what packing would write.
class ResidueFinder {
 public:
  using Take = std::function<void(std::uint64_t, std::span<const std::byte>)>;
  ResidueFinder(std::span<const std::byte> slab, const Take& take) : slab_(slab), take_(take) {}

  void begin_field(std::size_t) {}
  void begin_list(std::uint64_t) {}
  void given(const ResolvedField& field, std::uint64_t count) {
    if (count == 0) return;
    here_ += count * field.element_bytes();
    end_run();
  }
  void repeat(const ResolvedField& field, int128 value, std::uint64_t count) {
    std::byte pattern[8];
    const std::size_t width = field.element_bytes();
    for (std::size_t at = 0; at < sizeof pattern; at += width)
      store_element(field.type(), pattern + at, value);
    compare(load_little_endian<std::uint64_t>(pattern), count * width);
  }
  void zeros(std::uint64_t bytes) { compare(0, bytes); }
  void end_run() {
    if (run_bytes_ != 0) take_(run_begin_, slab_.subspan(run_begin_, run_bytes_));
    run_bytes_ = 0;
  }

 private:
  // The next bytes beside `pattern`, which repeats; a word at a time where nothing differs.
  void compare(std::uint64_t pattern, std::uint64_t bytes) {
    constexpr std::uint64_t word = sizeof pattern;
    const std::byte* const end = slab_.data() + here_ + bytes / word * word;
    for (const std::byte* from = slab_.data() + here_; from != end; from += word) {
      if (load_little_endian<std::uint64_t>(from) == pattern) {
        if (run_bytes_ != 0) end_run();
        continue;
      }
      here_ = static_cast<std::uint64_t>(from - slab_.data());
      compare_bytes(pattern, word);
    }
    here_ = static_cast<std::uint64_t>(end - slab_.data());
    compare_bytes(pattern, bytes % word);
  }
  void compare_bytes(std::uint64_t pattern, std::uint64_t bytes) {
    for (; bytes != 0; --bytes, ++here_, pattern >>= 8U) {
      if (slab_[here_] == static_cast<std::byte>(pattern)) {
        end_run();
      } else {
        if (run_bytes_ == 0) run_begin_ = here_;
        ++run_bytes_;
      }
    }
  }

  std::span<const std::byte> slab_;
  const Take& take_;
  std::uint64_t here_ = 0;
  std::uint64_t run_begin_ = 0;
  std::uint64_t run_bytes_ = 0;
};

}  // namespace

void find_residue(const Layout& layout, std::span<const std::byte> slab,
                  const std::function<void(std::uint64_t, std::span<const std::byte>)>& take) {
  // Rows read from a slab give every element.
  std::vector<std::vector<ListCountsView>> counts(layout.fields.size());
  std::vector<ColumnView> columns(layout.fields.size());
  for (std::size_t index = 0; index < columns.size(); ++index) {
    for (const std::uint64_t dimension : layout.fields[index].item_shape())
      counts[index].push_back({dimension, {}});
    if (counts[index].empty()) counts[index].push_back({1, {}});
    columns[index].counts = counts[index];
  }
  ResidueFinder finder(slab, take);
  walk_slab(layout, RowsView{layout.row_count, columns}, finder);
  finder.end_run();
}

void lay_over(const Residue& residue, std::uint64_t offset, std::span<std::byte> window) {
  const std::uint64_t end = offset + window.size();
  // The first run that ends behind the window's start; runs are in order and do not overlap.
  auto run = std::partition_point(
      residue.runs.begin(), residue.runs.end(),
      [&](const ResidueRun& each) { return each.offset + each.bytes <= offset; });
  for (; run != residue.runs.end() && run->offset < end; ++run) {
    const std::uint64_t from = std::max(run->offset, offset);
    const std::uint64_t to = std::min(run->offset + run->bytes, end);
    std::memcpy(window.data() + (from - offset),
                residue.bytes.data() + run->stored_at + (from - run->offset), (to - from));
  }
}

}  // namespace slabscope
