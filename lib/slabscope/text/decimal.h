// Integers as decimal digits, four a step, from a table: eight digits are made at once and the
// zeros in front are shifted out, so that numbers of up to eight digits cost no branch.
#pragma once

#include <slabscope/base/little_endian.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace slabscope {

// The bytes that write_decimal may touch: a sign, twenty digits, and what it writes past the end.
inline constexpr std::size_t decimal_room = 32;

// "0000" to "9999", the first digit in the lowest byte.
inline constexpr std::array<std::uint32_t, 10000> four_digits = [] {
  std::array<std::uint32_t, 10000> table{};
  for (std::uint32_t value = 0; value < table.size(); ++value)
    table[value] = 0x30303030U + value / 1000 + (value / 100 % 10 << 8U) +
                   (value / 10 % 10 << 16U) + (value % 10 << 24U);
  return table;
}();

inline constexpr std::uint32_t eight_digits_end = 100'000'000;

// All digits of a value below eight_digits_end, the first in the lowest byte.
[[nodiscard]] inline std::uint64_t eight_digits(std::uint32_t value) noexcept {
  return four_digits[value / 10000] | std::uint64_t{four_digits[value % 10000]} << 32U;
}

// Writes a value below eight_digits_end; where it ends.
inline char* write_short_decimal(char* to, std::uint32_t value) noexcept {
  const std::uint64_t digits = eight_digits(value);
  // The last digit stays, whatever it is.
  const std::uint64_t significant = (digits ^ 0x3030303030303030U) | std::uint64_t{1} << 56U;
  const auto zeros = static_cast<unsigned>(std::countr_zero(significant)) / 8;
  store_little_endian(reinterpret_cast<std::byte*>(to), digits >> (8 * zeros));
  return to + (8 - zeros);
}

inline char* write_long_decimal(char* to, std::uint64_t value) noexcept {
  const std::uint64_t high = value / eight_digits_end;
  to = high < eight_digits_end ? write_short_decimal(to, static_cast<std::uint32_t>(high))
                               : write_long_decimal(to, high);
  store_little_endian(reinterpret_cast<std::byte*>(to),
                      eight_digits(static_cast<std::uint32_t>(value % eight_digits_end)));
  return to + 8;
}

// Writes an integer of up to 64 bits to `to`, where decimal_room bytes may be written; where it
// ends.
template <class T>
inline char* write_decimal(char* to, T value) noexcept {
  auto magnitude = static_cast<std::uint64_t>(value);
  if constexpr (std::is_signed_v<T>) {
    if (value < 0) {
      *to++ = '-';
      magnitude = 0 - magnitude;
    }
  }
  if (magnitude < eight_digits_end)
    return write_short_decimal(to, static_cast<std::uint32_t>(magnitude));
  return write_long_decimal(to, magnitude);
}

}  // namespace slabscope
