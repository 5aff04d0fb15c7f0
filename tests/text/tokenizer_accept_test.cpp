// What the tokenizer takes and what it refuses: RFC 8259 and RFC 3629, beside an independent
// reader, however the bytes arrive.
#include "../support/json_reference.h"
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace slabscope {
namespace {

using tests::token_lines;

constexpr bool valid = true;
constexpr bool invalid = false;

struct Row {
  std::string_view text;
  bool is_valid;
  // The reference skips a byte order mark, ends at a zero byte, and refuses numbers past a double.
  bool reference_differs = false;
};

using namespace std::string_view_literals;

constexpr Row documents[] = {
    // Structure.
    {"", invalid},
    {" ", invalid},
    {"\n\r\t ", invalid},
    {"{}", valid},
    {"[]", valid},
    {" { } ", valid},
    {"\r\n[\t]\n", valid},
    {"[[]]", valid},
    {"[{}]", valid},
    {"[[],[]]", valid},
    {"{\"a\":{}}", valid},
    {"{\"a\":[]}", valid},
    {"{\"\":0}", valid},
    {"{\"a\":1,\"b\":2}", valid},
    {"{\"a\":1,\"a\":2}", valid},  // duplicates are the reader's business
    {"[1,2,3]", valid},
    {"[1 , 2 ]", valid},
    {"{\"a\" : 1 }", valid},
    {"{\"a\"\n:\n1\n,\n\"b\"\n:\n2\n}", valid},
    {"{", invalid},
    {"}", invalid},
    {"[", invalid},
    {"]", invalid},
    {",", invalid},
    {":", invalid},
    {"{]", invalid},
    {"[}", invalid},
    {"{}}", invalid},
    {"[]]", invalid},
    {"[][]", invalid},
    {"{}{}", invalid},
    {"{} {}", invalid},
    {"{}\n{}", invalid},
    {"[1 2]", invalid},
    {"[1,]", invalid},
    {"[,1]", invalid},
    {"[,]", invalid},
    {"[1,,2]", invalid},
    {"[1;2]", invalid},
    {"[1:2]", invalid},
    {"[\"a\":1]", invalid},
    {"[1", invalid},
    {"[1,", invalid},
    {"[[1]", invalid},
    {"{\"a\":1,}", invalid},
    {"{,\"a\":1}", invalid},
    {"{\"a\":1,,\"b\":2}", invalid},
    {"{\"a\":1 \"b\":2}", invalid},
    {"{\"a\"}", invalid},
    {"{\"a\":}", invalid},
    {"{\"a\" 1}", invalid},
    {"{\"a\"::1}", invalid},
    {"{\"a\",1}", invalid},
    {"{\"a\":1:2}", invalid},
    {"{a:1}", invalid},
    {"{'a':1}", invalid},
    {"{1:1}", invalid},
    {"{null:1}", invalid},
    {"{true:1}", invalid},
    {"{[]:1}", invalid},
    {"{{}:1}", invalid},
    {"{\"a\":1", invalid},
    {"{\"a\":", invalid},
    {"{\"a\"", invalid},
    {"{\"a", invalid},
    {"{\"a\":1]", invalid},
    {"[1}", invalid},
    {"[{\"a\":1]}", invalid},
    {"(1)", invalid},
    {"<1>", invalid},
    {"1 2", invalid},
    {"1,2", invalid},
    {"\"a\" \"b\"", invalid},
    {"null null", invalid},
    {"*", invalid},
    {"@", invalid},
    {"$", invalid},
    {"`a`", invalid},
    // Comments are none.
    {"// a\n1", invalid},
    {"1 // a", invalid},
    {"/* a */1", invalid},
    {"[1/* a */]", invalid},
    {"# a\n1", invalid},
    {"{}#", invalid},
    {"{}/", invalid},
    // Blanks: only four of them.
    {"\v1", invalid},
    {"\f1", invalid},
    {"[1\f]", invalid},
    {"\xC2\xA0"
     "1",
     invalid},
    {"\xE2\x80\xA8"
     "1",
     invalid},
    {"\xE2\x81\xA0[]", invalid},
    // Words.
    {"true", valid},
    {"false", valid},
    {"null", valid},
    {"[true,false,null]", valid},
    {"True", invalid},
    {"TRUE", invalid},
    {"tRUE", invalid},
    {"tru", invalid},
    {"truee", invalid},
    {"true1", invalid},
    {"t rue", invalid},
    {"fals", invalid},
    {"falsey", invalid},
    {"nul", invalid},
    {"nulL", invalid},
    {"nullnull", invalid},
    {"nil", invalid},
    {"none", invalid},
    {"undefined", invalid},
    {"NaN", invalid},
    {"nan", invalid},
    {"Infinity", invalid},
    {"-Infinity", invalid},
    {"inf", invalid},
    {"[tru]", invalid},
    {"[nulll]", invalid},
    {"true\xC3\xA9", invalid},
    // Numbers.
    {"0", valid},
    {"-0", valid},
    {"1", valid},
    {"-1", valid},
    {"10", valid},
    {"123456789", valid},
    {"9223372036854775807", valid},
    {"9223372036854775808", valid},
    {"-9223372036854775808", valid},
    {"-9223372036854775809", valid},
    {"18446744073709551615", valid},
    {"18446744073709551616", valid},
    {"100000000000000000000000000000000000000000", valid},
    {"0.0", valid},
    {"-0.0", valid},
    {"0.5", valid},
    {"1.5", valid},
    {"1.50", valid},
    {"00.5", invalid},
    {"1e5", valid},
    {"1E5", valid},
    {"1e+5", valid},
    {"1e-5", valid},
    {"1e05", valid},
    {"0e0", valid},
    {"0E+1", valid},
    {"-0e-1", valid},
    {"1.5e5", valid},
    {"1.5E+05", valid},
    {"1e400", valid, true},
    {"-1e400", valid, true},
    {"1e-400", valid},
    {"00", invalid},
    {"01", invalid},
    {"-00", invalid},
    {"-01", invalid},
    {"+1", invalid},
    {"++1", invalid},
    {"--1", invalid},
    {"-", invalid},
    {"- 1", invalid},
    {"-a", invalid},
    {".5", invalid},
    {"-.5", invalid},
    {"1.", invalid},
    {"-1.", invalid},
    {"1.e5", invalid},
    {"1..5", invalid},
    {"1.5.5", invalid},
    {"1.a", invalid},
    {"0.", invalid},
    {".", invalid},
    {"e5", invalid},
    {"1e", invalid},
    {"1e+", invalid},
    {"1e-", invalid},
    {"1e+-5", invalid},
    {"1ee5", invalid},
    {"1e5.5", invalid},
    {"1e5e5", invalid},
    {"1eE5", invalid},
    {"1e 5", invalid},
    {"1 e5", invalid},
    {"1. 5", invalid},
    {"1 .5", invalid},
    {"0x10", invalid},
    {"0X10", invalid},
    {"0b1", invalid},
    {"0o7", invalid},
    {"1_000", invalid},
    {"1'000", invalid},
    {"1,000", invalid},
    {"1a", invalid},
    {"0a", invalid},
    {"-0a", invalid},
    {"1f", invalid},
    {"1L", invalid},
    {"[1.]", invalid},
    {"[-]", invalid},
    {"[01]", invalid},
    {"[1e]", invalid},
    {"[0,00]", invalid},
    {"{\"a\":-}", invalid},
    {"\xD9\xA1", invalid},
    {"\xEF\xBC\x91", invalid},
    // Strings.
    {"\"\"", valid},
    {"\"a\"", valid},
    {"\"a b\"", valid},
    {"\" \"", valid},
    {"\"/\"", valid},
    {"\"'\"", valid},
    {"\"\x7f\"", valid},
    {"\"a/*b*/c\"", valid},
    {"\"\\\"\"", valid},
    {"\"\\\\\"", valid},
    {"\"\\/\"", valid},
    {"\"\\b\\f\\n\\r\\t\"", valid},
    {"\"\\u0000\"", valid},
    {"\"\\u001f\"", valid},
    {"\"\\u0041\"", valid},
    {"\"\\uabcd\\uABCD\\uAbCd\"", valid},
    {"\"\\uFFFF\"", valid},
    {"\"\\uFFFE\"", valid},
    {"\"\\uFDD0\"", valid},
    {"\"\\uD7FF\"", valid},
    {"\"\\uE000\"", valid},
    {"\"\\uD800\\uDC00\"", valid},
    {"\"\\uDBFF\\uDFFF\"", valid},
    {"\"\\ud83d\\ude00\"", valid},
    {"\"\\uD800\\uDC00\\uD800\\uDC00\"", valid},
    {"\"\\uD800\"", invalid},
    {"\"\\uDBFF\"", invalid},
    {"\"\\uDC00\"", invalid},
    {"\"\\uDFFF\"", invalid},
    {"\"\\uD800a\"", invalid},
    {"\"\\uD800\\n\"", invalid},
    {"\"\\uD800\\u0041\"", invalid},
    {"\"\\uD800\\uD800\"", invalid},
    {"\"\\uD800\\uE000\"", invalid},
    {"\"\\uD800\\uDBFF\"", invalid},
    {"\"\\uDC00\\uD800\"", invalid},
    {"\"\\uD800\\\"", invalid},
    {"\"\\uD800\\u\"", invalid},
    {"\"\\uD800\\uDC0\"", invalid},
    {"\"\\uD800\\xDC00\"", invalid},
    {"\"\\u\"", invalid},
    {"\"\\u0\"", invalid},
    {"\"\\u00\"", invalid},
    {"\"\\u004\"", invalid},
    {"\"\\u004g\"", invalid},
    {"\"\\u00G1\"", invalid},
    {"\"\\u+041\"", invalid},
    {"\"\\u-041\"", invalid},
    {"\"\\u 041\"", invalid},
    {"\"\\u0x41\"", invalid},
    {"\"\\U0041\"", invalid},
    {"\"\\x41\"", invalid},
    {"\"\\a\"", invalid},
    {"\"\\v\"", invalid},
    {"\"\\0\"", invalid},
    {"\"\\'\"", invalid},
    {"\"\\ \"", invalid},
    {"\"\\\n\"", invalid},
    {"\"\\\"", invalid},
    {"\"\\", invalid},
    {"\"\\u", invalid},
    {"\"\\u12", invalid},
    {"\"", invalid},
    {"\"a", invalid},
    {"\"a\\\"", invalid},
    {"'a'", invalid},
    {"a", invalid},
    {"\"a\nb\"", invalid},
    {"\"a\rb\"", invalid},
    {"\"a\tb\"", invalid},
    {"\"\x1f\"", invalid},
    {"\"\x01\"", invalid},
    {"\"a\"b", invalid},
    {"\"a\"\"b\"", invalid},
    {"\"\"\"", invalid},
    {"{\"\\u0061\":1}", valid},
    {"{\"\\ud800\":1}", invalid},
    {"{\"a\nb\":1}", invalid},
    // UTF-8 in strings.
    {"\"\xC2\x80\"", valid},
    {"\"\xDF\xBF\"", valid},
    {"\"\xE0\xA0\x80\"", valid},
    {"\"\xED\x9F\xBF\"", valid},
    {"\"\xEE\x80\x80\"", valid},
    {"\"\xEF\xBF\xBF\"", valid},
    {"\"\xEF\xBB\xBF\"", valid},
    {"\"\xF0\x90\x80\x80\"", valid},
    {"\"\xF4\x8F\xBF\xBF\"", valid},
    {"\"\xE2\x80\xA8\"", valid},
    {"\"\x80\"", invalid},
    {"\"\xBF\"", invalid},
    {"\"\xC0\x80\"", invalid},
    {"\"\xC0\xAF\"", invalid},
    {"\"\xC1\xBF\"", invalid},
    {"\"\xC2\"", invalid},
    {"\"\xC2\x7F\"", invalid},
    {"\"\xC2\xC0\"", invalid},
    {"\"\xE0\x80\x80\"", invalid},
    {"\"\xE0\x9F\xBF\"", invalid},
    {"\"\xE2\x82\"", invalid},
    {"\"\xE2\"", invalid},
    {"\"\xE2\x28\xA1\"", invalid},
    {"\"\xE2\x82\x28\"", invalid},
    {"\"\xED\xA0\x80\"", invalid},
    {"\"\xED\xBF\xBF\"", invalid},
    {"\"\xED\xA0\x80\xED\xB0\x80\"", invalid},
    {"\"\xF0\x80\x80\x80\"", invalid},
    {"\"\xF0\x8F\xBF\xBF\"", invalid},
    {"\"\xF0\x90\x80\"", invalid},
    {"\"\xF4\x90\x80\x80\"", invalid},
    {"\"\xF5\x80\x80\x80\"", invalid},
    {"\"\xF8\x88\x80\x80\x80\"", invalid},
    {"\"\xFE\"", invalid},
    {"\"\xFF\"", invalid},
    {"\"\xC3\xA9\xA9\"", invalid},
    {"\"\\\xC3\xA9\"", invalid},
    {"{\"\xFF\":1}", invalid},
    {"{\"\xC3\xA9\":1}", valid},
    {"\xC3\xA9", invalid},
    {"\xFF", invalid},
    // Byte order marks and zero bytes.
    {"\xEF\xBB\xBF{}", invalid, true},
    {"\xEF\xBB\xBF", invalid},
    {"\xEF\xBB{}", invalid},
    {"{}\xEF\xBB\xBF", invalid},
    {"\xFE\xFF\0{\0}"sv, invalid},
    {"\xFF\xFE{\0}\0"sv, invalid},
    {"\0"sv, invalid},
    {"{}\0"sv, invalid, true},
    {"1\0"sv, invalid, true},
    {"[1\0]"sv, invalid},
    {"\"\0\""sv, invalid},
    {"\0{}"sv, invalid},
};

bool accepts(std::string_view text) {
  const std::string last = token_lines(text, tests::all_at_once).back();
  return last.starts_with("end ");
}

// The same tokens, the same error, the same places, however the bytes arrive.
void check_every_pace(std::string_view text) {
  const std::string whole = tests::joined(token_lines(text, tests::all_at_once));
  for (const std::size_t pace : tests::paces) {
    CAPTURE(pace);
    CHECK(tests::joined(token_lines(text, pace)) == whole);
  }
}

TEST_CASE("a table of documents") {
  for (const Row& row : documents) {
    const std::string text(row.text);
    CAPTURE(text);
    CHECK(accepts(text) == row.is_valid);
    CHECK(tests::reference_accepts(text) == (row.is_valid != row.reference_differs));
    check_every_pace(text);
  }
}

TEST_CASE("every document of the table inside a list and inside an object") {
  for (const Row& row : documents) {
    if (row.reference_differs || row.text.find('\0') != std::string_view::npos) continue;
    for (const auto& [before, after] : {std::pair("[ ", ",0]"), std::pair("{\"a\":[", "]}")}) {
      const std::string text = before + std::string(row.text) + after;
      CAPTURE(text);
      CHECK(accepts(text) == tests::reference_accepts(text));
      check_every_pace(text);
    }
  }
}

TEST_CASE("every byte alone, behind a value, in a string, behind a backslash, in a number") {
  for (int byte = 1; byte < 256; ++byte) {
    const char character = static_cast<char>(byte);
    for (const auto& [before, after] :
         {std::pair("", ""), std::pair("", "1"), std::pair("[1", "]"), std::pair("1", ""),
          std::pair("\"", "\""), std::pair("\"\\", "\""), std::pair("\"\\u00", "0\""),
          std::pair("[-", "]"), std::pair("[1e", "]"), std::pair("[1.", "]"), std::pair("[", "1]"),
          std::pair("{", "\"a\":1}"), std::pair("{\"a\"", ":1}"), std::pair("{\"a\":1", "}")}) {
      const std::string text = before + std::string(1, character) + after;
      CAPTURE(text);
      CHECK(accepts(text) == tests::reference_accepts(text));
    }
  }
}

TEST_CASE("UTF-8 sequences at every boundary") {
  constexpr unsigned seconds[] = {0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
  constexpr unsigned tails[] = {0x7F, 0x80, 0xBF, 0xC0};
  std::size_t valid_ones = 0;
  std::size_t wrong = 0;
  const auto check = [&](std::initializer_list<unsigned> bytes) {
    std::string text = "\"";
    for (const unsigned each : bytes) text += static_cast<char>(each);
    text += "\"";
    const bool is_valid = accepts(text);
    if (is_valid != tests::reference_accepts(text)) ++wrong;
    valid_ones += is_valid ? 1 : 0;
  };
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    check({lead});
    for (const unsigned second : seconds) {
      check({lead, second});
      if (lead < 0xDF) continue;
      for (const unsigned third : tails) {
        check({lead, second, third});
        if (lead < 0xEF) continue;
        for (const unsigned fourth : tails) check({lead, second, third, fourth});
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(valid_ones > 200);
}

std::string utf8(std::uint32_t code_point) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xC0 | code_point >> 6), byte(0x80 | (code_point & 0x3F))};
  if (code_point < 0x10000)
    return {byte(0xE0 | code_point >> 12), byte(0x80 | (code_point >> 6 & 0x3F)),
            byte(0x80 | (code_point & 0x3F))};
  return {byte(0xF0 | code_point >> 18), byte(0x80 | (code_point >> 12 & 0x3F)),
          byte(0x80 | (code_point >> 6 & 0x3F)), byte(0x80 | (code_point & 0x3F))};
}

TEST_CASE("every escaped code unit that is no surrogate") {
  std::string text = "[\"\"";
  char escape[16];
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    if (unit >= 0xD800 && unit <= 0xDFFF) continue;
    std::snprintf(escape, sizeof escape, unit % 2 == 0 ? ",\"\\u%04x\"" : ",\"\\u%04X\"", unit);
    text += escape;
  }
  text += "]";
  MemorySource source(text);
  Tokenizer tokenizer(source, "text.json");
  REQUIRE(tokenizer.next().has_value());
  REQUIRE(tokenizer.next().has_value());
  std::size_t wrong = 0;
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    if (unit >= 0xD800 && unit <= 0xDFFF) continue;
    const auto token = tokenizer.next();
    REQUIRE(token.has_value());
    if (token->text != utf8(unit)) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(token_lines(tokenizer).size() == 2);
}

TEST_CASE("surrogate pairs") {
  for (const std::uint32_t code_point : {0x10000U, 0x10001U, 0x103FFU, 0x10400U, 0x1F600U, 0xFFFFFU,
                                         0x100000U, 0x10FC00U, 0x10FFFFU}) {
    char text[32];
    std::snprintf(text, sizeof text, "\"\\u%04x\\u%04x\"", 0xD800 + ((code_point - 0x10000) >> 10),
                  0xDC00 + ((code_point - 0x10000) & 0x3FF));
    CAPTURE(code_point);
    MemorySource source{std::string_view(text)};
    Tokenizer tokenizer(source, "text.json");
    const auto token = tokenizer.next();
    REQUIRE(token.has_value());
    CHECK(token->text == utf8(code_point));
    CHECK_FALSE(token->plain);
  }
}

TEST_CASE("no document that is cut short is taken for a whole one") {
  const std::string_view document =
      "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\xE2\x82\xAC\", true, false, null], \"b\": {\"c\": {}}}";
  REQUIRE(accepts(document));
  for (std::size_t length = 0; length < document.size(); ++length) {
    const std::string text(document.substr(0, length));
    CAPTURE(text);
    CHECK_FALSE(accepts(text));
    check_every_pace(text);
  }
}

}  // namespace
}  // namespace slabscope
