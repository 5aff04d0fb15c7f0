// Layout descriptions: what is read, and every mistake with its code, line, column and pointer.
#include <slabscope/base/integer_text.h>
#include <slabscope/layout/catalog.h>

#include "../support/layout_text.h"
#include "../support/paced_source.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

struct Row {
  std::string_view what;
  std::string_view code;
  std::string_view pointer;
  std::string_view
      marked;  // '@' stands before the offending byte; without it no place is asked for
};

void check(const Row& row) {
  const tests::MarkedText marked(row.marked);
  CAPTURE(row.what);
  CAPTURE(marked.text);
  const auto read = tests::try_described(marked.text);
  REQUIRE_FALSE(read.has_value());
  CHECK(info(read.error().code).name == row.code);
  CHECK(read.error().pointer == row.pointer);
  CHECK(read.error().file == "layout.json");
  if (row.marked.find('@') != std::string_view::npos)
    CHECK(tests::shown(read.error().place) == marked.place);
  // The same when the bytes come one at a time.
  tests::PacedSource slow(marked.text, 1);
  CHECK(tests::shown_error(read_description(slow, "layout.json")) == tests::shown_error(read));
}

constexpr Row document_mistakes[] = {
    {"no text", "syntax", "", "@"},
    {"only blanks", "syntax", "", "\n  @"},
    {"not an object", "wrong_type", "", "@[]"},
    {"a string", "wrong_type", "", "\n @\"mtp\""},
    {"not closed", "syntax", "/fields", R"({"name": "t", "fields": []@)"},
    {"text behind it", "syntax", "", "{\"name\": \"t\", \"fields\": []}\n@x"},
    {"two of them", "syntax", "", "{\"name\": \"t\", \"fields\": []}\n@{}"},
    {"a comma too many", "syntax", "/fields", R"({"name": "t", "fields": [],@})"},
    {"a float", "wrong_type", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [@1.0]}]})"},
    {"not UTF-8", "syntax", "/doc", "{\"name\": \"t\", \"doc\": \"@\xFF\", \"fields\": []}"},
    {"unknown key", "unknown_key", "/colour",
     "{\"name\": \"t\",\n \t@\"colour\": 1, \"fields\": []}"},
    {"a key in other letters", "unknown_key", "/Name", R"({@"Name": "t", "fields": []})"},
    {"an empty key", "unknown_key", "/", R"({@"": "t", "fields": []})"},
    {"unknown key of a parameter", "unknown_key", "/params/n/least",
     R"({"name": "t", "params": {"n": {@"least": 1}}, "fields": []})"},
    {"unknown key of a field", "unknown_key", "/fields/0/size",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], @"size": 1}]})"},
    {"a key that must be escaped in a pointer", "unknown_key", "/a~1b~0c",
     R"({@"a/b~c": 1, "name": "t", "fields": []})"},
    {"duplicate key", "duplicate_key", "/name", R"({"name": "t", @"name": "t", "fields": []})"},
    {"duplicate key in other letters", "duplicate_key", "/name",
     R"({"name": "t", @"n\u0061me": "t", "fields": []})"},
    {"duplicate fields", "duplicate_key", "/fields",
     R"({"name": "t", "fields": [], @"fields": []})"},
    {"duplicate parameter", "duplicate_key", "/params/n",
     R"({"name": "t", "params": {"n": {}, @"n": {}}, "fields": []})"},
    {"duplicate key of a parameter", "duplicate_key", "/params/n/min",
     R"({"name": "t", "params": {"n": {"min": 1, @"min": 1}}, "fields": []})"},
    {"duplicate key of a field", "duplicate_key", "/fields/0/type",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", @"type": "u8", "shape": []}]})"},
    {"no name", "missing_key", "", R"( @{"fields": []})"},
    {"no fields", "missing_key", "", R"( @{"name": "t"})"},
    {"nothing", "missing_key", "", "@{}"},
    {"a field without a name", "missing_key", "/fields/0",
     R"({"name": "t", "fields": [@{"type": "u8", "shape": []}]})"},
    {"a field without a type", "missing_key", "/fields/1",
     "{\"name\": \"t\", \"fields\": [{\"name\": \"a\", \"type\": \"u8\", \"shape\": []},\n"
     "  @{\"name\": \"b\", \"shape\": []}]}"},
    {"a field without a shape", "missing_key", "/fields/0",
     R"({"name": "t", "fields": [@{"name": "a", "type": "u8"}]})"},
};

