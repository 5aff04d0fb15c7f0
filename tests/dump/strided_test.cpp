// Views of other bytes against a walk over their elements, one by one.
#include <slabscope/dump/strided.h>

#include "../support/dump_bytes.h"
#include "../support/pseudo_random.h"

#include <algorithm>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

// All elements by their coordinates, the last dimension the fastest.
void walk(const StridedView& view, const std::string& bytes, std::size_t dimension,
          std::uint64_t offset, std::string& into) {
  if (dimension < view.shape.size()) {
    for (std::uint64_t index = 0; index < view.shape[dimension]; ++index)
      walk(view, bytes, dimension + 1, offset + index * view.strides[dimension], into);
    return;
  }
  for (std::uint64_t at = 0; at < view.element_bytes; at += view.swap_bytes) {
    std::string number = bytes.substr(offset + at, view.swap_bytes);
    if (view.swap_bytes > 1) std::reverse(number.begin(), number.end());
    into += number;
  }
}

std::string all_elements(const StridedView& view, const std::string& bytes) {
  std::string made;
  walk(view, bytes, 0, view.offset, made);
  return made;
}

std::string some_bytes(PseudoRandom& random, std::size_t count) {
  std::string bytes;
  while (bytes.size() < count) bytes += static_cast<char>(random.bits());
  return bytes;
}

StridedView some_view(PseudoRandom& random) {
  constexpr std::uint64_t widths[] = {1, 2, 4, 8, 16};
  StridedView view;
  view.offset = random.below(64);
  view.element_bytes = random.pick(widths);
  view.swap_bytes = random.one_in(2) ? 1 : view.element_bytes;
  for (std::uint64_t count = random.below(4); count > 0; --count) {
    view.shape.push_back(random.below(7));
    view.strides.push_back(random.one_in(4) ? view.element_bytes : random.below(300));
  }
  if (random.one_in(3)) view.strides = c_strides(view.shape, view.element_bytes);
  if (random.one_in(3)) view.strides = fortran_strides(view.shape, view.element_bytes);
  return view;
}

}  // namespace

TEST_CASE("a view holds its elements in C order and little-endian, however it is read") {
  PseudoRandom random(71);
  const std::string bytes = some_bytes(random, 20000);
  const auto file = std::make_shared<OwnedAccess>(bytes, 1000);
  for (int round = 0; round < 3000; ++round) {
    const StridedView view = some_view(random);
    CAPTURE(round);
    REQUIRE(view_end(view).value() <= bytes.size());
    const std::string wanted = all_elements(view, bytes);
    CHECK(view_bytes(view) == wanted.size());
    const auto opened = open_view(file, view);
    CHECK(opened->size() == wanted.size());
    CHECK(read_all(*opened, 1 + random.below(60)).value() == wanted);
    if (is_one_run(view)) CHECK(bytes.substr(view.offset, wanted.size()) == wanted);
    std::array<std::byte, 1> none;
    CHECK(opened->read_at(wanted.size(), none).value() == 0);
  }
}

TEST_CASE("long runs and long swapped arrays come whole") {
  PseudoRandom random(72);
  const std::string bytes = some_bytes(random, 100000);
  const auto file = file_of(bytes);
  const StridedView views[] = {{3, 8, 8, {12000}, {8}},
                               {1, 2, 2, {3, 9000}, {30000, 2}},
                               {0, 1, 1, {4, 20000}, {25000, 1}},
                               {0, 4, 1, {100, 5, 40}, {4, 400, 2000}}};
  for (const StridedView& view : views)
    CHECK(read_all(*open_view(file, view), 50000).value() == all_elements(view, bytes));
}

// What is compressed: how often was it read from its front?
class Compressed final : public RandomAccess {
 public:
  explicit Compressed(std::string bytes, std::size_t broken_at = ~std::size_t{0})
      : bytes_(std::move(bytes)), broken_at_(broken_at) {}
  std::uint64_t size() const override { return bytes_.size(); }
  bool goes_forward() const noexcept override { return true; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    beginnings_ += offset < at_ ? 1 : 0;
    if (offset >= broken_at_) return fail(ErrorCode::bad_container, "damaged");
    const auto all = std::as_bytes(std::span(bytes_)).first(std::min(bytes_.size(), broken_at_));
    const auto count = MemoryAccess(all).read_at(offset, into);
    at_ = offset + *count;
    return count;
  }
  int beginnings() const { return beginnings_; }

 private:
  std::string bytes_;
  std::size_t broken_at_;
  std::uint64_t at_ = 0;
  int beginnings_ = 0;
};

