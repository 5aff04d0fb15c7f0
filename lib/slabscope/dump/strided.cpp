#include <slabscope/dump/strided.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace slabscope {
namespace {

// Elements that lie apart are read one by one: a page of the file serves many of them. In a sweep
// over the inner dimensions every element has a page of its own, which the next sweep reads on in.
class PagedReader {
 public:
  // `is_held`: the bytes are in memory.
  PagedReader(std::shared_ptr<RandomAccess> from, bool is_held, std::uint64_t sweep)
      : from_(std::move(from)),
        is_held_(is_held),
        page_count_(std::min(sweep, all_bytes / least_page_bytes)),
        page_bytes_(std::bit_floor(std::min(all_bytes / page_count_, most_page_bytes))) {}

  // The bytes of the element with this number in C order, or part of them.
  Result<void> read(std::uint64_t element, std::uint64_t offset, std::span<std::byte> into) {
    if (is_held_ || into.size() >= page_bytes_)
      return read_exactly_at(*from_, offset, into, "an element");
    while (!into.empty()) {
      SLABSCOPE_TRY_ASSIGN(rest, page_from(element % page_count_, offset));
      const std::size_t count = std::min(rest.size(), into.size());
      std::copy_n(rest.begin(), count, into.begin());
      into = into.subspan(count);
      offset += count;
    }
    return {};
  }

 private:
  static constexpr std::uint64_t all_bytes = std::uint64_t{8} << 20;  // of all pages
  static constexpr std::uint64_t least_page_bytes = 64;
  static constexpr std::uint64_t most_page_bytes = 4096;
  static constexpr std::uint64_t no_page = ~std::uint64_t{0};
  struct Page {
    std::uint64_t number = no_page;
    std::size_t held = 0;  // of its bytes: the last page of a file is shorter
  };

  // What the page in a place holds from a byte on.
  Result<std::span<const std::byte>> page_from(std::uint64_t place, std::uint64_t offset) {
    if (pages_.empty()) {
      pages_.resize(page_count_);
      bytes_.resize_uninitialised(page_count_ * page_bytes_);
    }
    const std::uint64_t number = offset / page_bytes_;
    const std::uint64_t within = offset % page_bytes_;
    Page& page = pages_[place];
    const std::span<std::byte> bytes = bytes_.bytes().subspan(place * page_bytes_, page_bytes_);
    if (page.number != number) SLABSCOPE_TRY(fill(page, bytes, number, within));
    if (within < page.held)
      return std::span<const std::byte>(bytes).first(page.held).subspan(within);
    return fail(ErrorCode::bad_container, "the bytes end before the region does");
  }

  // What is wrong behind the byte that is asked for is met when it is asked for itself.
  Result<void> fill(Page& page, std::span<std::byte> bytes, std::uint64_t number,
                    std::uint64_t within) {
    page.number = no_page;
    page.held = 0;
    while (page.held < page_bytes_) {
      const auto count = from_->read_at(number * page_bytes_ + page.held, bytes.subspan(page.held));
      if (!count && page.held > within) return {};
      if (!count) return fail(count.error());
      if (*count == 0) break;
      page.held += *count;
    }
    page.number = number;
    return {};
  }

  std::shared_ptr<RandomAccess> from_;
  bool is_held_;
  std::uint64_t page_count_;
  std::uint64_t page_bytes_;
  std::vector<Page> pages_;
  Buffer bytes_;
};

// What of compressed bytes a view reaches over, read once from front to back as far as it is asked
// for, and held.
class HeldSpan final : public RandomAccess {
 public:
  HeldSpan(std::shared_ptr<RandomAccess> from, std::uint64_t begin, std::uint64_t bytes,
           std::uint64_t max_held)
      : from_(std::move(from)), begin_(begin), bytes_(bytes), max_held_(max_held) {}