constexpr Row type_mistakes[] = {
    {"name", "wrong_type", "/name", R"({"name": @5, "fields": []})"},
    {"doc", "wrong_type", "/doc", R"({"name": "t", "doc": @[], "fields": []})"},
    {"subject", "wrong_type", "/subject", R"({"name": "t", "subject": @null, "fields": []})"},
    {"row_param", "wrong_type", "/row_param", R"({"name": "t", "row_param": @1, "fields": []})"},
    {"gaps", "wrong_type", "/gaps", R"({"name": "t", "gaps": @true, "fields": []})"},
    {"align", "wrong_type", "/align", R"({"name": "t", "align": @[8], "fields": []})"},
    {"align as a word", "wrong_type", "/align",
     R"({"name": "t", "align": @"eight", "fields": []})"},
    {"align as an expression", "wrong_type", "/align",
     R"({"name": "t", "align": @"4+4", "fields": []})"},
    {"align as a float", "wrong_type", "/align", R"({"name": "t", "align": @8.0, "fields": []})"},
    {"rows_per_group", "wrong_type", "/rows_per_group",
     R"({"name": "t", "rows_per_group": @{}, "fields": []})"},
    {"params", "wrong_type", "/params", R"({"name": "t", "params": @["n"], "fields": []})"},
    {"a parameter", "wrong_type", "/params/n",
     R"({"name": "t", "params": {"n": @3}, "fields": []})"},
    {"min", "wrong_type", "/params/n/min",
     R"({"name": "t", "params": {"n": {"min": @true}}, "fields": []})"},
    {"max as a float", "wrong_type", "/params/n/max",
     R"({"name": "t", "params": {"n": {"max": @1e3}}, "fields": []})"},
    {"default", "wrong_type", "/params/n/default",
     R"({"name": "t", "params": {"n": {"default": @null}}, "fields": []})"},
    {"value", "wrong_type", "/params/n/value",
     R"({"name": "t", "params": {"n": {"value": @["1"]}}, "fields": []})"},
    {"soft_max", "wrong_type", "/params/n/soft_max",
     R"({"name": "t", "params": {"n": {"soft_max": @{}}}, "fields": []})"},
    {"a parameter's doc", "wrong_type", "/params/n/doc",
     R"({"name": "t", "params": {"n": {"doc": @1}}, "fields": []})"},
    {"fields", "wrong_type", "/fields", R"({"name": "t", "fields": @{}})"},
    {"a field", "wrong_type", "/fields/0", R"({"name": "t", "fields": [@"a"]})"},
    {"a field's name", "wrong_type", "/fields/0/name",
     R"({"name": "t", "fields": [{"name": @1, "type": "u8", "shape": []}]})"},
    {"type", "wrong_type", "/fields/0/type",
     R"({"name": "t", "fields": [{"name": "a", "type": @8, "shape": []}]})"},
    {"shape", "wrong_type", "/fields/0/shape",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": @4}]})"},
    {"shape as a text", "wrong_type", "/fields/0/shape",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": @"4"}]})"},
    {"a dimension", "wrong_type", "/fields/0/shape/1",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [1, @[2]]}]})"},
    {"offset", "wrong_type", "/fields/0/offset",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "offset": @false}]})"},
    {"a field's align", "wrong_type", "/fields/0/align",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "align": @"n"}]})"},
    {"fill", "wrong_type", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": @null}]})"},
    {"pad", "wrong_type", "/fields/0/pad",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "pad": @{}}]})"},
    {"a pad value", "wrong_type", "/fields/0/pad/1",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "pad": [0, @1.5]}]})"},
    {"a null value", "wrong_type", "/fields/0/null/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "null": [@[]]}]})"},
    {"role", "wrong_type", "/fields/0/role",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "role": @1}]})"},
    {"a field's doc", "wrong_type", "/fields/0/doc",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "doc": @1}]})"},
};