TEST_CASE("compressed elements in another order are read once, and held up to a ceiling") {
  PseudoRandom random(73);
  const std::string bytes = some_bytes(random, 8 + (3 << 20));
  const StridedView columns{5, 4, 1, {768, 1024}, {4, 768 * 4}};
  CHECK_FALSE(goes_forward(columns));
  const auto file = std::make_shared<Compressed>(bytes);
  CHECK(read_all(*open_view(file, columns), 1 << 16).value() == all_elements(columns, bytes));
  CHECK(file->beginnings() == 0);
  const std::uint64_t reach = *view_end(columns) - columns.offset;
  CHECK(read_all(*open_view(file, columns, reach), 1 << 16));
  const auto over = read_all(*open_view(file, columns, reach - 1));
  REQUIRE_FALSE(over);
  CHECK(over.error().code == ErrorCode::limit_exceeded);
  // In whatever part of other bytes.
  const auto slice = std::make_shared<SliceAccess>(file, 0, bytes.size());
  CHECK(read_all(*open_view(slice, columns), 1 << 16).value() == all_elements(columns, bytes));
  const auto past = open_view(file, columns);
  std::array<std::byte, 1> none;
  CHECK(past->read_at(past->size(), none).value() == 0);
}

TEST_CASE("the ceiling is 256 MiB, and nothing is read of what passes it") {
  class Unread final : public RandomAccess {
   public:
    std::uint64_t size() const override { return std::uint64_t{1} << 40; }
    bool goes_forward() const noexcept override { return true; }
    Result<std::size_t> read_at(std::uint64_t /*offset*/, std::span<std::byte> /*into*/) override {
      return fail(ErrorCode::read_failed, "it is read");
    }
  };
  const auto error_of = [](std::uint64_t pairs) {  // of 8 bytes, the second halves after the first
    const auto view = open_view(std::make_shared<Unread>(), {0, 4, 1, {2, pairs}, {4, 8}});
    std::array<std::byte, 4> into;
    const auto read = view->read_at(0, into);
    REQUIRE_FALSE(read);
    return read.error();
  };
  CHECK(error_of(1U << 25U).code == ErrorCode::read_failed);
  const Error over = error_of((1U << 25U) + 1);
  CHECK(over.code == ErrorCode::limit_exceeded);
  CHECK(over.got == "268435464 B");
  CHECK(over.allowed == "up to 268435456 B");
}

TEST_CASE("elements that lie each behind the one before need not be held") {
  PseudoRandom random(74);
  const std::string bytes = some_bytes(random, 100000);
  const StridedView views[] = {{3, 4, 1, {5000}, {16}},
                               {0, 4, 4, {5000}, {4}},
                               {0, 2, 1, {9, 1, 40}, {400, 0, 3}},
                               {0, 1, 1, {7, 5}, {9, 0}},
                               {0, 1, 1, {2, 0}, {1, 9}}};
  for (const StridedView& view : views) {
    CHECK(goes_forward(view));
    const auto file = std::make_shared<Compressed>(bytes);
    CHECK(read_all(*open_view(file, view, 0)).value() == all_elements(view, bytes));
  }
}

TEST_CASE("damage in compressed bytes is met where it is, not before") {
  const std::string bytes(1 << 16, 'x');
  const StridedView columns{0, 1, 1, {2, 1000}, {1, 2}};
  for (const std::size_t broken_at : {1000U, 0U}) {
    const auto view = open_view(std::make_shared<Compressed>(bytes, broken_at), columns);
    std::array<std::byte, 100> first;
    CHECK(view->read_at(0, first).has_value() == (broken_at != 0));
    const auto all = read_all(*view);
    REQUIRE_FALSE(all);
    CHECK(all.error().message == "damaged");
  }
  const auto cut = open_view(std::make_shared<Compressed>(std::string(1000, 'x')), columns);
  CHECK_FALSE(read_all(*cut));
}

TEST_CASE("of damaged bytes a view gives the same in whatever pieces it is read") {
  const std::string bytes(1 << 16, 'x');
  const auto given = [&](const StridedView& view, std::size_t broken_at, std::size_t piece) {
    const auto read = open_view(std::make_shared<Compressed>(bytes, broken_at), view);
    std::vector<std::byte> part(piece);
    for (std::size_t held = 0;;) {
      const auto count = read->read_at(held, part);
      if (!count) return held;
      REQUIRE(*count != 0);
      held += *count;
    }
  };
  const StridedView views[] = {{0, 8, 8, {2000}, {8}},
                               {0, 8, 8, {10, 100}, {8, 80}},
                               {0, 4, 1, {500, 8}, {4, 2000}},
                               {0, 16, 1, {2000}, {16}}};
  for (const StridedView& view : views)
    for (const std::size_t broken_at : {0U, 1U, 7U, 8U, 1000U, 1001U, 4097U, 7999U}) {
      CAPTURE(broken_at);
      const std::size_t singly = given(view, broken_at, 1);
      for (const std::size_t piece : {2U, 7U, 300U, 5000U, 70000U})
        CHECK(given(view, broken_at, piece) == singly);
    }
}

