// Where every token and every error stands: line, column, JSON pointer.
#include "../support/json_reference.h"
#include "../support/json_scribe.h"
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::joined;
using tests::token_lines;

TEST_CASE("tokens stand where they were written, whatever is written and however it arrives") {
  tests::PseudoRandom random(4);
  for (int round = 0; round < 400; ++round) {
    tests::JsonScribe scribe(random);
    scribe.document(round % 7);
    CAPTURE(scribe.text());
    for (const std::size_t pace : tests::paces) {
      CAPTURE(pace);
      CHECK(joined(token_lines(scribe.text(), pace)) == joined(scribe.lines()));
    }
    if (scribe.text().find("1e999") == std::string::npos)
      CHECK(tests::reference_accepts(scribe.text()));
  }
}

TEST_CASE("tokens across the end of a chunk") {
  constexpr std::size_t chunk = std::size_t{1} << 16;
  tests::PseudoRandom random(5);
  for (std::size_t before = chunk - 40; before <= chunk + 1; ++before) {
    tests::JsonScribe scribe(random);
    scribe.put(std::string(before / 2, ' ') + "\n" + std::string(before - before / 2 - 1, '\t'));
    scribe.document(4);
    CAPTURE(before);
    CHECK(joined(token_lines(scribe.text(), tests::all_at_once)) == joined(scribe.lines()));
    CHECK(joined(token_lines(scribe.text(), 4096)) == joined(scribe.lines()));
  }
}

TEST_CASE("a document whose every token is known") {
  const std::string_view text =
      "{\r\n\t\"a/b\": [1, -2],\r\n\t\"c~d\": {\"\": \"x\\n\"},\n\n  \"\xC3\xA9\": null }\n";
  const std::vector<std::string> expected = {
      "{ 1:1 ''",
      "key 2:2 '/a~1b' <a/b>",
      "[ 2:9 '/a~1b'",
      "integer 2:10 '/a~1b/0' 1 written 1",
      "integer 2:13 '/a~1b/1' -2 written -2",
      "] 2:15 '/a~1b'",
      "key 3:2 '/c~0d' <c~d>",
      "{ 3:9 '/c~0d'",
      "key 3:10 '/c~0d/' <>",
      "string 3:14 '/c~0d/' <x\n> with escapes",
      "} 3:19 '/c~0d'",
      "key 5:3 '/\xC3\xA9' <\xC3\xA9>",
      "null 5:9 '/\xC3\xA9'",
      "} 5:14 ''",
      "end 6:1 ''",
  };
  for (const std::size_t pace : tests::paces)
    CHECK(joined(token_lines(text, pace)) == joined(expected));
}

TEST_CASE("a lone carriage return ends no line") {
  const auto lines = token_lines("[1,\r2,\r\n3]", tests::all_at_once);
  CHECK(lines[2] == "integer 1:5 '/1' 2 written 2");
  CHECK(lines[3] == "integer 2:1 '/2' 3 written 3");
}

struct Row {
  std::string_view marked;  // '@' stands before the offending byte
  std::optional<std::string_view> pointer{};
};