constexpr Row meaning_mistakes[] = {
    {"gaps of another kind", "bad_layout", "/gaps",
     R"({"name": "t", "gaps": @"none", "fields": []})"},
    {"align 0", "bad_layout", "/align", R"({"name": "t", "align": @0, "fields": []})"},
    {"align 3", "bad_layout", "/align", R"({"name": "t", "align": @3, "fields": []})"},
    {"align -8", "bad_layout", "/align", R"({"name": "t", "align": @-8, "fields": []})"},
    {"align 2^64", "bad_layout", "/align",
     R"({"name": "t", "align": @18446744073709551616, "fields": []})"},
    {"align 2^63", "bad_layout", "/align",
     R"({"name": "t", "align": @9223372036854775808, "fields": []})"},
    {"align below an element", "bad_layout", "/fields/0",
     R"({"name": "t", "align": 4, "fields": [@{"name": "a", "type": "u64", "shape": []}]})"},
    {"a field's align 12", "bad_layout", "/fields/0/align",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "align": @12}]})"},
    {"a field's align 0", "bad_layout", "/fields/0/align",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "align": @0}]})"},
    {"a field's align as a text", "bad_layout", "/fields/0/align",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "align": @"0x18"}]})"},
    {"offset and align", "bad_layout", "/fields/0",
     R"({"name": "t", "fields": [@{"name": "a", "type": "u8", "shape": [], "offset": 0, "align": 1}]})"},
    {"align and offset", "bad_layout", "/fields/0",
     R"({"name": "t", "fields": [@{"align": 8, "name": "a", "type": "u8", "shape": [], "offset": 8}]})"},
    {"value and default", "bad_layout", "/params/n",
     R"({"name": "t", "params": {"n": @{"value": 1, "default": 1}}, "fields": []})"},
    {"no pad values", "bad_layout", "/fields/0/pad",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "pad": @[]}]})"},
    {"no null values", "bad_layout", "/fields/0/null",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "null": @[]}]})"},
    {"type f32", "unknown_type", "/fields/0/type",
     R"({"name": "t", "fields": [{"name": "a", "type": @"f32", "shape": []}]})"},
    {"type U8", "unknown_type", "/fields/0/type",
     R"({"name": "t", "fields": [{"name": "a", "type": @"U8", "shape": []}]})"},
    {"type of no letters", "unknown_type", "/fields/0/type",
     R"({"name": "t", "fields": [{"name": "a", "type": @"", "shape": []}]})"},
    {"duplicate field", "duplicate_name", "/fields/2/name",
     "{\"name\": \"t\", \"fields\": [{\"name\": \"a\", \"type\": \"u8\", \"shape\": []},\n"
     "{\"name\": \"b\", \"type\": \"u8\", \"shape\": []},\n"
     "{\"type\": \"u8\", \"shape\": [], \"name\": @\"a\"}]}"},
    {"row_param unknown", "unknown_name", "/row_param",
     R"({"name": "t", "params": {"n": {}}, "row_param": "m", "fields": []})"},
    {"row_param without params", "unknown_name", "/row_param",
     R"({"name": "t", "row_param": "row_count", "fields": []})"},
    {"a name that is none", "bad_layout", "/name", R"({"name": @"my layout", "fields": []})"},
    {"an empty name", "bad_layout", "/name", R"({"name": @"", "fields": []})"},
    {"a name with a digit first", "bad_layout", "/name", R"({"name": @"1t", "fields": []})"},
    {"a name of other letters", "bad_layout", "/name",
     "{\"name\": @\"gr\xC3\xB6\xC3\x9F"
     "e\", \"fields\": []}"},
    {"a field's name that is none", "bad_layout", "/fields/0/name",
     R"({"name": "t", "fields": [{"name": @"a-b", "type": "u8", "shape": []}]})"},
    // Texts stand in tables and in one-line errors.
    {"a doc of two lines", "bad_layout", "/doc", R"({"name": "t", "doc": @"a\nb", "fields": []})"},
    {"a doc that moves the cursor", "bad_layout", "/doc",
     R"({"name": "t", "doc": @"\u001b[2J", "fields": []})"},
    {"a subject of two lines", "bad_layout", "/subject",
     R"({"name": "t", "subject": @"a\r", "fields": []})"},
    {"a parameter's doc that rubs out", "bad_layout", "/params/n/doc",
     "{\"name\": \"t\", \"params\": {\"n\": {\"doc\": @\"\x7f\"}}, \"fields\": []}"},
    {"a field's doc with a zero byte", "bad_layout", "/fields/0/doc",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "doc": @"\u0000"}]})"},
    {"a role that is none", "bad_layout", "/fields/0/role",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "role": @"a b"}]})"},
    {"row_param that is no name", "bad_layout", "/row_param",
     R"({"name": "t", "row_param": @"a b", "fields": []})"},
};