TEST_CASE("elements that lie apart share the reads of their page, however many stand in a row") {
  const std::vector<std::uint64_t> shapes[] = {{64, 256}, {1000, 5000}, {10, 100, 200}};
  for (const std::vector<std::uint64_t>& shape : shapes) {
    const std::uint64_t bytes = *element_count(shape) * 4;
    const auto file = std::make_shared<OwnedAccess>(std::string(bytes, 'x'));
    const auto columns = open_view(file, {0, 4, 1, shape, fortran_strides(shape, 4)});
    REQUIRE(read_all(*columns, 1 << 16).value().size() == bytes);
    // A column of the file may begin inside a page and take one or several more.
    const std::uint64_t column_bytes = shape[0] * 4;
    CHECK(file->reads() <= bytes / column_bytes * (2 + column_bytes / 1024));
  }
}

TEST_CASE("runs may be of 4 GiB and more") {
  class Huge final : public RandomAccess {
   public:
    std::uint64_t size() const override { return std::uint64_t{1} << 40; }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
      std::ranges::fill(into, static_cast<std::byte>(offset >> 32U));
      return into.size();
    }
  };
  constexpr std::uint64_t run = std::uint64_t{1} << 32;
  const auto view = open_view(std::make_shared<Huge>(), {0, 1, 1, {3, run}, {2 * run, 1}});
  CHECK(view->size() == 3 * run);
  std::array<std::byte, 4> bytes;
  for (const std::uint64_t number : {0U, 1U, 2U}) {
    CHECK(view->read_at(number * run, bytes) == 4);
    CHECK(bytes[3] == static_cast<std::byte>(2 * number));
  }
  // The end of one run, and the beginning of the next.
  CHECK(view->read_at(run - 2, bytes) == 4);
  CHECK(bytes == std::array{std::byte{0}, std::byte{0}, std::byte{2}, std::byte{2}});
}

TEST_CASE("a view is one run when nothing lies between its elements") {
  CHECK(is_one_run({0, 4, 1, {2, 3}, {12, 4}}));
  CHECK(is_one_run({0, 4, 1, {2, 1, 3}, {12, 99, 4}}));
  CHECK(is_one_run({0, 4, 1, {}, {}}));
  CHECK(is_one_run({0, 4, 1, {0, 3}, {1, 1}}));
  CHECK_FALSE(is_one_run({0, 4, 1, {2, 3}, {4, 8}}));
  CHECK_FALSE(is_one_run({0, 4, 1, {2, 3}, {16, 4}}));
  CHECK_FALSE(is_one_run({0, 4, 1, {3}, {0}}));
  CHECK_FALSE(is_one_run({0, 4, 4, {3}, {4}}));
}

TEST_CASE("what passes 64 bits has no figure") {
  constexpr std::uint64_t huge = std::uint64_t{1} << 33;
  CHECK(element_count(std::vector<std::uint64_t>{huge, huge}) == std::nullopt);
  CHECK(element_count(std::vector<std::uint64_t>{huge, huge, 0}) == 0);
  CHECK(element_count({}) == 1);
  CHECK(view_bytes({0, huge, 1, {huge}, {1}}) == std::nullopt);
  CHECK(view_end({0, 1, 1, {huge}, {huge}}) == std::nullopt);
  CHECK(view_end({~std::uint64_t{0}, 1, 1, {}, {}}) == std::nullopt);
  CHECK(view_end({~std::uint64_t{0} - 8, 1, 1, {2}, {8}}) == std::nullopt);
  CHECK(view_end({~std::uint64_t{0} - 9, 1, 1, {2}, {8}}) == ~std::uint64_t{0});
  CHECK(view_end({~std::uint64_t{0}, 1, 1, {0}, {1}}) == 0);
}

TEST_CASE("a view says when its bytes are gone") {
  // A file that has become shorter since it was opened.
  class Shrunk final : public RandomAccess {
   public:
    std::uint64_t size() const override { return 100; }
    Result<std::size_t> read_at(std::uint64_t, std::span<std::byte>) override { return 0; }
  };
  for (const std::uint64_t swap : {1U, 4U}) {
    const auto view = open_view(std::make_shared<Shrunk>(), {0, 4, swap, {10}, {8}});
    const auto bytes = read_all(*view);
    REQUIRE_FALSE(bytes);
    CHECK(bytes.error().code == ErrorCode::bad_container);
  }
}