// A pointer stands where there is no doubt which value is meant.
constexpr Row mistakes[] = {
    {"@", ""},
    {"  \n @", ""},
    {"\r\n\r\n\t@", ""},
    {"@}", ""},
    {"@,", ""},
    {"\n\n   @x", ""},
    {"@+1", ""},
    {"@.5", ""},
    {"@NaN", ""},
    {"@'a'", ""},
    {"-@", ""},
    {"-@x", ""},
    {"0@1", ""},
    {"-0@0", ""},
    {"1.@", ""},
    {"1.@e5", ""},
    {"1e@", ""},
    {"1e+@", ""},
    {"1e@x", ""},
    {"n@an", ""},
    {"tru@", ""},
    {"tru@x", ""},
    {"fal@l", ""},
    {"1 @2", ""},
    {"{}\n@{}", ""},
    {"[1]\n\n  @]", ""},
    {"[@", std::nullopt},
    {"[@,1]", std::nullopt},
    {"[1@", std::nullopt},
    {"[1 @2]", std::nullopt},
    {"[1 @: 2]", std::nullopt},
    {"[1,@]", std::nullopt},
    {"[1,@", std::nullopt},
    {"[1, @x]", "/1"},
    {"[[], [0, {\"a\": @x}]]", "/1/1/a"},
    {"{@", std::nullopt},
    {"{@a: 1}", std::nullopt},
    {"{@,", std::nullopt},
    {"{\"a\" @}", std::nullopt},
    {"{\"a\": 1,@}", std::nullopt},
    {"{\"a\": 1 @\"b\": 2}", std::nullopt},
    {"{\"a\": @}", "/a"},
    {"{\"a\": @", "/a"},
    {"{\"a\": 1, \"b\": @]}", "/b"},
    {"{\r\n\t\"a\": [1,\r\n\t\t2,\r\n  @x]}", "/a/2"},
    {"{\"a/b~c\": {\"\": [0, {\"x\": @?}]}}", "/a~1b~0c//1/x"},
    {"{\"~1\": @x}", "/~01"},
    {"{\"\\u0061\": @x}", "/a"},
    {"[\"a@", "/0"},
    {"[\"a\\@", "/0"},
    {"[\"a\\@x\"]", "/0"},
    {"[\"\\u12@G4\"]", "/0"},
    {"[\"\\u12@", "/0"},
    {"[\"\\ud800@\"]", "/0"},
    {"[\"\\ud800\\@n\"]", "/0"},
    {"[\"a@\x01\"]", "/0"},
    {"[\"a@\nb\"]", "/0"},
    {"[\"a@\tb\"]", "/0"},
    {"[\"@\xFF\"]", "/0"},
    {"[\"@\x80\"]", "/0"},
    {"[\"@\xC0\xAF\"]", "/0"},
    {"[\"\xC3@(\"]", "/0"},
    {"[\"\xC3@\"]", "/0"},
    {"[\"\xE0@\x80\x80\"]", "/0"},
    {"[\"\xE2\x82@(\"]", "/0"},
    {"[\"\xE2\x82@", "/0"},
    {"[\"\xED@\xA0\x80\"]", "/0"},
    {"[\"\xF0@\x8F\x80\x80\"]", "/0"},
    {"[\"\xF4@\x90\x80\x80\"]", "/0"},
    {"[\"@\xF5\x80\x80\x80\"]", "/0"},
    {"[\"\xC3\xA9\xE2\x82\xAC\", @x]", "/1"},
    {"@\xEF\xBB\xBF{}", ""},
    {"{\"a\": 1, @\xEF\xBB\xBF\"b\": 2}", std::nullopt},
};

TEST_CASE("errors point at the offending byte") {
  for (const Row& row : mistakes) {
    const tests::MarkedText marked(row.marked);
    CAPTURE(row.marked);
    for (const std::size_t pace : tests::paces) {
      CAPTURE(pace);
      const std::string last = token_lines(marked.text, pace).back();
      CHECK(last.starts_with("error syntax " + marked.place + " "));
      CHECK(last.find(" in text.json: ") != std::string::npos);
      if (row.pointer)
        CHECK(last.starts_with("error syntax " + marked.place + " " + std::string(*row.pointer) +
                               " in text.json: "));
    }
  }
}

TEST_CASE("an error behind a long first line and many lines") {
  std::string text = "[" + std::string(200000, ' ') + "1,\n";
  for (int line = 0; line < 30000; ++line) text += "2,\n";
  text += "   x]";
  const std::string last = token_lines(text, tests::all_at_once).back();
  CHECK(last.starts_with("error syntax 30002:4 /30001 "));
  const std::string wide = "[" + std::string(200000, ' ') + "x]";
  CHECK(token_lines(wide, tests::all_at_once).back().starts_with("error syntax 1:200002 /0 "));
}

TEST_CASE("an error says what came") {
  struct Got {
    std::string_view text;
    std::string_view got;
  };
  const Got rows[] = {
      {"[x]", "'x'"},          {"[", "the end of the input"}, {"[\x01]", "'\\x01'"},
      {"[\xFF]", "byte 0xff"}, {"[\"\xE2\x28\"]", "'('"},
  };
  for (const Got& row : rows) {
    CAPTURE(row.text);
    MemorySource source{row.text};
    Tokenizer tokenizer(source, "text.json");
    Result<Token> token = tokenizer.next();
    while (token) token = tokenizer.next();
    CHECK(token.error().got == row.got);
  }
}

TEST_CASE("a source that fails at any byte is heard with the file's name") {
  const std::string_view text = "{\"a\": [1, 2.5, \"x\\u00e9\", true], \"b\": null}";
  for (std::size_t fails_at = 0; fails_at <= text.size(); ++fails_at) {
    for (const std::size_t pace : tests::paces) {
      CAPTURE(fails_at);
      tests::PacedSource source(text, pace, fails_at);
      Tokenizer tokenizer(source, "text.json");
      const std::string last = token_lines(tokenizer).back();
      CHECK(last.starts_with("error read_failed "));
      CHECK(last.find("in text.json: ") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace slabscope