  std::uint64_t size() const override { return bytes_; }
  // What is wrong behind the byte that is asked for is met when it is asked for itself.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (offset >= bytes_) return 0;
    if (bytes_ > max_held_)
      return fail(
          error(ErrorCode::limit_exceeded,
                "the elements lie in compressed bytes in another order than they are read "
                "in, and are too many to be held: decompress the file first")
              .with(std::to_string(bytes_) + " B", "up to " + std::to_string(max_held_) + " B"));
    const std::uint64_t end = offset + std::min<std::uint64_t>(into.size(), bytes_ - offset);
    while (held_.size() < end) {
      const auto count = read_on();
      if (!count && held_.size() <= offset) return fail(count.error());
      if (count.value_or(0) == 0) break;
    }
    if (held_.size() <= offset)
      return fail(ErrorCode::bad_container, "the bytes end before the region does");
    return MemoryAccess(std::as_const(held_).bytes()).read_at(offset, into);
  }

 private:
  static constexpr std::uint64_t step = std::uint64_t{1} << 20;

  Result<std::size_t> read_on() {
    const std::size_t before = held_.size();
    const auto most = static_cast<std::size_t>(std::min(step, bytes_ - before));
    std::byte* const room = held_.extend(most);
    auto count = from_->read_at(begin_ + before, std::span(room, most));
    held_.resize_uninitialised(before + count.value_or(0));
    return count;
  }

  std::shared_ptr<RandomAccess> from_;
  std::uint64_t begin_;
  std::uint64_t bytes_;
  std::uint64_t max_held_;
  Buffer held_;
};

struct Dimension {
  std::uint64_t count;
  std::uint64_t stride;
};

class StridedAccess final : public RandomAccess {
 public:
  // `is_held`: the bytes are in memory.
  StridedAccess(std::shared_ptr<RandomAccess> from, bool is_held, const StridedView& view)
      : offset_(view.offset),
        run_bytes_(view.element_bytes),
        swap_bytes_(view.swap_bytes),
        bytes_(*view_bytes(view)) {
    for (std::size_t index = 0; index < view.shape.size(); ++index)
      if (view.shape[index] != 1) dimensions_.push_back({view.shape[index], view.strides[index]});
    while (bytes_ > 0 && !dimensions_.empty() && dimensions_.back().stride == run_bytes_) {
      run_bytes_ *= dimensions_.back().count;
      dimensions_.pop_back();
    }
    std::uint64_t sweep = 1;
    for (std::size_t index = 1; index < dimensions_.size(); ++index)
      sweep = checked_multiply(sweep, dimensions_[index].count).value_or(bytes_);
    reader_.emplace(std::move(from), is_held, std::max<std::uint64_t>(sweep, 1));
  }

  std::uint64_t size() const override { return bytes_; }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (offset >= bytes_) return 0;
    into = into.first(std::min<std::uint64_t>(into.size(), bytes_ - offset));
    for (std::size_t done = 0; done < into.size();) {
      const std::uint64_t run = (offset + done) / run_bytes_;
      const std::uint64_t within = (offset + done) % run_bytes_;
      const std::size_t most = swap_bytes_ > 1 ? swapped_piece_bytes : into.size();
      std::size_t count =
          std::min<std::uint64_t>(std::min(most, into.size() - done), run_bytes_ - within);
      // What comes before something wrong is given, in whatever pieces it is asked for.
      const std::size_t least = swap_bytes_ - within % swap_bytes_;
      for (;;) {
        const auto read = read_run(run, within, into.subspan(done, count));
        if (read) break;
        if (done > 0) return done;
        if (count <= least) return fail(read.error());
        count = std::max(least, count / 2);
      }
      done += count;
    }
    return into.size();
  }

 private:
  static constexpr std::size_t swapped_piece_bytes = 4096;
  static constexpr std::size_t max_swap_bytes = 16;

  std::uint64_t begin_of(std::uint64_t run) const noexcept {
    std::uint64_t begin = offset_;
    for (auto dimension = dimensions_.rbegin(); dimension != dimensions_.rend(); ++dimension) {
      begin += run % dimension->count * dimension->stride;
      run /= dimension->count;
    }
    return begin;
  }

  Result<void> read_run(std::uint64_t run, std::uint64_t within, std::span<std::byte> into) {
    const std::uint64_t begin = begin_of(run);
    if (swap_bytes_ == 1) return reader_->read(run, begin + within, into);
    std::array<std::byte, swapped_piece_bytes + 2 * max_swap_bytes> buffer;
    const std::uint64_t skipped = within % swap_bytes_;
    const auto whole = (skipped + into.size() + swap_bytes_ - 1) / swap_bytes_ * swap_bytes_;
    const std::span<std::byte> numbers = std::span(buffer).first(whole);
    SLABSCOPE_TRY(reader_->read(run, begin + within - skipped, numbers));
    for (std::size_t at = 0; at < whole; at += swap_bytes_)
      std::ranges::reverse(numbers.subspan(at, swap_bytes_));
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(skipped), into.size(), into.begin());
    return {};
  }

  std::optional<PagedReader> reader_;
  std::uint64_t offset_;
  std::uint64_t run_bytes_;  // that stand one after the other
  std::uint64_t swap_bytes_;
  std::uint64_t bytes_;
  std::vector<Dimension> dimensions_;  // of runs, without those of one
};

}  // namespace

