// Element types: names, widths, ranges, and little-endian bytes at any alignment.
#include <slabscope/base/element_type.h>
#include <slabscope/base/integer_text.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace slabscope {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  std::uint64_t bytes;
  bool has_sign;
  std::string_view least;
  std::string_view most;
};
constexpr Row types[] = {
    {ElementType::u8, "u8", 1, false, "0", "255"},
    {ElementType::i8, "i8", 1, true, "-128", "127"},
    {ElementType::u16, "u16", 2, false, "0", "65535"},
    {ElementType::i16, "i16", 2, true, "-32768", "32767"},
    {ElementType::u32, "u32", 4, false, "0", "4294967295"},
    {ElementType::i32, "i32", 4, true, "-2147483648", "2147483647"},
    {ElementType::u64, "u64", 8, false, "0", "18446744073709551615"},
    {ElementType::i64, "i64", 8, true, "-9223372036854775808", "9223372036854775807"},
};

TEST_CASE("the eight element types") {
  CHECK(std::size(types) == element_type_names.size());
  for (const Row& row : types) {
    CAPTURE(row.name);
    CHECK(name(row.type) == row.name);
    CHECK((element_type(row.name) == row.type));
    CHECK(element_bytes(row.type) == row.bytes);
    CHECK(is_signed(row.type) == row.has_sign);
    CHECK(to_text(minimum(row.type)) == row.least);
    CHECK(to_text(maximum(row.type)) == row.most);
    CHECK(fits(row.type, minimum(row.type)));
    CHECK(fits(row.type, maximum(row.type)));
    CHECK_FALSE(fits(row.type, minimum(row.type) - 1));
    CHECK_FALSE(fits(row.type, maximum(row.type) + 1));
    CHECK(visit_type(row.type, [](auto zero) { return sizeof zero; }) == row.bytes);
  }
}

TEST_CASE("there is no other element type") {
  for (const std::string_view text :
       {"", "u", "U32", "u32 ", " u32", "u128", "f32", "int", "u3", "i", "bool", "u320"}) {
    CAPTURE(text);
    CHECK_FALSE(element_type(text).has_value());
  }
}

TEST_CASE("elements are little-endian at every alignment, and nothing else is touched") {
  tests::PseudoRandom random(3);
  constexpr std::size_t room = 32;
  for (const Row& row : types) {
    std::vector<int128> values = {minimum(row.type),     minimum(row.type) + 1, 0,   1,
                                  maximum(row.type) - 1, maximum(row.type),     0x12};
    const auto span = static_cast<uint128>(maximum(row.type) - minimum(row.type)) + 1;
    for (int round = 0; round < 50; ++round)
      values.push_back(minimum(row.type) + static_cast<int128>(random.bits() % span));
    std::size_t wrong = 0;
    for (const int128 value : values) {
      for (std::size_t offset = 0; offset <= 8; ++offset) {
        std::array<std::byte, room> bytes;
        bytes.fill(std::byte{0xA5});
        store_element(row.type, bytes.data() + offset, value);
        for (std::size_t index = 0; index < room; ++index) {
          auto expected = std::byte{0xA5};
          if (index >= offset && index < offset + row.bytes)
            expected = static_cast<std::byte>(
                static_cast<uint128>(value) >> (8 * (index - offset)) & 0xFFU);
          if (bytes[index] != expected) ++wrong;
        }
        if (load_element(row.type, bytes.data() + offset) != value) ++wrong;
      }
    }
    CAPTURE(row.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("typed loads and stores agree with bytes written out") {
  const std::array<std::byte, 9> bytes = {std::byte{0xEE}, std::byte{0x01}, std::byte{0x02},
                                          std::byte{0x03}, std::byte{0x84}, std::byte{0x05},
                                          std::byte{0x06}, std::byte{0x07}, std::byte{0x88}};
  const std::byte* const from = bytes.data() + 1;
  CHECK(load_little_endian<std::uint8_t>(from) == 0x01);
  CHECK(load_little_endian<std::uint16_t>(from) == 0x0201);
  CHECK(load_little_endian<std::uint32_t>(from) == 0x84030201);
  CHECK(load_little_endian<std::int32_t>(from) == -0x7BFCFDFF);
  CHECK(load_little_endian<std::uint64_t>(from) == 0x8807060584030201);
  CHECK(load_little_endian<std::int64_t>(from) == -0x77F8F9FA7BFCFDFF);
  std::array<std::byte, 9> stored = {std::byte{0xEE}};
  store_little_endian<std::uint64_t>(stored.data() + 1, 0x8807060584030201);
  CHECK((stored == bytes));
}

}  // namespace
}  // namespace slabscope
