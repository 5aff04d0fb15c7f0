// Errors as one line of JSON.
#include <slabscope/report/error_json.h>

#include "../support/json_reference.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <string>

namespace slabscope {
namespace {

using tests::JsonReference;

JsonReference read(const std::string& line) {
  CAPTURE(line);
  CHECK(line.find('\n') == std::string::npos);
  const auto parsed = tests::read_reference(line);
  REQUIRE(parsed.has_value());
  return *parsed;
}

Error failed() { return error(ErrorCode::out_of_range, "the value does not fit"); }
Error failed_in_file() {
  Error made = failed();
  made.file = "a.json";
  return made;
}

TEST_CASE("only the keys that apply") {
  struct Row {
    std::string_view what;
    Error failed;
    std::string_view line;
  };
  const Row rows[] = {
      {"the least", failed(),
       R"({"error":{"code":"out_of_range","message":"the value does not fit"}})"},
      {"a file", failed_in_file(),
       R"({"error":{"code":"out_of_range","message":"the value does not fit","file":"a.json"}})"},
      {"a place and a pointer", failed_in_file().at({3, 17}, "/rows/3/slot"),
       R"({"error":{"code":"out_of_range","message":"the value does not fit","file":"a.json","line":3,)"
       R"("column":17,"pointer":"/rows/3/slot"}})"},
      {"bytes", failed_in_file().at_offset(0),
       R"({"error":{"code":"out_of_range","message":"the value does not fit","file":"a.json","offset":0}})"},
      {"figures", failed().with("300", "0..255"),
       R"({"error":{"code":"out_of_range","message":"the value does not fit","got":"300","allowed":"0..255"}})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(to_json(row.failed) == row.line);
    (void)read(to_json(row.failed));
  }
}

TEST_CASE("warnings have a key of their own") {
  CHECK(to_json(failed(), "warning") ==
        R"({"warning":{"code":"out_of_range","message":"the value does not fit"}})");
}

TEST_CASE("large numbers are exact") {
  Error made = failed().at({18446744073709551615U, 9007199254740993U}, "/x");
  made.offset = 18446744073709551615U;
  const JsonReference line = read(to_json(made));
  CHECK((line["error"]["line"].integer == int128{18446744073709551615U}));
  CHECK((line["error"]["column"].integer == int128{9007199254740993U}));
  CHECK((line["error"]["offset"].integer == int128{18446744073709551615U}));
}

TEST_CASE("every code by its name") {
  for (const ErrorCodeInfo& each : error_codes())
    CHECK(read(to_json(error(each.code, "x")))["error"]["code"].string == each.name);
}

TEST_CASE("whatever the texts are, the line is JSON") {
  tests::PseudoRandom random(17);
  const auto text = [&] {
    std::string made;
    for (std::uint64_t count = random.below(12); count != 0; --count)
      made += static_cast<char>(random.one_in(2) ? random.below(256) : 0x80 + random.below(128));
    return made;
  };
  for (int round = 0; round < 2000; ++round) {
    Error made = error(ErrorCode::open_failed, text());
    made.file = text();
    made = std::move(made).at({1, 1}, text()).with(text(), text());
    (void)read(to_json(made));
  }
  Error umlaut = failed();
  umlaut.file =
      "gr\xC3\xBC\xC3\x9F"
      "e.json";
  CHECK(read(to_json(umlaut))["error"]["file"].string == umlaut.file);
  Error broken = failed();
  broken.file =
      "a\xFF"
      "b\n";
  CHECK(read(to_json(broken))["error"]["file"].string ==
        "a\xEF\xBF\xBD"
        "b\n");
}

}  // namespace
}  // namespace slabscope
