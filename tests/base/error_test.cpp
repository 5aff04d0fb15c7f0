// Errors: the closed set of codes, the one-line form, and text that is safe to show.
#include <slabscope/base/error.h>

#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <string>

namespace slabscope {
namespace {

TEST_CASE("the set of codes is closed, stable in form, and each exits with 2 to 5") {
  const std::regex snake_case("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  std::set<std::string_view> names;
  REQUIRE(error_codes().size() > 40);
  for (const ErrorCodeInfo& each : error_codes()) {
    CAPTURE(each.name);
    CHECK(std::regex_match(std::string(each.name), snake_case));
    CHECK(names.insert(each.name).second);
    CHECK(each.exit_code >= 2);
    CHECK(each.exit_code <= 5);
    CHECK_FALSE(each.meaning.empty());
    CHECK(&info(each.code) == &each);
  }
}

TEST_CASE("exit codes by kind of error") {
  struct Row {
    ErrorCode code;
    std::string_view name;
    int exit_code;
  };
  const Row rows[] = {
      {ErrorCode::usage, "usage", 2},
      {ErrorCode::bad_number, "bad_number", 2},
      {ErrorCode::syntax, "syntax", 3},
      {ErrorCode::unknown_layout, "unknown_layout", 3},
      {ErrorCode::unknown_param, "unknown_param", 3},
      {ErrorCode::param_missing, "param_missing", 3},
      {ErrorCode::param_unsolved, "param_unsolved", 3},
      {ErrorCode::size_overflow, "size_overflow", 3},
      {ErrorCode::slab_limit, "slab_limit", 3},
      {ErrorCode::limit_exceeded, "limit_exceeded", 3},
      {ErrorCode::short_dump, "short_dump", 3},
      {ErrorCode::open_failed, "open_failed", 4},
      {ErrorCode::read_failed, "read_failed", 4},
      {ErrorCode::write_failed, "write_failed", 4},
      {ErrorCode::out_of_memory, "out_of_memory", 4},
      {ErrorCode::no_device, "no_device", 5},
      {ErrorCode::device_failed, "device_failed", 5},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(info(row.code).name == row.name);
    CHECK(info(row.code).exit_code == row.exit_code);
  }
}

Error made(std::string file = {}) {
  Error failed = error(ErrorCode::out_of_range, "the value does not fit i64");
  failed.file = std::move(file);
  return failed;
}

TEST_CASE("the one-line form") {
  struct Row {
    std::string_view what;
    Error failed;
    std::string_view line;
  };
  const Row rows[] = {
      {"the program stands where there is no file", made(),
       "slabscope: error[out_of_range]: the value does not fit i64"},
      {"a file", made("a.json"), "a.json: error[out_of_range]: the value does not fit i64"},
      {"a place and a pointer", made("a.json").at({3, 17}, "/rows/3/slot"),
       "a.json:3:17: error[out_of_range]: /rows/3/slot: the value does not fit i64"},
      {"both figures", made("a.json").at({3, 17}, "/rows/3/slot").with("300", "0..255"),
       "a.json:3:17: error[out_of_range]: /rows/3/slot: the value does not fit i64 (got 300, "
       "allowed 0..255)"},
      {"only what came", made("a.json").with("300", {}),
       "a.json: error[out_of_range]: the value does not fit i64 (got 300)"},
      {"only what is allowed", made("a.json").with({}, "0..255"),
       "a.json: error[out_of_range]: the value does not fit i64 (allowed 0..255)"},
      {"a place without a pointer", made("-").at({1, 1}, {}),
       "-:1:1: error[out_of_range]: the value does not fit i64"},
      {"an option", made().at({}, "-D rows"),
       "slabscope: error[out_of_range]: -D rows: the value does not fit i64"},
      {"bytes", made("dump.bin").at_offset(0x18),
       "dump.bin:+0x18: error[out_of_range]: the value does not fit i64"},
      {"the first byte", made("dump.bin").at_offset(0),
       "dump.bin:+0x0: error[out_of_range]: the value does not fit i64"},
      {"the last byte", made("dump.bin").at_offset(~std::uint64_t{0}),
       "dump.bin:+0xffffffffffffffff: error[out_of_range]: the value does not fit i64"},
      {"a large line and column",
       made("a.json").at({18446744073709551615U, 18446744073709551615U}, {}),
       "a.json:18446744073709551615:18446744073709551615: error[out_of_range]: the value does not "
       "fit i64"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(to_line(row.failed, "slabscope") == row.line);
  }
  CHECK(to_line(made("a.json"), "slabscope", "warning") ==
        "a.json: warning[out_of_range]: the value does not fit i64");
}

TEST_CASE("what comes from outside cannot break the line or move the cursor") {
  const Error failed =
      made("a\nb\x1b[31m.json").at({1, 2}, "/rows/\x07/\x7f").with("x\r\ny\x1b", {});
  CHECK(to_line(failed, "slabscope") ==
        "a\\x0ab\\x1b[31m.json:1:2: error[out_of_range]: /rows/\\x07/\\x7f: the value does not fit "
        "i64 (got x\\x0d\\x0ay\\x1b)");
}

TEST_CASE("printable shows control bytes and cuts what is long") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(byte));
    CAPTURE(byte);
    CHECK(printable(text) == (byte < 0x20 || byte == 0x7f ? std::string(hex) : text));
  }
  CHECK(printable("") == "");
  CHECK(printable("gr\xC3\xBC\xC3\x9F") == "gr\xC3\xBC\xC3\x9F");
  CHECK(printable("\xC2\x7F\xC2\x80\xC2\x9F\xC2\xA0") == "\xC2\\x7f\\xc2\\x80\\xc2\\x9f\xC2\xA0");
  // Marks that change the direction of writing: each one, and its neighbours.
  struct Marks {
    std::string before;
    unsigned first, last;
  };
  for (const auto& [before, first, last] :
       {Marks{"\xE2\x80", 0x8e, 0x8f}, Marks{"\xE2\x80", 0xaa, 0xae}, Marks{"\xE2\x81", 0xa6, 0xa9},
        Marks{"\xD8", 0x9c, 0x9c}}) {
    for (unsigned byte = first - 1; byte <= last + 1; ++byte) {
      const std::string text = before + static_cast<char>(byte);
      CHECK((printable(text) == text) == (byte < first || byte > last));
    }
  }
  CHECK(printable("x\u009b31m\u202ey") == "x\\xc2\\x9b31m\\xe2\\x80\\xaey");
  CHECK(printable("\xE2\x80") == "\xE2\x80");
  CHECK(printable("abcdef", 6) == "abcdef");
  CHECK(printable("abcdefg", 6) == "abcdef...");
  CHECK(printable("abcde\xC3\xBC", 6) == "abcde\xC3\xBC");
  CHECK(printable("abcde\xC3\xBC.", 6) == "abcde\xC3\xBC...");
  CHECK(printable("a\xF0\x9F\x98\x80\xC3\xBC", 2) == "a\xF0\x9F\x98\x80...");
  CHECK(printable(std::string(9, '\x80'), 2) == std::string(5, '\x80') + "...");
  CHECK(printable("abcdefg", 0) == "...");
  CHECK(printable("", 0) == "");
  CHECK(printable(std::string(1000, 'a')) == std::string(256, 'a') + "...");
  CHECK(printable(std::string(1000, '\n'), 40).size() <= 40 + 3 + 3);
}

Result<int> halve(int number) {
  if (number % 2 != 0) return fail(ErrorCode::wrong_type, "odd");
  return number / 2;
}
Result<int> quarter(int number) {
  SLABSCOPE_TRY_ASSIGN(half, halve(number));
  SLABSCOPE_TRY(halve(half));
  return half / 2;
}

TEST_CASE("an error passes through the functions that do not handle it") {
  CHECK((quarter(8) == 2));
  for (const int number : {3, 6}) {
    const Result<int> failed = quarter(number);
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().message == "odd");
    CHECK((failed.error().code == ErrorCode::wrong_type));
  }
}

}  // namespace
}  // namespace slabscope
