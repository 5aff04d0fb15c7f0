// JSON as text, out: strings that are JSON whatever comes in, exact numbers, honest failures.
#include <slabscope/text/json_text.h>

#include "../support/json_reference.h"
#include "../support/paced_source.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

namespace slabscope {
namespace {

std::string read_back(const std::string& json) {
  const auto read = tests::read_reference(json);
  REQUIRE(read.has_value());
  REQUIRE((read->kind == tests::JsonReference::Kind::string));
  return read->string;
}

TEST_CASE("every valid text is read back as itself") {
  std::string all;
  for (int byte = 0; byte < 0x80; ++byte) all += static_cast<char>(byte);
  all +=
      "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F"
      "\xBF\xBF";
  CHECK(read_back(json_string(all)) == all);
  CHECK(json_string("") == "\"\"");
  CHECK(json_string("a\"b\\c/d") == "\"a\\\"b\\\\c/d\"");
  CHECK(read_back(json_string(std::string_view("\0\n\x1f", 3))) == std::string_view("\0\n\x1f", 3));
}

TEST_CASE("what is not UTF-8 becomes U+FFFD and the rest stays") {
  const std::string mark = "\xEF\xBF\xBD";
  struct Row {
    std::string_view text;
    std::string_view kept_before;
    std::string_view kept_after;
  };
  const Row rows[] = {
      {"a\xFFz", "a", "z"},
      {"a\x80z", "a", "z"},
      {"a\xC3z", "a", "z"},
      {"a\xC0\xAFz", "a", "z"},
      {"a\xE2\x82z", "a", "z"},
      {"a\xED\xA0\x80z", "a", "z"},
      {"a\xF0\x80\x80\x80z", "a", "z"},
      {"a\xF4\x90\x80\x80z", "a", "z"},
      {"a\xF5z", "a", "z"},
      {"a\xE2\x82", "a", ""},
      {"a\xF0\x9F\x98", "a", ""},
      {"\xC3", "", ""},
      {"\xC3\xC3\xA9", "", "\xC3\xA9"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string read = read_back(json_string(row.text));
    CHECK(read.starts_with(std::string(row.kept_before) + mark));
    CHECK(read.ends_with(mark + std::string(row.kept_after)));
  }
}

TEST_CASE("any bytes become a JSON string") {
  tests::PseudoRandom random(8);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::uint64_t count = random.below(24); count != 0; --count)
      text += static_cast<char>(random.one_in(2) ? random.below(256) : 0x80 + random.below(128));
    const std::string quoted = json_string(text);
    CHECK(tests::reference_accepts(quoted));
    CHECK(quoted.find('\n') == std::string::npos);
    // A text that is valid on its own is read back unchanged.
    if (tests::reference_accepts("\"" + text + "\"") && text.find('\\') == std::string::npos)
      CHECK(read_back(quoted) == text);
  }
}

std::string written(int128 value) {
  tests::KeepingSink sink;
  TextWriter writer(sink);
  writer.put(value);
  REQUIRE(writer.finish().has_value());
  return sink.text;
}

TEST_CASE("a text that lies nowhere is empty") {
  tests::KeepingSink sink;
  TextWriter writer(sink);
  writer.put("a");
  writer.put(std::string_view());
  writer.put("b");
  REQUIRE(writer.finish().has_value());
  CHECK(sink.text == "ab");
}

TEST_CASE("numbers to the ends of 64 bits") {
  CHECK(written(0) == "0");
  CHECK(written(-1) == "-1");
  CHECK(written(1) == "1");
  CHECK(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(written(int128{1} << 63U) == "9223372036854775808");
  CHECK(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  tests::PseudoRandom random(9);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t value = random.of_any_width();
    CHECK(written(int128{value}) == std::to_string(value));
    const auto signed_value = static_cast<std::int64_t>(value);
    CHECK(written(int128{signed_value}) == std::to_string(signed_value));
  }
}

// Elements of any width, in runs of one value and singly.
template <class T>
std::vector<T> some_elements(std::size_t count, tests::PseudoRandom& random) {
  std::vector<T> made;
  while (made.size() < count) {
    const auto value = static_cast<T>(random.of_any_width());
    const std::size_t copies = random.one_in(4) ? 1 + random.below(200) : 1;
    made.insert(made.end(), std::min(copies, count - made.size()), value);
  }
  return made;
}

template <class T>
std::string listed(const std::vector<T>& elements, std::string_view separator) {
  std::string text;
  for (std::size_t index = 0; index < elements.size(); ++index)
    text.append(index == 0 ? "" : separator).append(std::to_string(elements[index]));
  return text;
}

TEST_CASE_TEMPLATE("lists of numbers", T, std::uint8_t, std::int8_t, std::uint16_t, std::int16_t,
                   std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
  constexpr ElementType type = static_cast<ElementType>(
      2 * std::countr_zero(sizeof(T)) + (std::numeric_limits<T>::is_signed ? 1 : 0));
  tests::PseudoRandom random(10);
  for (const std::string_view separator : {",", ", "}) {
    tests::KeepingSink sink;
    TextWriter writer(sink);
    std::string expected;
    for (int list = 0; list < 300; ++list) {
      // One in many is longer than what the writer collects.
      const std::size_t count = random.one_in(100) ? 20000 : random.below(list % 3 == 0 ? 4 : 600);
      const std::vector<T> elements = some_elements<T>(count, random);
      std::vector<std::byte> bytes(elements.size() * sizeof(T));
      for (std::size_t index = 0; index < elements.size(); ++index)
        store_little_endian(bytes.data() + index * sizeof(T), elements[index]);
      writer.put("[");
      writer.put_numbers(type, bytes, separator);
      writer.put("]");
      expected += "[" + listed(elements, separator) + "]";
    }
    REQUIRE(writer.finish().has_value());
    CHECK((sink.text == expected));
  }
}

TEST_CASE("a write that fails in a list of numbers or in hex ends it") {
  const std::vector<std::byte> bytes(400000, std::byte{77});
  tests::KeepingSink numbers(100000);
  TextWriter first(numbers);
  first.put_numbers(ElementType::u32, bytes, ",");
  CHECK_FALSE(first.finish().has_value());
  tests::KeepingSink hex(100000);
  TextWriter second(hex);
  second.put_hex(bytes);
  CHECK_FALSE(second.finish().has_value());
}

TEST_CASE("bytes as hex") {
  std::string bytes;
  std::string expected;
  for (int byte = 0; byte < 256; ++byte) {
    bytes += static_cast<char>(byte);
    char pair[4];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(byte));
    expected += pair;
  }
  tests::KeepingSink sink;
  TextWriter writer(sink);
  writer.put_hex(std::as_bytes(std::span(bytes)));
  writer.put_hex({});
  for (int round = 0; round < 400; ++round) {  // past the end of what the writer collects
    writer.put_hex(std::as_bytes(std::span(bytes)));
    writer.put("-");
    expected += expected.substr(0, 512) + "-";
  }
  REQUIRE(writer.finish().has_value());
  CHECK(sink.text == expected);
}

TEST_CASE("text arrives whole, in large pieces") {
  tests::KeepingSink sink;
  TextWriter writer(sink);
  std::string expected;
  for (int line = 0; line < 20000; ++line) {
    const std::string text = "line " + std::to_string(line) + "\n";
    writer.put(text);
    expected += text;
  }
  REQUIRE(writer.finish().has_value());
  CHECK(sink.text == expected);
  CHECK(sink.writes < 10);
}

TEST_CASE("a failed write is told, and later text does not hide it") {
  tests::KeepingSink sink(10);
  TextWriter writer(sink);
  CHECK_FALSE(writer.failed());
  writer.put(std::string(100000, 'a'));
  CHECK(writer.failed());
  writer.put("b");
  const auto outcome = writer.finish();
  REQUIRE_FALSE(outcome.has_value());
  CHECK((outcome.error().code == ErrorCode::write_failed));
  CHECK(sink.writes == 1);
}

TEST_CASE("a write that fails at the very end is told") {
  tests::KeepingSink sink(3);
  TextWriter writer(sink);
  writer.put("abcd");
  CHECK_FALSE(writer.failed());
  CHECK_FALSE(writer.finish().has_value());
}

}  // namespace
}  // namespace slabscope
