// Integers and sizes as text: exactly the grammar of the documents, and exact values.
#include <slabscope/base/integer_text.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <regex>
#include <string>

namespace slabscope {
namespace {

constexpr std::string_view no_integer = "not an integer";
constexpr std::string_view too_large = "beyond 64 bits";

std::string outcome(const IntegerText& parsed) {
  if (parsed.fault == IntegerTextFault::not_an_integer) return std::string(no_integer);
  if (parsed.fault == IntegerTextFault::beyond_64_bits) return std::string(too_large);
  return to_text(parsed.value);
}

struct Row {
  std::string_view text;
  std::string_view outcome;
};

TEST_CASE("parse_integer") {
  const std::string zeros = "0x" + std::string(5000, '0') + "2a";
  const std::string nines(5000, '9');
  const std::string fs = "0x" + std::string(5000, 'f');
  const std::string junk_behind = nines + "z";
  const Row rows[] = {
      {"0", "0"},
      {"-0", "0"},
      {"7", "7"},
      {"-7", "-7"},
      {"42", "42"},
      {"10", "10"},
      {"0x0", "0"},
      {"-0x0", "0"},
      {"0x2a", "42"},
      {"0x2A", "42"},
      {"-0x2a", "-42"},
      {"0x00000000000000000000000000002a", "42"},
      {zeros, "42"},
      {"2147483647", "2147483647"},
      {"4294967296", "4294967296"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"18446744073709551615", "18446744073709551615"},
      {"-18446744073709551615", "-18446744073709551615"},
      {"0xffffffffffffffff", "18446744073709551615"},
      {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
      {"18446744073709551616", too_large},
      {"-18446744073709551616", too_large},
      {"18446744073709551620", too_large},
      {"99999999999999999999", too_large},
      {"0x10000000000000000", too_large},
      {"-0x10000000000000000", too_large},
      {nines, too_large},
      {fs, too_large},
      {"", no_integer},
      {"-", no_integer},
      {"--1", no_integer},
      {"+1", no_integer},
      {"-+1", no_integer},
      {"010", no_integer},
      {"-010", no_integer},
      {"00", no_integer},
      {"-00", no_integer},
      {"0x", no_integer},
      {"-0x", no_integer},
      {"0X1", no_integer},
      {"0xg", no_integer},
      {"0x-1", no_integer},
      {"x1", no_integer},
      {"00x1", no_integer},
      {"0b1", no_integer},
      {"0o7", no_integer},
      {" 1", no_integer},
      {"1 ", no_integer},
      {"\t1", no_integer},
      {"1\n", no_integer},
      {"- 1", no_integer},
      {"1_000", no_integer},
      {"1,000", no_integer},
      {"1'000", no_integer},
      {"1.0", no_integer},
      {"1e3", no_integer},
      {"1.", no_integer},
      {".1", no_integer},
      {"1a", no_integer},
      {"ff", no_integer},
      {"1u", no_integer},
      {"0x1h", no_integer},
      {"1KiB", no_integer},
      {"inf", no_integer},
      {"nan", no_integer},
      {"one", no_integer},
      {"\xD9\xA1", no_integer},      // an Arabic-Indic digit
      {"\xEF\xBC\x91", no_integer},  // a fullwidth digit
      {std::string_view("1\0", 2), no_integer},
      {std::string_view("\0", 1), no_integer},
      {junk_behind, no_integer},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text.substr(0, 40));
    CHECK(outcome(parse_integer(row.text)) == row.outcome);
  }
}

TEST_CASE("parse_size") {
  const Row rows[] = {
      {"0", "0"},
      {"4096", "4096"},
      {"0x100", "256"},
      {"1KiB", "1024"},
      {"0KiB", "0"},
      {"64MiB", "67108864"},
      {"2GiB", "2147483648"},
      {"0x10KiB", "16384"},
      {"18446744073709551615", "18446744073709551615"},
      {"18014398509481983KiB", "18446744073709550592"},
      {"18014398509481984KiB", too_large},
      {"17592186044415MiB", "18446744073708503040"},
      {"17592186044416MiB", too_large},
      {"17179869183GiB", "18446744072635809792"},
      {"17179869184GiB", too_large},
      {"18446744073709551616", too_large},
      {"18446744073709551616KiB", too_large},
      {"18446744073709551615GiB", too_large},
      {"", no_integer},
      {"KiB", no_integer},
      {"-1", "-1"},
      {"-0", "0"},
      {"-1KiB", "-1024"},
      {"-0x10MiB", "-16777216"},
      {"-17179869183GiB", "-18446744072635809792"},
      {"-17179869184GiB", too_large},
      {"-18446744073709551615", "-18446744073709551615"},
      {"-18446744073709551616", too_large},
      {"--1KiB", no_integer},
      {"1 KiB", no_integer},
      {"1KiB ", no_integer},
      {"1kib", no_integer},
      {"1KIB", no_integer},
      {"1Kib", no_integer},
      {"1KB", no_integer},
      {"1K", no_integer},
      {"1k", no_integer},
      {"1M", no_integer},
      {"1MB", no_integer},
      {"1TiB", no_integer},
      {"1B", no_integer},
      {"1iB", no_integer},
      {"1KiBKiB", no_integer},
      {"1KiBMiB", no_integer},
      {"1.5KiB", no_integer},
      {"01KiB", no_integer},
      {"+1KiB", no_integer},
      {"0xKiB", no_integer},
      {"0X1KiB", no_integer},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(outcome(parse_size(row.text)) == row.outcome);
  }
}

// Every text of up to `most` characters of `alphabet`.
template <class Visit>
void for_each_text(std::string_view alphabet, std::size_t most, const Visit& visit) {
  std::string text;
  const auto grow = [&](const auto& self) -> void {
    visit(text);
    if (text.size() == most) return;
    for (const char each : alphabet) {
      text += each;
      self(self);
      text.pop_back();
    }
  };
  grow(grow);
}

TEST_CASE("every short text is an integer exactly when the grammar says so") {
  const std::regex grammar("-?(0|[1-9][0-9]*)|-?0x[0-9a-fA-F]+");
  std::size_t accepted = 0;
  for_each_text("019aFgxX-+ .", 4, [&](const std::string& text) {
    const IntegerText parsed = parse_integer(text);
    const bool is_integer = std::regex_match(text, grammar);
    accepted += is_integer ? 1 : 0;
    CAPTURE(text);
    CHECK((parsed.fault == IntegerTextFault::none) == is_integer);
    if (is_integer) CHECK(to_text(parsed.value) == std::to_string(std::stoll(text, nullptr, 0)));
  });
  CHECK(accepted > 100);
}

TEST_CASE("every short text is a size exactly when the grammar says so") {
  const std::regex grammar("-?(0|[1-9][0-9]*|0x[0-9a-fA-F]+)([KMG]iB)?");
  std::size_t accepted = 0;
  for_each_text("01ax-KiB", 5, [&](const std::string& text) {
    const bool is_size = std::regex_match(text, grammar);
    accepted += is_size ? 1 : 0;
    CAPTURE(text);
    CHECK((parse_size(text).fault == IntegerTextFault::none) == is_size);
  });
  CHECK(accepted > 100);
}

TEST_CASE("values written in decimal and hex are read back") {
  tests::PseudoRandom random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t value = random.of_any_width();
    char hex[40];
    std::snprintf(hex, sizeof hex, round % 2 == 0 ? "0x%llx" : "0x%llX",
                  static_cast<unsigned long long>(value));
    const std::string decimal = std::to_string(value);
    CAPTURE(decimal);
    CHECK(parse_integer(decimal).value == int128{value});
    CHECK(parse_integer(hex).value == int128{value});
    CHECK(parse_integer("-" + decimal).value == -int128{value});
    CHECK(parse_integer("-" + std::string(hex)).value == -int128{value});
    CHECK(to_text(int128{value}) == decimal);
    CHECK(parse_size(decimal).value == int128{value});
    const std::uint64_t kibibytes = value >> 10U;
    CHECK(parse_size(std::to_string(kibibytes) + "KiB").value == int128{kibibytes} * 1024);
  }
}

TEST_CASE("to_text at the ends of 64 and 128 bits") {
  const int128 largest = static_cast<int128>(~uint128{0} >> 1U);
  CHECK(to_text(0) == "0");
  CHECK(to_text(-1) == "-1");
  CHECK(to_text(10) == "10");
  CHECK(to_text(int128{1} << 63U) == "9223372036854775808");
  CHECK(to_text(-(int128{1} << 63U)) == "-9223372036854775808");
  CHECK(to_text((int128{1} << 64U) - 1) == "18446744073709551615");
  CHECK(to_text(int128{1} << 64U) == "18446744073709551616");
  CHECK(to_text(largest) == "170141183460469231731687303715884105727");
  CHECK(to_text(-largest - 1) == "-170141183460469231731687303715884105728");
}

}  // namespace
}  // namespace slabscope
