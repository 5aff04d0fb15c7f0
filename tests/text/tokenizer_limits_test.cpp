// Numbers to their last digit, and what is long or deep.
#include "../support/paced_source.h"
#include "../support/pseudo_random.h"
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <string>

namespace slabscope {
namespace {

using tests::all_at_once;
using tests::PacedSource;
using tests::token_lines;

TEST_CASE("integers are exact up to 2^64-1 and said to be beyond from 2^64 on") {
  struct Row {
    std::string_view text;
    std::string_view value;
  };
  const Row rows[] = {
      {"0", "0"},
      {"-0", "0"},
      {"9007199254740993", "9007199254740993"},  // 2^53+1, which no double holds
      {"-9007199254740993", "-9007199254740993"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"18446744073709551614", "18446744073709551614"},
      {"18446744073709551615", "18446744073709551615"},
      {"-18446744073709551615", "-18446744073709551615"},
      {"18446744073709551616", "beyond"},
      {"-18446744073709551616", "beyond"},
      {"18446744073709551619", "beyond"},
      {"18446744073709551620", "beyond"},
      {"184467440737095516150", "beyond"},
      {"340282366920938463463374607431768211455", "beyond"},
      {"340282366920938463463374607431768211456", "beyond"},
      {"340282366920938463463374607431768211457", "beyond"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    for (const std::size_t pace : tests::paces) {
      const auto lines = token_lines(row.text, pace);
      REQUIRE(lines.size() == 2);
      CHECK(lines[0] == "integer 1:1 '' " + tests::integer_payload(row.text, row.value));
    }
  }
}

TEST_CASE("numbers of any length cost no memory and keep their kind") {
  struct Row {
    std::string_view what;
    std::string text;
    TokenKind kind;
  };
  const std::string digits(200000, '7');
  const Row rows[] = {
      {"an integer", digits, TokenKind::integer},
      {"a negative integer", "-" + digits, TokenKind::integer},
      {"a fraction", "0." + digits, TokenKind::real},
      {"an exponent", "1e" + digits, TokenKind::real},
      {"all of it", "-" + digits + "." + digits + "E-" + digits, TokenKind::real},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const std::string text = "[" + row.text + ",1]";
    for (const std::size_t pace : {std::size_t{7}, std::size_t{4096}, all_at_once}) {
      PacedSource source(text, pace);
      Tokenizer tokenizer(source, "text.json");
      REQUIRE(tokenizer.next().has_value());
      const auto token = tokenizer.next();
      REQUIRE(token.has_value());
      CHECK((token->kind == row.kind));
      CHECK(token->beyond_64_bits == true);
      CHECK(token->text.size() <= 100);
      CHECK(row.text.starts_with(token->text));
      const auto after = tokenizer.next();
      REQUIRE(after.has_value());
      CHECK(after->place.column == row.text.size() + 3);
      CHECK((after->value == 1));
    }
  }
}

TEST_CASE("the digits of a fraction or an exponent are no part of an integer's value") {
  // A real has no integer value: users must look at the kind.
  for (const std::string_view text : {"1.5", "1e2", "-3.0", "0.1"}) {
    MemorySource source{text};
    Tokenizer tokenizer(source, "text.json");
    const auto token = tokenizer.next();
    REQUIRE(token.has_value());
    CHECK((token->kind == TokenKind::real));
    CHECK(token->text == text);
  }
}

struct Joiner final : StringSink {
  void take(std::string_view piece) override {
    most = std::max(most, piece.size());
    text += piece;
  }
  std::string text;
  std::size_t most = 0;
};

// `written` and what it means.
struct LongString {
  std::string written;
  std::string decoded;
};
LongString long_string(std::size_t least_bytes) {
  constexpr std::pair<std::string_view, std::string_view> pieces[] = {
      {"abc", "abc"},
      {"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"},
      {"\\n", "\n"},
      {"\\u20ac", "\xE2\x82\xAC"},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
  };
  tests::PseudoRandom random(6);
  LongString made;
  while (made.decoded.size() < least_bytes) {
    const auto& [written, decoded] = random.pick(pieces);
    made.written += written;
    made.decoded += decoded;
  }
  return made;
}

TEST_CASE("a string taken in pieces is the same text, in small pieces") {
  for (const std::size_t bytes : {0U, 1U, 4095U, 4096U, 4097U, 65535U, 65536U, 65537U, 3000000U}) {
    const LongString string = long_string(bytes);
    const std::string text = "[\"" + string.written + "\", 1]";
    CAPTURE(bytes);
    for (const std::size_t pace : {std::size_t{3}, std::size_t{5000}, all_at_once}) {
      PacedSource source(text, pace);
      Tokenizer tokenizer(source, "text.json");
      REQUIRE(tokenizer.next().has_value());
      Joiner joiner;
      const auto token = tokenizer.next(joiner);
      REQUIRE(token.has_value());
      CHECK((token->kind == TokenKind::string));
      CHECK(token->text.empty());
      CHECK(joiner.text == string.decoded);
      CHECK(joiner.most <= 16384);
      const auto after = tokenizer.next(joiner);
      REQUIRE(after.has_value());
      CHECK((after->value == 1));
      CHECK(after->place.column == string.written.size() + 6);
      CHECK(tokenizer.pointer() == "/1");
    }
  }
}

TEST_CASE("only string values go to the sink") {
  MemorySource source(std::string_view("{\"key\": [1, true, \"x\"]}"));
  Tokenizer tokenizer(source, "text.json");
  Joiner joiner;
  std::string keys;
  for (;;) {
    const auto token = tokenizer.next(joiner);
    REQUIRE(token.has_value());
    if (token->kind == TokenKind::key) keys += token->text;
    if (token->kind == TokenKind::end_of_input) break;
  }
  CHECK(keys == "key");
  CHECK(joiner.text == "x");
}

TEST_CASE("short strings across every pace") {
  const LongString string = long_string(70000);
  const std::string text = "\n\"" + string.written + "\"";
  for (const std::size_t pace : tests::paces) {
    PacedSource source(text, pace);
    Tokenizer tokenizer(source, "text.json");
    const auto token = tokenizer.next();
    REQUIRE(token.has_value());
    CHECK(token->text == string.decoded);
    CHECK(tests::shown(token->place) == "2:1");
  }
}

TEST_CASE("a string or key of up to max_string_bytes is held, a longer one is refused") {
  const std::string most(max_string_bytes, 'a');
  struct Row {
    std::string_view what;
    std::string text;
    bool taken;
  };
  const Row rows[] = {
      {"the longest string", "[\n \"" + most + "\"]", true},
      {"one byte more", "[\n \"" + most + "b\"]", false},
      {"the longest key", "{\n \"" + most + "\":1}", true},
      {"a key of one byte more", "{\n \"" + most + "b\":1}", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::size_t pace : {std::size_t{7}, std::size_t{4099}, all_at_once}) {
      const std::string last = token_lines(row.text, pace).back();
      if (row.taken)
        CHECK(last.starts_with("end "));
      else
        CHECK(last.starts_with("error limit_exceeded 2:2 "));
    }
  }
}

std::string nested(std::size_t depth, std::string_view open, std::string_view inside,
                   std::string_view close) {
  std::string text;
  for (std::size_t level = 0; level < depth; ++level) text += open;
  text += inside;
  for (std::size_t level = 0; level < depth; ++level) text += close;
  return text;
}

TEST_CASE("64 levels are taken, the 65th is refused where it opens") {
  CHECK(max_json_depth == 64);
  for (const std::size_t pace : tests::paces) {
    CHECK(token_lines(nested(64, "[", "", "]"), pace).back().starts_with("end "));
    CHECK(token_lines(nested(63, "{\"a\":", "{}", "}"), pace).back().starts_with("end "));
    CHECK(token_lines(nested(64, "[", "1", "]"), pace).back().starts_with("end "));
    CHECK(token_lines(nested(65, "[", "", "]"), pace)
              .back()
              .starts_with("error limit_exceeded 1:65 /0/0"));
    CHECK(token_lines(nested(64, "{\"a\":", "{}", "}"), pace)
              .back()
              .starts_with("error limit_exceeded 1:321 /a/a"));
    CHECK(token_lines(nested(32, "[{\"a\":", "[]", "}]"), pace)
              .back()
              .starts_with("error limit_exceeded 1:193 /0/a"));
  }
  // Levels that were closed do not count.
  const std::string wide = "[" + nested(63, "[", "", "]") + "," + nested(63, "[", "", "]") + "]";
  CHECK(token_lines(wide, all_at_once).back().starts_with("end "));
  CHECK(token_lines(std::string(1000000, '['), all_at_once)
            .back()
            .starts_with("error limit_exceeded 1:65 "));
}

TEST_CASE("skip_rest passes over one value and nothing else") {
  const std::string_view text = "[{\"a\": [1, {\"b\": []}], \"c\": \"x\"}, [[], [2]], 3, \"y\", 4]";
  MemorySource source{text};
  Tokenizer tokenizer(source, "text.json");
  REQUIRE(tokenizer.next().has_value());
  for (const std::string_view pointer : {"/0", "/1", "/2", "/3"}) {
    const auto first = tokenizer.next();
    REQUIRE(first.has_value());
    CHECK(tokenizer.pointer() == pointer);
    const Token value = *first;
    REQUIRE(tokenizer.skip_rest(value).has_value());
    CHECK(tokenizer.pointer() == pointer);
  }
  const std::string last_place = tests::shown(tests::place_of(text, text.find("4]")));
  const auto rest = token_lines(tokenizer);
  REQUIRE(rest.size() == 3);
  CHECK(rest[0] == "integer " + last_place + " '/4' 4 written 4");
}

TEST_CASE("skip_rest passes over strings of any length, and hears errors") {
  const std::string text = "[[\"" + std::string(max_string_bytes + 10, 'a') + "\"], 1]";
  MemorySource source{std::string_view(text)};
  Tokenizer tokenizer(source, "text.json");
  REQUIRE(tokenizer.next().has_value());
  const Token inner = *tokenizer.next();
  CHECK(tokenizer.skip_rest(inner).has_value());

  MemorySource broken{std::string_view("[1, x]")};
  Tokenizer reader(broken, "text.json");
  const Token list = *reader.next();
  CHECK(tests::shown_error(reader.skip_rest(list)) == "syntax 1:5 /1");
}

}  // namespace
}  // namespace slabscope