constexpr Row param_name_mistakes[] = {
    {"a digit first", "bad_layout", "/params/1n",
     R"({"name": "t", "params": {"1n": {}}, "fields": []})"},
    {"empty", "bad_layout", "/params/", R"({"name": "t", "params": {"": {}}, "fields": []})"},
    {"a minus", "bad_layout", "/params/a-b",
     R"({"name": "t", "params": {"a-b": {}}, "fields": []})"},
    {"a function", "bad_layout", "/params/min",
     R"({"name": "t", "params": {"min": {}}, "fields": []})"},
    {"another function", "bad_layout", "/params/rung",
     R"({"name": "t", "params": {"rung": {}}, "fields": []})"},
    {"row_count", "bad_layout", "/params/row_count",
     R"({"name": "t", "params": {"row_count": {}}, "fields": []})"},
    {"live_rows", "bad_layout", "/params/live_rows",
     R"({"name": "t", "params": {"live_rows": {"default": 1}}, "fields": []})"},
};

constexpr Row expression_mistakes[] = {
    {"unknown name in a shape", "unknown_name", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["2*@m"]}]})"},
    {"unknown name behind a known one", "unknown_name", "/fields/0/shape/1",
     R"({"name": "t", "params": {"n": {}}, "fields": [{"name": "a", "type": "u8",
        "shape": ["n", "n + min(n, @m) + k"]}]})"},
    {"unknown name in an offset", "unknown_name", "/fields/0/offset",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "offset": "@rows"}]})"},
    {"unknown name in a fill", "unknown_name", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": "-@x"}]})"},
    {"unknown name in a pad", "unknown_name", "/fields/0/pad",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "pad": "@any"}]})"},
    {"unknown name in a list of pads", "unknown_name", "/fields/0/pad/1",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "pad": [1, "@x"]}]})"},
    {"unknown name in a null", "unknown_name", "/fields/0/null/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "null": ["@x"]}]})"},
    {"unknown name in min", "unknown_name", "/params/n/min",
     R"({"name": "t", "params": {"n": {"min": "@x"}}, "fields": []})"},
    {"unknown name in max", "unknown_name", "/params/n/max",
     R"({"name": "t", "params": {"n": {"max": "1 + @x"}}, "fields": []})"},
    {"unknown name in soft_max", "unknown_name", "/params/n/soft_max",
     R"({"name": "t", "params": {"n": {"soft_max": "@x"}}, "fields": []})"},
    {"unknown name in a default", "unknown_name", "/params/n/default",
     R"({"name": "t", "params": {"n": {"default": "@x"}}, "fields": []})"},
    {"unknown name in a value", "unknown_name", "/params/n/value",
     R"({"name": "t", "params": {"n": {"value": "@n_"}}, "fields": []})"},
    {"unknown name in rows_per_group", "unknown_name", "/rows_per_group",
     R"({"name": "t", "rows_per_group": "@x", "fields": []})"},
    {"a well-known parameter that is not declared", "unknown_name", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": "@block_size"}]})"},
    {"a field's name", "unknown_name", "/fields/1/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": []},
         {"name": "b", "type": "u8", "shape": ["@a"]}]})"},
    {"a name written with an escape", "unknown_name", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["@2 * \u006d"]}]})"},
    {"a mistake in a shape", "bad_expression", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["4 *@"]}]})"},
    {"a mistake on another line", "bad_expression", "/fields/0/offset",
     "{\"name\": \"t\",\r\n \"fields\": [{\"name\": \"a\", \"type\": \"u8\", \"shape\": [],\r\n"
     "\t\"offset\": \"align_up(8, 4@\"}]}"},
    {"an empty expression", "bad_expression", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["@"]}]})"},
    {"a function that there is not", "bad_expression", "/params/n/value",
     R"-({"name": "t", "params": {"n": {"value": "1 + @pow(2, 3)"}}, "fields": []})-"},
    {"fill that is no expression", "bad_expression", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": "any @thing"}]})"},
    {"an integer with a zero in front", "bad_expression", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["@010"]}]})"},
    {"an integer past 64 bits", "out_of_range", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [@18446744073709551616]}]})"},
    {"an integer past 64 bits in a text", "bad_expression", "/fields/0/shape/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": ["@18446744073709551616"]}]})"},
};

