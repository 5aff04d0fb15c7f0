// Integers as digits from a table: the digits that std::to_chars gives, for every type and length.
#include <slabscope/text/decimal.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <charconv>
#include <limits>
#include <string>

namespace slabscope {
namespace {

template <class T>
std::string plainly(T value) {
  char digits[24];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

template <class T>
std::string from_table(T value) {
  std::string text(decimal_room, '?');
  text.resize(static_cast<std::size_t>(write_decimal(text.data(), value) - text.data()));
  return text;
}

TEST_CASE_TEMPLATE("every value of a small type", T, std::uint8_t, std::int8_t, std::uint16_t,
                   std::int16_t) {
  for (int value = std::numeric_limits<T>::min(); value <= std::numeric_limits<T>::max(); ++value)
    REQUIRE(from_table(static_cast<T>(value)) == plainly(static_cast<T>(value)));
}

TEST_CASE_TEMPLATE("values around every power of ten and the ends", T, std::uint32_t, std::int32_t,
                   std::uint64_t, std::int64_t) {
  constexpr T most = std::numeric_limits<T>::max();
  constexpr T least = std::numeric_limits<T>::min();
  for (T power = 1;; power = static_cast<T>(power * 10)) {
    for (int away = -2; away <= 2; ++away) {
      const auto value = static_cast<T>(power + static_cast<T>(away));
      CHECK(from_table(value) == plainly(value));
      CHECK(from_table(static_cast<T>(T{0} - value)) == plainly(static_cast<T>(T{0} - value)));
    }
    if (power > most / 10) break;
  }
  for (const T value : {T{0}, most, least, static_cast<T>(most - 1), static_cast<T>(least + 1)})
    CHECK(from_table(value) == plainly(value));
}

TEST_CASE_TEMPLATE("any value", T, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
  tests::PseudoRandom random(31);
  for (int round = 0; round < 20000; ++round) {
    const auto value = static_cast<T>(random.of_any_width());
    REQUIRE(from_table(value) == plainly(value));
  }
}

}  // namespace
}  // namespace slabscope