std::optional<std::uint64_t> element_count(std::span<const std::uint64_t> shape) noexcept {
  // An empty dimension makes the others meaningless, however long they are.
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) return 0;
  std::optional<std::uint64_t> count = 1;
  for (const std::uint64_t each : shape)
    if (count) count = checked_multiply(*count, each);
  return count;
}

std::vector<std::uint64_t> c_strides(std::span<const std::uint64_t> shape,
                                     std::uint64_t element_bytes) {
  std::vector<std::uint64_t> strides(shape.size());
  for (std::size_t index = shape.size(); index-- > 0;) {
    strides[index] = element_bytes;
    element_bytes *= shape[index];
  }
  return strides;
}

std::vector<std::uint64_t> fortran_strides(std::span<const std::uint64_t> shape,
                                           std::uint64_t element_bytes) {
  std::vector<std::uint64_t> strides(shape.size());
  for (std::size_t index = 0; index < shape.size(); ++index) {
    strides[index] = element_bytes;
    element_bytes *= shape[index];
  }
  return strides;
}

std::optional<std::uint64_t> view_bytes(const StridedView& view) noexcept {
  const std::optional<std::uint64_t> count = element_count(view.shape);
  return count ? checked_multiply(*count, view.element_bytes) : std::nullopt;
}

std::optional<std::uint64_t> view_end(const StridedView& view) noexcept {
  if (view_bytes(view) == 0) return 0;
  std::optional<std::uint64_t> end = checked_add(view.offset, view.element_bytes);
  for (std::size_t index = 0; end && index < view.shape.size(); ++index) {
    const auto reach = checked_multiply(view.shape[index] - 1, view.strides[index]);
    end = reach ? checked_add(*end, *reach) : std::nullopt;
  }
  return end;
}

bool is_one_run(const StridedView& view) noexcept {
  if (view.swap_bytes != 1) return false;
  if (view_bytes(view) == 0) return true;
  std::uint64_t run_bytes = view.element_bytes;
  for (std::size_t index = view.shape.size(); index-- > 0;) {
    if (view.shape[index] == 1) continue;
    if (view.strides[index] != run_bytes) return false;
    run_bytes *= view.shape[index];
  }
  return true;
}

bool goes_forward(const StridedView& view) noexcept {
  if (view_bytes(view) == 0) return true;
  std::uint64_t reach = 0;  // from the first to the last element of the dimensions behind
  for (std::size_t index = view.shape.size(); index-- > 0;) {
    if (view.shape[index] == 1) continue;
    if (view.strides[index] < reach) return false;
    reach += (view.shape[index] - 1) * view.strides[index];
  }
  return true;
}

std::shared_ptr<RandomAccess> open_view(std::shared_ptr<RandomAccess> from, const StridedView& view,
                                        std::uint64_t max_held) {
  if (is_one_run(view)) {
    const std::uint64_t bytes = *view_bytes(view);
    return std::make_shared<SliceAccess>(std::move(from), view.offset, bytes);
  }
  if (!from->goes_forward() || goes_forward(view))
    return std::make_shared<StridedAccess>(std::move(from), false, view);
  StridedView inside = view;
  inside.offset = 0;
  auto held = std::make_shared<HeldSpan>(std::move(from), view.offset,
                                         *view_end(view) - view.offset, max_held);
  return std::make_shared<StridedAccess>(std::move(held), true, inside);
}

}  // namespace slabscope