constexpr Row value_mistakes[] = {
    {"fill of u8", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": @256}]})"},
    {"negative fill of u32", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u32", "shape": [], "fill": @-1}]})"},
    {"fill of i8", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "i8", "shape": [], "fill": @-129}]})"},
    {"fill of i64", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "i64", "shape": [],
         "fill": @9223372036854775808}]})"},
    {"fill as a text", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u32", "shape": [], "fill": "@-1"}]})"},
    {"fill as a sum", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": "@255 + 1"}]})"},
    {"fill past u64", "value_out_of_range", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u64", "shape": [],
         "fill": "@18446744073709551615 + 1"}]})"},
    {"pad of u16", "value_out_of_range", "/fields/0/pad",
     R"({"name": "t", "fields": [{"name": "a", "type": "u16", "shape": [], "pad": @65536}]})"},
    {"pad in a list", "value_out_of_range", "/fields/0/pad/2",
     R"({"name": "t", "fields": [{"name": "a", "type": "i16", "shape": [],
         "pad": [-32768, 32767, @32768]}]})"},
    {"null of i32", "value_out_of_range", "/fields/1/null/1",
     R"({"name": "t", "fields": [{"name": "b", "type": "u8", "shape": []},
         {"name": "a", "type": "i32", "shape": [], "null": [-1, @2147483648]}]})"},
    {"null that is no list", "value_out_of_range", "/fields/0/null",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "null": @-1}]})"},
    {"division by zero", "division_by_zero", "/fields/0/fill",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [], "fill": "1@/0"}]})"},
    {"overflow of 128 bits", "arithmetic_overflow", "/fields/0/pad/0",
     R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [],
         "pad": ["18446744073709551615@*18446744073709551615"]}]})"},
};

TEST_CASE("mistakes in the document") {
  for (const Row& row : document_mistakes) check(row);
}
TEST_CASE("values of another JSON type") {
  for (const Row& row : type_mistakes) check(row);
}
TEST_CASE("values that mean nothing") {
  for (const Row& row : meaning_mistakes) check(row);
}
TEST_CASE("names that no parameter may have") {
  for (const Row& row : param_name_mistakes) check(row);
}
TEST_CASE("mistakes inside expressions") {
  for (const Row& row : expression_mistakes) check(row);
}
TEST_CASE("fill, pad and null values that do not fit their type") {
  for (const Row& row : value_mistakes) check(row);
}

