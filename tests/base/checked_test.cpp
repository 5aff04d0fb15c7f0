// Checked arithmetic gives the exact result or says that it does not fit.
#include <slabscope/base/checked.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace slabscope {
namespace {

// Agrees when `result` is `exact`, or empty where `exact` does not fit T.
template <class T, class Wide>
bool agrees(std::optional<T> result, Wide exact) {
  const bool fits =
      exact >= Wide{std::numeric_limits<T>::min()} && exact <= Wide{std::numeric_limits<T>::max()};
  return fits ? result.has_value() && Wide{*result} == exact : !result.has_value();
}

template <class T>
void check_all_pairs_of_bytes() {
  std::uint64_t wrong = 0;
  for (int left = std::numeric_limits<T>::min(); left <= std::numeric_limits<T>::max(); ++left) {
    for (int right = std::numeric_limits<T>::min(); right <= std::numeric_limits<T>::max();
         ++right) {
      const auto l = static_cast<T>(left);
      const auto r = static_cast<T>(right);
      if (!agrees<T>(checked_add(l, r), left + right)) ++wrong;
      if (!agrees<T>(checked_subtract(l, r), left - right)) ++wrong;
      if (!agrees<T>(checked_multiply(l, r), left * right)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("sums, differences and products of all pairs of bytes") {
  check_all_pairs_of_bytes<std::uint8_t>();
  check_all_pairs_of_bytes<std::int8_t>();
}

constexpr std::uint64_t most = ~std::uint64_t{0};
constexpr std::uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   8,
                                   255,
                                   256,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   0x100000001,
                                   most / 3,
                                   most / 2 - 1,
                                   most / 2,
                                   most / 2 + 1,
                                   most / 2 + 2,
                                   most - 256,
                                   most - 8,
                                   most - 7,
                                   most - 1,
                                   most};

TEST_CASE("64 bits against 128 bits, at the edges and at random") {
  tests::PseudoRandom random(2);
  std::uint64_t wrong = 0;
  const auto check = [&](std::uint64_t left, std::uint64_t right) {
    const int128 l = left;
    const int128 r = right;
    if (!agrees<std::uint64_t>(checked_add(left, right), l + r)) ++wrong;
    if (!agrees<std::uint64_t>(checked_subtract(left, right), l - r)) ++wrong;
    // A product of 64 bits by 64 bits does not fit the signed 128.
    const uint128 product = uint128{left} * right;
    const auto checked = checked_multiply(left, right);
    if (product > most ? checked.has_value() : !checked || *checked != product) ++wrong;
    const auto signed_left = static_cast<std::int64_t>(left);
    const auto signed_right = static_cast<std::int64_t>(right);
    if (!agrees<std::int64_t>(checked_add(signed_left, signed_right),
                              int128{signed_left} + signed_right))
      ++wrong;
    if (!agrees<std::int64_t>(checked_subtract(signed_left, signed_right),
                              int128{signed_left} - signed_right))
      ++wrong;
    if (!agrees<std::int64_t>(checked_multiply(signed_left, signed_right),
                              int128{signed_left} * signed_right))
      ++wrong;
    if (right != 0) {
      const int128 aligned = (l + r - 1) / r * r;
      if (!agrees<std::uint64_t>(checked_align_up(left, right), aligned)) ++wrong;
    }
  };
  for (const std::uint64_t left : edges)
    for (const std::uint64_t right : edges) check(left, right);
  for (int round = 0; round < 20000; ++round) check(random.of_any_width(), random.of_any_width());
  CHECK(wrong == 0);
}

TEST_CASE("128 bits at their ends") {
  const int128 largest = static_cast<int128>(~uint128{0} >> 1U);
  const int128 least = -largest - 1;
  const int128 one = 1;
  CHECK_FALSE(checked_add(largest, one).has_value());
  CHECK_FALSE(checked_add(least, -one).has_value());
  CHECK_FALSE(checked_subtract(least, one).has_value());
  CHECK_FALSE(checked_subtract(int128{0}, least).has_value());
  CHECK_FALSE(checked_multiply(least, -one).has_value());
  CHECK_FALSE(checked_multiply(largest, int128{2}).has_value());
  CHECK((checked_add(largest, int128{0}) == largest));
  CHECK((checked_subtract(least, int128{0}) == least));
  CHECK((checked_multiply(largest, -one) == -largest));
  CHECK_FALSE(checked_align_up(largest, int128{2}).has_value());
  CHECK((checked_align_up(largest - 1, int128{2}) == largest - 1));
}

TEST_CASE("align_up at the edge of 64 bits") {
  struct Row {
    std::uint64_t value;
    std::uint64_t unit;
    std::optional<std::uint64_t> aligned;
  };
  const Row rows[] = {
      {0, 1, 0},
      {0, 8, 0},
      {1, 8, 8},
      {8, 8, 8},
      {9, 8, 16},
      {most, 1, most},
      {most - 7, 8, most - 7},
      {most - 6, 8, {}},
      {most, 2, {}},
      {most, most, most},
      {1, most, most},
      {most - 1, most, most},
      {5, 3, 6},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CAPTURE(row.unit);
    CHECK((checked_align_up(row.value, row.unit) == row.aligned));
  }
}

TEST_CASE("contains never forms a sum that wraps") {
  std::uint64_t wrong = 0;
  for (const std::uint64_t size : edges)
    for (const std::uint64_t offset : edges)
      for (const std::uint64_t bytes : edges)
        if (contains(size, offset, bytes) != (uint128{offset} + bytes <= size)) ++wrong;
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace slabscope
