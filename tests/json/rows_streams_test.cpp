// One rows document, several, and what is no stream of them.
#include <slabscope/layout/catalog.h>

#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::document_text;
using tests::mtp_with;
using tests::read_document;
using tests::read_documents;

TEST_CASE("one document, a line each, or an array") {
  struct Row {
    std::string_view what;
    std::string text;
    std::size_t documents;
  };
  const std::string one = mtp_with("");
  std::string spread;
  for (const char each : one) spread += each == ',' ? std::string(",\n") : std::string(1, each);
  const Row rows[] = {
      {"one", one, 1},
      {"one with blanks around it", "\n \t" + one + "\r\n\n", 1},
      {"one over several lines", spread, 1},
      {"a line each", one + "\n" + one + "\n" + one + "\n", 3},
      {"with empty lines between them", one + "\n\n\r\n" + one, 2},
      {"over several lines each", spread + "\n" + spread, 2},
      {"an array", "[" + one + "]", 1},
      {"an array of three", "[" + one + ",\n" + one + "," + one + "]\n", 3},
  };
  const std::string text = document_text(read_document(one));
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::size_t pace : tests::paces) {
      const auto read = read_documents(row.text, {}, pace);
      REQUIRE(tests::shown_error(read) == "no error");
      CHECK(read->size() == row.documents);
      for (const RowsDocument& each : *read) CHECK(document_text(each) == text);
    }
  }
}

TEST_CASE("what is no document, or no stream of them") {
  struct Row {
    std::string_view what;
    std::string marked;  // '@' stands before the offending byte
    std::string_view error;
  };
  const std::string one = mtp_with("");
  const Row rows[] = {
      {"nothing", "", "no_document "},
      {"blanks", " \n\n ", "no_document "},
      {"an empty array", "[]", "no_document "},
      {"an empty array and blanks", "\n[ \n]\n", "no_document "},
      {"a number", "@5", "wrong_type "},
      {"a string", "\n@\"mtp\"", "wrong_type "},
      {"an array of numbers", "[@5]", "wrong_type /0"},
      {"an array in an array", "[@[" + one + "]]", "wrong_type /0"},
      {"an array behind a document", one + "\n@[" + one + "]", "wrong_type "},
      {"a number in an array", "[" + one + ", @5]", "wrong_type /1"},
      {"two on one line", one + " @" + one, "syntax "},
      {"two on one line, the first over several lines", "{\n" + one.substr(1) + " @" + one,
       "syntax "},
      {"text behind an array", "[" + one + "] @x", "syntax "},
      {"a document behind an array", "[" + one + "]\n@" + one, "syntax "},
      {"an array that is not closed", "[" + one + "@", "syntax "},
      {"an array with a comma too many", "[" + one + ",@]", "syntax "},
      {"nothing in the second line", one + "\n@}", "syntax "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const tests::MarkedText document(row.marked);
    for (const std::size_t pace : tests::paces) {
      const auto read = read_documents(document.text, {}, pace);
      REQUIRE_FALSE(read.has_value());
      CHECK((std::string(info(read.error().code).name) + " " + read.error().pointer)
                .starts_with(row.error));
      CHECK(tests::shown(read.error().place) == document.place);
      CHECK(read.error().file == "rows.json");
    }
  }
}

TEST_CASE("documents before a mistake are read") {
  const std::string one = mtp_with("");
  const std::string text = one + "\n" + one + "\n{\"layout\": \"mtp\", \"rows\": 5}\n";
  MemorySource stream{std::string_view(text)};
  RowsReader reader(stream, "rows.json", {});
  for (int document = 0; document < 2; ++document) {
    const auto read = reader.next();
    REQUIRE(read.has_value());
    CHECK(read->has_value());
  }
  CHECK(tests::shown_error(reader.next()) == "wrong_type 3:27 /rows");
}

TEST_CASE("a source that fails is heard at any byte") {
  const std::string text = mtp_with(R"(, "residue": [{"offset": 4, "hex": "0011"}])") + "\n";
  for (std::size_t fails_at = 0; fails_at <= text.size(); ++fails_at) {
    tests::PacedSource source(text, 5, fails_at);
    RowsReader reader(source, "rows.json", {});
    auto read = reader.next();
    if (read) read = reader.next();
    REQUIRE_FALSE(read.has_value());
    CHECK((read.error().code == ErrorCode::read_failed));
    CHECK(read.error().file == "rows.json");
  }
}

}  // namespace
}  // namespace slabscope