TEST_CASE("an unknown row_param is told with its line and column") {
  check({"row_param unknown", "unknown_name", "/row_param",
         "{\"name\": \"t\", \"params\": {\"n\": {}},\n \"row_param\": @\"m\", \"fields\": []}"});
}

std::string list(std::size_t count, const std::string& entry) {
  std::string text = "[";
  for (std::size_t index = 0; index < count; ++index) text += (index == 0 ? "" : ",") + entry;
  return text + "]";
}

std::string field_with(const std::string& more, const std::string& shape = "[]") {
  return R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": )" + shape + more + "}]}";
}

std::string with_fields(std::size_t count) {
  std::string text = R"({"name": "t", "fields": [)";
  for (std::size_t index = 0; index < count; ++index)
    text += std::string(index == 0 ? "" : ",") + R"({"name": "f)" + std::to_string(index) +
            R"(", "type": "u8", "shape": []})";
  return text + "]}";
}

std::string with_params(std::size_t count) {
  std::string text = R"({"name": "t", "params": {)";
  for (std::size_t index = 0; index < count; ++index)
    text += std::string(index == 0 ? "" : ",") + "\"p" + std::to_string(index) + "\": {}";
  return text + R"(}, "fields": []})";
}

TEST_CASE("limits") {
  struct Limit {
    std::string_view what;
    std::string most;  // is taken
    std::string more;  // is refused
    std::string_view pointer;
  };
  const Limit rows[] = {
      {"fields", with_fields(max_fields), with_fields(max_fields + 1), "/fields/256"},
      {"parameters", with_params(max_params), with_params(max_params + 1), "/params/p64"},
      {"dimensions", field_with("", list(max_dimensions, "1")),
       field_with("", list(max_dimensions + 1, "1")), "/fields/0/shape/8"},
      {"pad values", field_with(R"(, "pad": )" + list(max_listed_values, "1")),
       field_with(R"(, "pad": )" + list(max_listed_values + 1, "1")), "/fields/0/pad/1024"},
      {"null values", field_with(R"(, "null": )" + list(max_listed_values, "1")),
       field_with(R"(, "null": )" + list(max_listed_values + 1, "1")), "/fields/0/null/1024"},
      {"an expression's length", field_with("", "[\"" + std::string(1023, ' ') + "1\"]"),
       field_with("", "[\"" + std::string(1024, ' ') + "1\"]"), "/fields/0/shape/0"},
      {"an expression's depth",
       field_with("", "[\"" + std::string(64, '(') + "1" + std::string(64, ')') + "\"]"),
       field_with("", "[\"" + std::string(65, '(') + "1" + std::string(65, ')') + "\"]"),
       "/fields/0/shape/0"},
  };
  CHECK(max_fields == 256);
  CHECK(max_params == 64);
  CHECK(max_dimensions == 8);
  for (const Limit& row : rows) {
    CAPTURE(row.what);
    CHECK(tests::shown_error(tests::try_described(row.most)) == "no error");
    const auto refused = tests::try_described(row.more);
    REQUIRE_FALSE(refused.has_value());
    CHECK((refused.error().code == ErrorCode::limit_exceeded));
    CHECK(refused.error().pointer == row.pointer);
    CHECK(refused.error().place.line == 1);
  }
}

TEST_CASE("a text of any length is taken or refused, never cut") {
  const auto with_doc = [](std::size_t bytes) {
    return R"({"name": "t", "doc": ")" + std::string(bytes, 'x') + R"(", "fields": []})";
  };
  CHECK(tests::described(with_doc(1000))->doc == std::string(1000, 'x'));
  CHECK((tests::try_described(with_doc(100000)).error().code == ErrorCode::limit_exceeded));
  CHECK((tests::try_described(with_doc(2000000)).error().code == ErrorCode::limit_exceeded));
}

