// Checked arithmetic: the only place that touches overflow builtins. An empty result means that the
// exact value does not fit the type.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace slabscope {

static_assert(sizeof(std::size_t) == sizeof(std::uint64_t),
              "counts and offsets are 64 bits; hosts of GPUs are");

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <class T>
[[nodiscard]] constexpr std::optional<T> checked_add(T left, T right) noexcept {
  T sum{};
  if (__builtin_add_overflow(left, right, &sum)) return std::nullopt;
  return sum;
}

template <class T>
[[nodiscard]] constexpr std::optional<T> checked_subtract(T left, T right) noexcept {
  T difference{};
  if (__builtin_sub_overflow(left, right, &difference)) return std::nullopt;
  return difference;
}

template <class T>
[[nodiscard]] constexpr std::optional<T> checked_multiply(T left, T right) noexcept {
  T product{};
  if (__builtin_mul_overflow(left, right, &product)) return std::nullopt;
  return product;
}

// The least multiple of `unit` (> 0) that is at least `value` (>= 0).
template <class T>
[[nodiscard]] constexpr std::optional<T> checked_align_up(T value, T unit) noexcept {
  const T over = value % unit;
  return over == 0 ? std::optional<T>(value) : checked_add<T>(value, unit - over);
}

// True when [offset, offset + bytes) lies inside [0, size); never forms a sum that could wrap.
[[nodiscard]] constexpr bool contains(std::uint64_t size, std::uint64_t offset,
                                      std::uint64_t bytes) noexcept {
  return offset <= size && bytes <= size - offset;
}

}  // namespace slabscope
