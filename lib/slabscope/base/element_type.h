// The element types that a field may have: width, sign, range, and conversion to and from
// little-endian bytes.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/base/little_endian.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slabscope {

enum class ElementType : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64 };

inline constexpr std::array<std::string_view, 8> element_type_names = {"u8",  "i8",  "u16", "i16",
                                                                       "u32", "i32", "u64", "i64"};

[[nodiscard]] constexpr std::string_view name(ElementType type) noexcept {
  return element_type_names[static_cast<std::size_t>(type)];
}

[[nodiscard]] constexpr std::optional<ElementType> element_type(std::string_view text) noexcept {
  for (std::size_t index = 0; index < element_type_names.size(); ++index)
    if (element_type_names[index] == text) return static_cast<ElementType>(index);
  return std::nullopt;
}

// Bytes of one element: 1, 2, 4 or 8.
[[nodiscard]] constexpr std::uint64_t element_bytes(ElementType type) noexcept {
  return std::uint64_t{1} << (static_cast<unsigned>(type) / 2);
}

[[nodiscard]] constexpr bool is_signed(ElementType type) noexcept {
  return (static_cast<unsigned>(type) & 1U) != 0;
}

[[nodiscard]] constexpr int128 minimum(ElementType type) noexcept {
  return is_signed(type) ? -(int128{1} << (8 * element_bytes(type) - 1)) : int128{0};
}

[[nodiscard]] constexpr int128 maximum(ElementType type) noexcept {
  return (int128{1} << (8 * element_bytes(type) - (is_signed(type) ? 1 : 0))) - 1;
}

[[nodiscard]] constexpr bool fits(ElementType type, int128 value) noexcept {
  return value >= minimum(type) && value <= maximum(type);
}

// Calls `with_type(T{})` with the C++ type of `type`.
template <class F>
constexpr decltype(auto) visit_type(ElementType type, F&& with_type) {
  switch (type) {
    case ElementType::u8: return with_type(std::uint8_t{});
    case ElementType::i8: return with_type(std::int8_t{});
    case ElementType::u16: return with_type(std::uint16_t{});
    case ElementType::i16: return with_type(std::int16_t{});
    case ElementType::u32: return with_type(std::uint32_t{});
    case ElementType::i32: return with_type(std::int32_t{});
    case ElementType::u64: return with_type(std::uint64_t{});
    case ElementType::i64: break;
  }
  return with_type(std::int64_t{});
}

[[nodiscard]] inline int128 load_element(ElementType type, const std::byte* from) noexcept {
  return visit_type(type,
                    [&](auto zero) -> int128 { return load_little_endian<decltype(zero)>(from); });
}

// `value` must fit `type`.
inline void store_element(ElementType type, std::byte* to, int128 value) noexcept {
  visit_type(type, [&](auto zero) { store_little_endian(to, static_cast<decltype(zero)>(value)); });
}

}  // namespace slabscope
