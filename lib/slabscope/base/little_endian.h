// Unaligned little-endian access that is right on any host. Callers have checked the bounds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace slabscope {

template <class T>
[[nodiscard]] inline T load_little_endian(const std::byte* from) noexcept {
  using Bits = std::make_unsigned_t<T>;
  Bits bits = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&bits, from, sizeof bits);
  } else {
    for (std::size_t index = sizeof bits; index-- > 0;)
      bits = static_cast<Bits>(static_cast<std::uint64_t>(bits) << 8U |
                               std::to_integer<std::uint64_t>(from[index]));
  }
  return static_cast<T>(bits);
}

template <class T>
inline void store_little_endian(std::byte* to, T value) noexcept {
  const auto bits = static_cast<std::make_unsigned_t<T>>(value);
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &bits, sizeof bits);
  } else {
    for (std::size_t index = 0; index < sizeof bits; ++index)
      to[index] = static_cast<std::byte>(static_cast<std::uint64_t>(bits) >> (8U * index));
  }
}

}  // namespace slabscope
