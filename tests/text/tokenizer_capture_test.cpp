// A value kept as text and read later, at its place, is read as it would have been at once.
#include "../support/json_scribe.h"
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::PacedSource;
using tests::token_lines;

constexpr std::size_t no_limit = std::size_t{1} << 40;

TEST_CASE("captured values replay with the same places and pointers") {
  tests::PseudoRandom random(7);
  for (int round = 0; round < 300; ++round) {
    // {"k/~": VALUE, "z": 1}: the scribe notes VALUE's tokens at their places.
    tests::JsonScribe scribe(random);
    scribe.put("{");
    scribe.blanks();
    scribe.put("\"k/~\"");
    scribe.blanks();
    scribe.put(":");
    scribe.blanks();
    const std::size_t begin = scribe.text().size();
    const TextPlace begin_place = scribe.here();
    scribe.object("/k~1~0", 1 + round % 5);
    const std::size_t end = scribe.text().size();
    const std::vector<std::string> noted = scribe.lines();
    scribe.blanks();
    scribe.put(",\n\"z\":1}");

    CAPTURE(scribe.text());
    for (const std::size_t pace : tests::paces) {
      CAPTURE(pace);
      PacedSource source(scribe.text(), pace);
      Tokenizer tokenizer(source, "text.json");
      REQUIRE(tokenizer.next().has_value());
      REQUIRE(tokenizer.next().has_value());
      std::string captured;
      const auto place = tokenizer.capture_value(captured, no_limit, "");
      REQUIRE(place.has_value());
      CHECK(tests::shown(*place) == tests::shown(begin_place));
      CHECK(captured == scribe.text().substr(begin, end - begin));
      CHECK(tokenizer.pointer() == "/k~1~0");

      MemorySource kept{std::string_view(captured)};
      Tokenizer replay(kept, "text.json", *place, "/k~1~0");
      std::vector<std::string> lines = token_lines(replay);
      lines.pop_back();
      CHECK(tests::joined(lines) == tests::joined(noted));

      const auto rest = token_lines(tokenizer);
      REQUIRE(rest.size() == 4);
      CHECK(rest[0].starts_with("key "));
      CHECK(rest[0].ends_with(" '/z' <z>"));
      CHECK(rest[1].ends_with(" '/z' 1 written 1"));
    }
  }
}

TEST_CASE("values of every kind are captured whole and no byte more") {
  for (const std::string_view value : {"1", "-2.5e+3", "\"a\\\"b\"", "\"\"", "true", "false",
                                       "null", "[]", "{}", "[1, [2 ]\n]", "{\"x\" : \"y\"}"}) {
    for (const std::string_view around : {"", " ", "\n\t "}) {
      const std::string text =
          "[" + std::string(around) + std::string(value) + std::string(around) + ", 7]";
      CAPTURE(text);
      for (const std::size_t pace : tests::paces) {
        PacedSource source(text, pace);
        Tokenizer tokenizer(source, "text.json");
        REQUIRE(tokenizer.next().has_value());
        std::string captured = "before ";
        const auto place = tokenizer.capture_value(captured, no_limit, "");
        REQUIRE(place.has_value());
        CHECK(captured == "before " + std::string(value));
        CHECK(tests::shown(*place) == tests::shown(tests::place_of(text, 1 + around.size())));
        const auto rest = token_lines(tokenizer);
        CHECK(rest.front().ends_with(" '/1' 7 written 7"));
        CHECK(rest.back().starts_with("end "));
      }
    }
  }
}

TEST_CASE("a value larger than a chunk") {
  std::string value = "[0";
  while (value.size() < 300000) value += ", \"some text\", 123456";
  value += "]";
  const std::string text = "{\"a\": " + value + ", \"b\": 2}";
  for (const std::size_t pace : {std::size_t{7}, std::size_t{65536}, tests::all_at_once}) {
    PacedSource source(text, pace);
    Tokenizer tokenizer(source, "text.json");
    REQUIRE(tokenizer.next().has_value());
    REQUIRE(tokenizer.next().has_value());
    std::string captured;
    REQUIRE(tokenizer.capture_value(captured, no_limit, "").has_value());
    CHECK(captured == value);
    CHECK(token_lines(tokenizer).size() == 4);
  }
}

TEST_CASE("mistakes in a captured value are told at once, at their place") {
  for (const std::string_view text :
       {"{\"a\": @}", "{\"a\": [1, @x]}", "{\"a\" @1}", "{\"a\": \"b\\@x\"}", "{\"a\": {\"b\" @1}}",
        "{\"a\": [1@", "{\"a\": @", "{\"a\"@"}) {
    const tests::MarkedText marked(text);
    CAPTURE(text);
    for (const std::size_t pace : tests::paces) {
      PacedSource source(marked.text, pace);
      Tokenizer tokenizer(source, "text.json");
      REQUIRE(tokenizer.next().has_value());
      REQUIRE(tokenizer.next().has_value());
      std::string captured;
      const auto place = tokenizer.capture_value(captured, no_limit, "");
      REQUIRE_FALSE(place.has_value());
      CHECK(tests::shown(place.error()).starts_with("syntax " + marked.place + " "));
    }
  }
}

Result<TextPlace> capture_within(std::string_view text, std::size_t pace, std::size_t most) {
  PacedSource source(text, pace);
  Tokenizer tokenizer(source, "text.json");
  (void)tokenizer.next();
  (void)tokenizer.next();
  std::string captured;
  return tokenizer.capture_value(captured, most, "say it earlier");
}

TEST_CASE("a value of `most` bytes is kept, a longer one is refused with the advice") {
  const std::string text = "{\"a\": [12345678], \"b\": 1}";
  for (const std::size_t pace : tests::paces) {
    CAPTURE(pace);
    CHECK(capture_within(text, pace, 10).has_value());
    for (const std::size_t most : {9U, 5U, 1U, 0U}) {
      const auto refused = capture_within(text, pace, most);
      REQUIRE_FALSE(refused.has_value());
      CHECK((refused.error().code == ErrorCode::limit_exceeded));
      CHECK(refused.error().message.find("say it earlier") != std::string::npos);
      CHECK(refused.error().file == "text.json");
    }
  }
}

TEST_CASE("a value that is too long is refused at the same place however the bytes arrive") {
  const std::string text = "{\"a\": [12345678], \"b\": 1}";
  const std::string whole = tests::shown_error(capture_within(text, tests::all_at_once, 5));
  for (const std::size_t pace : tests::paces) {
    CAPTURE(pace);
    CHECK(tests::shown_error(capture_within(text, pace, 5)) == whole);
  }
}

}  // namespace
}  // namespace slabscope
