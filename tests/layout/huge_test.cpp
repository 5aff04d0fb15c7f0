// Huge parameters: the size is exact, or refused as an overflow, and at once.
#include <slabscope/layout/catalog.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace slabscope {
namespace {

// Sums and products that stay at 2^100 once they pass it: larger than any slab.
constexpr uint128 past = uint128{1} << 100U;
uint128 sum(uint128 left, uint128 right) { return std::min(past, left + right); }
uint128 product(uint128 left, uint128 right) {
  if (left == 0 || right == 0) return 0;
  return left > past / right ? past : left * right;
}
uint128 up(uint128 value, uint128 unit) { return sum(value, unit - 1) / unit * unit; }

// layouts.md's sizes, in words of its own.
uint128 mtp_size(uint128 entries) { return sum(256, product(4, entries)); }
uint128 batch_size(uint128 rows, uint128 max_blocks) {
  const uint128 slot = up(product(4, rows), 8);
  const uint128 seq_len = sum(slot, product(8, rows));
  const uint128 table = up(sum(seq_len, product(4, rows)), 16);
  return sum(table, product(product(4, rows), max_blocks));
}
uint128 decode_size(uint128 batch, uint128 max_blocks) {
  const uint128 rows = std::max<uint128>(32, batch);
  return sum(product(24, rows), product(product(4, rows), max_blocks));
}

constexpr std::uint64_t one = 1;
constexpr std::uint64_t hostile[] = {
    0,
    1,
    2,
    3,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x100000001,
    one << 52U,
    (one << 58U) - 1,
    one << 58U,
    (one << 59U) - 65,
    (one << 59U) - 64,
    (one << 59U) - 63,
    one << 60U,
    (one << 61U) - 65,
    (one << 61U) - 64,
    one << 61U,
    (one << 62U) - 1,
    one << 62U,
    (one << 63U) - 1,
    one << 63U,
    (one << 63U) + 1,
    ~std::uint64_t{0} - 1,
    ~std::uint64_t{0},
};

void check_size_of(const DescriptionPtr& description, const Assignments& params, uint128 size) {
  const auto layout = resolve(description, params, {});
  if (size > max_slab_size) {
    REQUIRE_FALSE(layout.has_value());
    CHECK((layout.error().code == ErrorCode::size_overflow));
    CHECK(layout.error().message.find("exceeds meta stride") != std::string::npos);
    CHECK(layout.error().message.find("needs") == std::string::npos);
    return;
  }
  REQUIRE(layout.has_value());
  CHECK((layout->size == size));
  const auto limit = check_size(*layout, default_max_slab_bytes, {});
  CHECK(limit.has_value() ==
        (size <= default_max_slab_bytes && layout->row_count <= default_max_slab_bytes));
  if (size > default_max_slab_bytes) CHECK((limit.error().code == ErrorCode::slab_limit));
}

TEST_CASE("the built-in layouts at hostile parameters") {
  const auto begin = std::chrono::steady_clock::now();
  const DescriptionPtr mtp = *builtin_layout("mtp");
  const DescriptionPtr batch = *builtin_layout("mtp_batch");
  const DescriptionPtr decode = *builtin_layout("decode");
  tests::PseudoRandom random(12);
  const auto check_pair = [&](std::uint64_t first, std::uint64_t second) {
    CAPTURE(first);
    CAPTURE(second);
    check_size_of(batch, tests::given({{"rows", first}, {"max_blocks", second}}),
                  batch_size(first, second));
    check_size_of(decode, tests::given({{"max_batch_size", first}, {"max_blocks", second}}),
                  decode_size(first, second));
  };
  for (const std::uint64_t first : hostile) {
    CAPTURE(first);
    check_size_of(mtp, tests::given({{"entries", first}}), mtp_size(first));
    for (const std::uint64_t second : hostile) check_pair(first, second);
  }
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t first = random.of_any_width();
    check_size_of(mtp, tests::given({{"entries", first}}), mtp_size(first));
    check_pair(first, random.of_any_width());
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("sizes next to 2^63") {
  struct Row {
    std::string_view what;
    std::string text;
    std::string_view code;
  };
  const auto field = [](std::string_view type, std::string_view shape, std::string_view more = "") {
    return R"({"name": "t", "fields": [{"name": "a", "type": ")" + std::string(type) +
           R"(", "shape": [)" + std::string(shape) + "]" + std::string(more) + "}]}";
  };
  const Row rows[] = {
      {"2^63-1 bytes", field("u8", "9223372036854775807"), "no error"},
      {"2^63 bytes", field("u8", "9223372036854775808"), "size_overflow"},
      {"2^64-1 bytes", field("u8", "18446744073709551615"), "size_overflow"},
      {"2^63-8 bytes of 8", field("u64", "1152921504606846975"), "no error"},
      {"2^63 bytes of 8", field("u64", "1152921504606846976"), "size_overflow"},
      {"2^64 bytes of 8", field("u64", "2305843009213693952"), "size_overflow"},
      {"2^64+8 bytes of 8", field("u64", "2305843009213693953"), "size_overflow"},
      {"2^62 by 4", field("u8", "4611686018427387904, 4"), "size_overflow"},
      {"2^32 by 2^32", field("u8", "4294967296, 4294967296"), "size_overflow"},
      {"2^32 by 2^32 by 2^32", field("u8", "4294967296, 4294967296, 4294967296"), "size_overflow"},
      {"2^63-1 by 1 by 1", field("u8", "1, 9223372036854775807, 1"), "no error"},
      {"2^64 by 0", field("u64", "18446744073709551615, 18446744073709551615, 0"), "no error"},
      {"an offset of 2^63-1", field("u8", "0", R"(, "offset": "9223372036854775807")"), "no error"},
      {"an offset of 2^63", field("u8", "0", R"(, "offset": "9223372036854775808")"),
       "size_overflow"},
      {"an offset of 2^63-1 and a byte", field("u8", "", R"(, "offset": "9223372036854775807")"),
       "size_overflow"},
      {"an offset of 2^63-2 and a byte", field("u8", "", R"(, "offset": "9223372036854775806")"),
       "no error"},
      {"an offset of 2^64-1 and a byte", field("u8", "", R"(, "offset": "18446744073709551615")"),
       "size_overflow"},
      {"an alignment past 2^63",
       R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [9223372036854775807]},
           {"name": "b", "type": "u8", "shape": [0], "align": 16}]})",
       "size_overflow"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto layout = resolve(tests::described(row.text), {}, {});
    const std::string code = layout ? "no error" : std::string(info(layout.error().code).name);
    CHECK(code == row.code);
    if (layout) CHECK(layout->size <= max_slab_size);
  }
}

TEST_CASE("an overflow names its field and where it is described") {
  const auto layout = resolve(
      tests::described(
          "{\"name\": \"t\", \"subject\": \"my slab\", \"fields\": [\n"
          "  {\"name\": \"a\", \"type\": \"u8\", \"shape\": []},\n"
          "  {\"name\": \"big\", \"type\": \"u32\", \"shape\": [4294967296, 4294967296]}]}"),
      {}, {});
  REQUIRE_FALSE(layout.has_value());
  CHECK(tests::shown(layout.error()) == "size_overflow 3:3 /fields/1");
  CHECK(layout.error().message.starts_with("my slab exceeds meta stride: the size overflows"));
  CHECK(layout.error().message.find("'big'") != std::string::npos);
  CHECK(layout.error().message.find("4294967296 x 4294967296") != std::string::npos);
}

}  // namespace
}  // namespace slabscope
