// Several documents in one text: a newline stands between two.
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <string>

namespace slabscope {
namespace {

struct Row {
  std::string_view marked;  // '@' stands before the offending byte; without it the text is taken
  std::size_t tokens;       // before the end or the error
};

constexpr Row rows[] = {
    {"", 0},
    {" \n\n ", 0},
    {"1", 1},
    {"1\n", 1},
    {"\n\n1\n\n", 1},
    {"1\n2", 2},
    {"1\r\n2\r\n", 2},
    {"1 \n 2", 2},
    {"1\n\n\n2\n3", 3},
    {"{}\n{}\n", 4},
    {"{\n}\n{\n}", 4},
    {"{}\n[]\n\"a\"\nnull", 6},
    {"1 @2", 1},
    {"1\r@2", 1},
    {"1\t@2", 1},
    {"{}@{}", 2},
    {"{} @{}", 2},
    {"\n{} @{}", 2},
    {"1\n2 @3", 2},
    {"1@,2", 1},
    {"1\n@,\n2", 1},
    {"\"a\"@\"b\"", 1},
    {"1\n2\n@x", 2},
};

TEST_CASE("a stream of documents") {
  for (const Row& row : rows) {
    const tests::MarkedText marked(row.marked);
    CAPTURE(row.marked);
    for (const std::size_t pace : tests::paces) {
      CAPTURE(pace);
      const auto lines = tests::token_lines(marked.text, pace, Documents::many);
      CHECK(lines.size() == row.tokens + 1);
      if (marked.place == "0:0")
        CHECK(lines.back().starts_with("end "));
      else
        CHECK(lines.back().starts_with("error syntax " + marked.place + " "));
    }
  }
}

TEST_CASE("a newline inside a document does not stand between two") {
  for (const std::string_view text :
       {"{\n} @{}", "{\n}@{}", "[1,\n2] @3", "[\n]@[\n]", "{\"a\":\n1}@1"}) {
    const tests::MarkedText marked(text);
    CAPTURE(text);
    const auto lines = tests::token_lines(marked.text, tests::all_at_once, Documents::many);
    CHECK(lines.back().starts_with("error syntax " + marked.place + " "));
  }
}

TEST_CASE("pointers begin anew with each document, lines and columns do not") {
  const auto lines =
      tests::token_lines("{\"a\": 1}\n  [2]\n{\"b\": 3}", tests::all_at_once, Documents::many);
  CHECK(tests::joined(lines) ==
        "{ 1:1 ''\nkey 1:2 '/a' <a>\ninteger 1:7 '/a' 1 written 1\n} 1:8 ''\n"
        "[ 2:3 ''\ninteger 2:4 '/0' 2 written 2\n] 2:5 ''\n"
        "{ 3:1 ''\nkey 3:2 '/b' <b>\ninteger 3:7 '/b' 3 written 3\n} 3:8 ''\n"
        "end 3:9 ''\n");
}

}  // namespace
}  // namespace slabscope