TEST_CASE("a document of 4 MiB is read, and no longer one") {
  std::string text = R"({"name": "t", "fields": []})";
  text.resize(std::size_t{4} << 20, ' ');
  CHECK(tests::try_described(text).has_value());
  const auto refused = tests::try_described(text + ' ');
  REQUIRE_FALSE(refused.has_value());
  CHECK((refused.error().code == ErrorCode::limit_exceeded));
  CHECK(refused.error().allowed == "at most 4194304 bytes");
}

TEST_CASE("an object with very many keys is refused early") {
  std::string text = R"({"name": "t", "params": {)";
  for (int index = 0; index < 200000; ++index) text += "\"p" + std::to_string(index) + "\": {},";
  text += R"("q": {}}, "fields": []})";
  const auto refused = tests::try_described(text);
  REQUIRE_FALSE(refused.has_value());
  CHECK((refused.error().code == ErrorCode::limit_exceeded));
}

TEST_CASE("a description that is cut short anywhere is refused") {
  const std::string_view text =
      R"({"name": "t", "params": {"n": {"min": 1}}, "row_param": "n", "fields":
          [{"name": "a", "type": "u8", "shape": ["n", 2], "fill": "n-1", "pad": [1, 2]}]})";
  REQUIRE(tests::try_described(text).has_value());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto read = tests::try_described(text.substr(0, length));
    CAPTURE(length);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().place.line != 0);
  }
}

TEST_CASE("everything that a description says is kept") {
  const DescriptionPtr read = tests::described(
      R"({"doc": "d\u00e9", "fields": [
            {"name": "a", "type": "i8", "shape": ["n", "2*k"], "align": "0x10", "fill": "any",
             "pad": [1, "k", 3], "null": -1, "role": "slot", "doc": "first"},
            {"shape": [], "type": "i64", "name": "b", "offset": 64, "fill": 0, "null": [1, 2]},
            {"shape": ["k", "n"], "type": "i16", "name": "c"},
            {"shape": ["n+0"], "type": "i16", "name": "d", "pad": "k"},
            {"shape": [" n "], "type": "i16", "name": "e"}],
          "name": "full", "subject": "the slab", "gaps": "any", "align": 256,
          "row_param": "n", "rows_per_group": "k",
          "params": {"n": {"doc": "rows", "min": 1, "max": "0x80", "soft_max": "k * 4"},
                     "k": {"default": "row_count"}, "v": {"value": "live_rows"}}})");
  CHECK(read->name == "full");
  CHECK(read->doc == "d\xC3\xA9");
  CHECK(read->subject == "the slab");
  CHECK(read->file == "layout.json");
  CHECK_FALSE(read->gaps_are_zero);
  CHECK(read->align == 256);
  CHECK((read->row_param == 0));
  REQUIRE(read->rows_per_group.has_value());
  CHECK(read->rows_per_group->text() == "k");
  REQUIRE(read->params.size() == 3);
  CHECK(read->params[0].doc == "rows");
  CHECK(read->params[0].min->text() == "1");
  CHECK(read->params[0].max->text() == "0x80");
  CHECK(read->params[0].soft_max->text() == "k * 4");
  CHECK_FALSE(read->params[0].default_value.has_value());
  CHECK(read->params[1].default_value->text() == "row_count");
  CHECK(read->params[2].value->text() == "live_rows");
  REQUIRE(read->fields.size() == 5);
  const FieldDescription& a = read->fields[0];
  CHECK((a.type == ElementType::i8));
  CHECK(a.shape.size() == 2);
  CHECK(a.align == 16);
  CHECK_FALSE(a.offset.has_value());
  CHECK(a.may_be_left_out);
  CHECK(a.fill_is_any);
  CHECK_FALSE(a.fill.has_value());
  CHECK(a.pad.size() == 3);
  CHECK(a.pad[1].text() == "k");
  CHECK(a.null.size() == 1);
  CHECK(a.null[0].text() == "-1");
  CHECK(a.role == "slot");
  CHECK(a.doc == "first");
  CHECK(a.per_row);
  const FieldDescription& b = read->fields[1];
  CHECK(b.offset->text() == "64");
  CHECK(b.may_be_left_out);
  CHECK_FALSE(b.fill_is_any);
  CHECK(b.fill->text() == "0");
  CHECK(b.null.size() == 2);
  CHECK_FALSE(b.per_row);
  CHECK_FALSE(read->fields[2].per_row);
  CHECK_FALSE(read->fields[2].may_be_left_out);
  CHECK_FALSE(read->fields[3].per_row);
  CHECK(read->fields[3].pad.size() == 1);
  CHECK(read->fields[4].per_row);
  CHECK((read->find_field("c") == 2));
  CHECK_FALSE(read->find_field("z").has_value());
  CHECK(read->find_param("k") == &read->params[1]);
  CHECK(read->find_param("z") == nullptr);
  CHECK_FALSE(read->has_padding_rows());
}

TEST_CASE("what a description does not say") {
  const DescriptionPtr read = tests::described(
      R"({"name": "least", "fields": [{"name": "a", "type": "u16", "shape": []}]})");
  CHECK(read->subject == "least metadata");
  CHECK(read->gaps_are_zero);
  CHECK_FALSE(read->row_param.has_value());
  CHECK_FALSE(read->rows_per_group.has_value());
  CHECK(read->params.empty());
  CHECK_FALSE(read->fields[0].may_be_left_out);
  CHECK_FALSE(read->fields[0].per_row);
}

TEST_CASE("names at their limits are taken") {
  const std::string name(64, 'n');
  CHECK(tests::described(R"({"name": ")" + name + R"(", "params": {")" + name +
                         R"(": {}}, "fields": [{"name": "min", "type": "u8", "shape": [")" + name +
                         R"("]}]})")
            ->name == name);
  const std::string longer = R"({"name": ")" + name + R"(n", "fields": []})";
  CHECK(tests::shown_error(tests::try_described(longer)) == "bad_layout 1:10 /name");
}

TEST_CASE("values at the ends of their types are taken") {
  for (const std::string_view field :
       {R"("type": "u8", "fill": 255, "pad": 0, "null": [255])",
        R"("type": "i8", "fill": -128, "pad": 127, "null": [-128, 127])",
        R"("type": "u16", "fill": 65535)", R"("type": "i16", "fill": "-32768", "pad": 32767)",
        R"("type": "u32", "fill": "0xffffffff")", R"("type": "i32", "fill": -2147483648)",
        R"("type": "u64", "fill": 18446744073709551615)",
        R"("type": "i64", "fill": -9223372036854775808, "pad": 9223372036854775807)",
        R"("type": "u8", "fill": "300 - 45")"}) {
    CAPTURE(field);
    CHECK(tests::shown_error(tests::try_described(R"({"name": "t", "fields": [{"name": "a",
        "shape": [], )" + std::string(field) + "}]}")) == "no error");
  }
}

TEST_CASE("the catalog holds the built-in layouts, and says so when asked for another") {
  const std::vector<std::string_view> names = builtin_layout_names();
  CHECK((names == std::vector<std::string_view>{"decode", "mtp", "mtp_batch"}));
  for (const std::string_view name : names) {
    const auto read = builtin_layout(name);
    REQUIRE(read.has_value());
    CHECK((*read)->name == name);
  }
  for (const std::string_view name : {"", "Decode", "decode ", "mtp.json", "de\ncode"}) {
    const auto read = builtin_layout(name);
    REQUIRE_FALSE(read.has_value());
    CHECK((read.error().code == ErrorCode::unknown_layout));
    CHECK(read.error().allowed == "decode, mtp, mtp_batch");
    CHECK(to_line(read.error(), "slabscope").find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace slabscope
