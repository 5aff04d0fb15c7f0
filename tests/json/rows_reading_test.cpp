// What the rows reader makes of documents: values, parameters that follow from the rows, options
// above them.
#include <slabscope/layout/catalog.h>

#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::document_text;
using tests::given;
using tests::mtp_with;
using tests::read_document;
using tests::read_documents;
using tests::row_of_mtp;

TEST_CASE("integers as numbers and as texts") {
  const RowsDocument document = read_document(R"({
      "layout": "mtp_batch", "params": {"max_blocks": "0x3", "block_size": 16}, "region_bytes": "0x1000",
      "live_rows": "1", "groups": ["-9223372036854775808"],
      "rows": [{"position": "0x7fffffff", "slot": -1, "seq_len": "-2147483648", "block_table": []},
               {"block_table": [4294967295, "0", "0xFF"], "seq_len": 18, "slot": "9223372036854775807",
                "position": 4294967295}],
      "residue": [{"offset": 0, "hex": "00fF"}, {"hex": "7A", "offset": "0x2"}]})");
  CHECK(document_text(document) ==
        "mtp_batch size 56 rows 2 live 1 params rows=2 max_blocks=3 +block_size=16\n"
        "position: 2147483647 4294967295 | 1 1\n"
        "slot: -1 9223372036854775807 | 1 1\n"
        "seq_len: -2147483648 18 | 1 1\n"
        "block_table: 4294967295 0 255 | 0 3\n"
        "groups -9223372036854775808\n"
        "residue 0: 0 255\n"
        "residue 2: 122");
}

TEST_CASE("keys come in any order, and the source is not looked into") {
  const std::string deep = std::string(60, '[') + std::string(60, ']');
  const std::string plain = document_text(read_document(mtp_with("")));
  CHECK(document_text(
            read_document(R"({"source": {"rows": 5, "a": )" + deep +
                          R"(, "a": 1.5e9, "\u0000": null}, "rows": [)" + std::string(row_of_mtp) +
                          R"(], "partial": false, "params": {}, "layout": "mtp"})")) == plain);
}

TEST_CASE("members before the layout that they need") {
  const std::string row(row_of_mtp);
  CHECK(document_text(
            read_document(R"({"fields": {}, "rows": [)" + row + R"(], "layout": "mtp"})")) ==
        document_text(read_document(mtp_with(""))));
  const tests::MarkedText late(R"({"fields": {@"a": 1}, "rows": [)" + row +
                               R"(], "layout": "mtp"})");
  CHECK(tests::shown_error(read_documents(late.text)) ==
        "unknown_key " + late.place + " /fields/a");
  const tests::MarkedText late_row(R"({"rows": [{@"a": 1}], "layout": "mtp"})");
  CHECK(tests::shown_error(read_documents(late_row.text)) ==
        "unknown_key " + late_row.place + " /rows/0/a");
}

TEST_CASE("a document that is given back lends its memory once") {
  const std::string text = mtp_with("");
  const std::string three = text + "\n" + text + "\n" + text;
  MemorySource source(three);
  RowsReader reader(source, "three", {});
  for (int number = 0; number < 3; ++number) {
    auto document = reader.next();
    if (!document) FAIL(document.error().message);
    REQUIRE(*document);
    CHECK(document_text(**document) == document_text(read_document(text)));
    if (number == 0) reader.reuse(std::move(**document));
  }
  CHECK_FALSE(reader.next()->has_value());
}

TEST_CASE("groups that are none") {
  struct Row {
    std::string_view member;  // '@' stands before the offending byte
    std::string_view error;
  };
  const Row rows[] = {
      {R"("groups": [@1.5])", "wrong_type /groups/0"},
      {R"("groups": [@9223372036854775808])", "out_of_range /groups/0"},
      {R"("groups": [1, @18446744073709551616])", "out_of_range /groups/1"},
      {R"("groups": @{})", "wrong_type /groups"},
      {R"(@"groups": [])", "row_count /groups"},
      {R"(@"groups": [1, 2])", "row_count /groups"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.member);
    const tests::MarkedText document(mtp_with(", " + std::string(row.member)));
    const auto read = read_documents(document.text);
    REQUIRE_FALSE(read.has_value());
    CHECK(std::string(info(read.error().code).name) + " " + read.error().pointer == row.error);
    CHECK(tests::shown(read.error().place) == document.place);
  }
  std::string many = "0";
  for (int group = 0; group < 300; ++group) many += ", 0";
  RowsOptions options;
  options.max_slab_bytes = 300;
  CHECK(tests::shown_error(read_documents(mtp_with(R"(, "groups": [)" + many + "]"), options))
            .starts_with("limit_exceeded "));
}

TEST_CASE("more parameters than any layout has") {
  std::string params;
  for (int param = 0; param < 300; ++param)
    params += (param == 0 ? "\"p" : ", \"p") + std::to_string(param) + "\": 1";
  const auto read = read_documents(mtp_with(R"(, "params": {)" + params + "}"));
  CHECK(tests::shown_error(read).starts_with("limit_exceeded "));
}

TEST_CASE("lists of differing length without end") {
  const std::string_view layout = R"({"name": "t", "params": {"rows": {}, "m": {}},
      "row_param": "rows", "fields": [{"name": "a", "type": "u8", "shape": ["rows", "m"]}]})";
  std::string text = R"({"rows": [{"a":[1]})";
  for (int row = 0; row < 150000; ++row) text += R"(,{"a":[]})";
  text += "]}";
  RowsOptions options;
  options.layout = tests::described(layout);
  options.max_slab_bytes = 200000;
  CHECK(tests::shown_error(read_documents(text, options)).starts_with("limit_exceeded "));
  options.max_slab_bytes = 2000000;
  CHECK(read_document(text, options).rows.row_count() == 150001);
}

// ---- Parameters that follow from the rows

struct Implied {
  std::string_view what;
  std::string_view layout;
  std::string_view document;
  std::string_view params;
};

constexpr std::string_view lists =
    R"({"name": "lists", "params": {"rows": {}, "k": {}, "m": {}, "j": {}, "set": {"default": 1}},
    "row_param": "rows", "fields": [
    {"name": "a", "type": "u8", "shape": ["rows", "k"], "fill": 0},
    {"name": "b", "type": "u8", "shape": ["rows", "k"], "fill": 0},
    {"name": "c", "type": "u8", "shape": ["rows", 2, "m"], "fill": 0},
    {"name": "e", "type": "u8", "shape": ["j"], "fill": 0},
    {"name": "s", "type": "u8", "shape": ["rows", "set"], "fill": 0}]})";

constexpr Implied implied[] = {
    {"the number of rows", "", R"({"rows": [{}, {}, {}]})", "rows=3 k=0 m=0 j=0 set=1"},
    {"no rows", "", R"({"rows": []})", "rows=0 k=0 m=0 j=0 set=1"},
    {"the longest list", "", R"({"rows": [{"a": [1]}, {"a": [1, 2, 3]}, {"a": [1, 2]}]})",
     "rows=3 k=3 m=0 j=0 set=1"},
    {"the longest list of two fields", "", R"({"rows": [{"a": [1], "b": [1, 2]}, {"b": []}]})",
     "rows=2 k=2 m=0 j=0 set=1"},
    {"the innermost lists", "", R"({"rows": [{"c": [[1], [1, 2, 3, 4]]}, {"c": []}]})",
     "rows=2 k=0 m=4 j=0 set=1"},
    {"a list that is no row's", "", R"({"rows": [], "fields": {"e": [1, 2, 3, 4, 5]}})",
     "rows=0 k=0 m=0 j=5 set=1"},
    {"what is set stands", "", R"({"rows": [{"a": [1]}], "params": {"k": 7, "rows": 4, "set": 2}})",
     "rows=4 k=7 m=0 j=0 set=2"},
    {"mtp", "mtp",
     R"({"rows": [{"position": 1, "slot": 1, "seq_len": 1, "block_table": [1, 2, 3]}]})",
     "entries=3"},
    {"decode", "decode",
     R"({"rows": [{"position": 1, "slot": 1, "seq_len": 1, "block_table": [1, 2]},
                  {"position": 1, "slot": 1, "seq_len": 1, "block_table": []}]})",
     "max_batch_size=2 rows=32 max_blocks=2 padded_rows=2 dummy_block=0"},
};

TEST_CASE("parameters that follow from the rows") {
  for (const Implied& row : implied) {
    CAPTURE(row.what);
    RowsOptions options;
    options.layout = row.layout.empty() ? tests::described(lists) : *builtin_layout(row.layout);
    std::string params;
    for (const Assignment& each : read_document(row.document, options).layout.params)
      params += (params.empty() ? "" : " ") + each.name + "=" + std::to_string(each.value);
    CHECK(params == row.params);
  }
}

TEST_CASE("options override the document") {
  RowsOptions options;
  options.params = given({{"max_blocks", 5}, {"num_blocks", 9}});
  options.region_bytes = 100;
  const tests::MarkedText marked(
      R"({"layout": "mtp_batch", "params": {"max_blocks": 2, "block_size": 4}, "region_bytes": 1,
          "rows": [{"position": 1, "slot": 1, "seq_len": 1, "block_table": @[1, 2, 3]}]})");
  const std::string& text = marked.text;
  CHECK(document_text(read_document(text, options))
            .starts_with("mtp_batch size 52 rows 1 live 1 params rows=1 max_blocks=5 +block_size=4 "
                         "+num_blocks=9\n"));
  options.params = given({{"max_blocks", 2}});
  CHECK(tests::shown_error(read_documents(text, options)) ==
        "list_too_long " + marked.place + " /rows/0/block_table");
  options.params = given({{"blocks", 2}});
  const auto unknown = read_documents(text, options);
  REQUIRE_FALSE(unknown.has_value());
  CHECK((unknown.error().code == ErrorCode::unknown_param));
  CHECK(unknown.error().pointer == "-D blocks");
}

TEST_CASE("the layout of the options stands in for the document's, whatever that is") {
  RowsOptions options;
  options.layout = *builtin_layout("mtp");
  for (const std::string_view layout :
       {R"("layout": "mtp", )", R"("layout": "decode", )", R"("layout": "no such layout", )", ""}) {
    const std::string text =
        "{" + std::string(layout) + R"("rows": [)" + std::string(row_of_mtp) + "]}";
    CAPTURE(text);
    CHECK(document_text(read_document(text, options)).starts_with("mtp size 260 "));
  }
}

TEST_CASE("a layout must be named and known") {
  CHECK(tests::shown_error(read_documents(R"( {"rows": []})")) == "missing_key 1:2 ");
  CHECK(tests::shown_error(read_documents(R"([{"rows": []}])")) == "missing_key 1:2 /0");
  const auto unknown = read_documents(R"({"layout": "mtp2", "rows": []})");
  CHECK(tests::shown_error(unknown) == "unknown_layout 1:12 /layout");
  CHECK(unknown.error().allowed == "decode, mtp, mtp_batch");
  CHECK(tests::shown_error(read_documents(R"({"layout": "mtp"})")) == "missing_key 1:1 ");
  CHECK(tests::shown_error(read_documents(R"({"rows": [], "layout": 5})")) ==
        "wrong_type 1:24 /layout");
}

// ---- Regions and limits

TEST_CASE("the region is the smaller of the stride and what is given") {
  struct Region {
    std::string_view what;
    std::string_view more;
    std::optional<std::uint64_t> option, stride;
    std::string_view error;
  };
  const Region rows[] = {
      {"none", "", {}, {}, "no error"},
      {"of the document", R"(, "region_bytes": 260)", {}, {}, "no error"},
      {"of the document, too small",
       R"(, "region_bytes": 259)",
       {},
       {},
       "region_exceeded /region_bytes"},
      {"of the options", R"(, "region_bytes": 1)", 260, {}, "no error"},
      {"of the options, too small",
       R"(, "region_bytes": 1000)",
       259,
       {},
       "region_exceeded --region-bytes"},
      {"the stride", "", {}, 260, "no error"},
      {"the stride, too small", "", {}, 259, "region_exceeded --stride"},
      {"a stride below the region",
       R"(, "region_bytes": 1000)",
       {},
       259,
       "region_exceeded --stride"},
      {"a region below the stride",
       R"(, "region_bytes": 259)",
       {},
       1000,
       "region_exceeded /region_bytes"},
      {"a region of the options below the stride", "", 259, 1000, "region_exceeded --region-bytes"},
  };
  for (const Region& row : rows) {
    CAPTURE(row.what);
    RowsOptions options;
    options.region_bytes = row.option;
    options.stride = row.stride;
    const auto read = read_documents(mtp_with(row.more), options);
    const std::string error =
        read ? "no error" : std::string(info(read.error().code).name) + " " + read.error().pointer;
    CHECK(error == row.error);
  }
}

TEST_CASE("rows that no slab could take are not kept") {
  std::string text = R"({"layout": "mtp_batch", "rows": [)";
  for (int row = 0; row < 3000; ++row)
    text += std::string(row == 0 ? "" : ",") +
            R"({"position":1,"slot":1,"seq_len":1,"block_table":[1,2,3,4]})";
  text += "]}";
  RowsOptions options;
  options.max_slab_bytes = 3000 * 32;
  CHECK(read_document(text, options).rows.row_count() == 3000);
  options.max_slab_bytes = 3000 * 32 - 1;
  const auto refused = read_documents(text, options);
  REQUIRE_FALSE(refused.has_value());
  CHECK((refused.error().code == ErrorCode::slab_limit));
  // The size of the parameters is not what makes these rows too many.
  options.max_slab_bytes = 20000;
  options.params = given({{"max_blocks", 0}, {"rows", 1}});
  const auto rows = read_documents(text, options);
  REQUIRE_FALSE(rows.has_value());
  CHECK((rows.error().code == ErrorCode::slab_limit));
}

TEST_CASE("a soft maximum warns, or refuses when strict") {
  const std::string text =
      R"({"layout": "decode", "params": {"max_blocks": 1, "max_batch_size": 129},
          "rows": [{"position": 1, "slot": 1, "seq_len": 1, "block_table": [1]}]})";
  CHECK(read_document(text).layout.warnings.size() == 1);
  RowsOptions strict;
  strict.strict = true;
  CHECK(tests::shown_error(read_documents(text, strict)) ==
        "policy_ceiling 1:50 /params/max_batch_size");
}

TEST_CASE("a partial document is taken when it is asked for") {
  RowsOptions options;
  options.take_partial = true;
  CHECK(document_text(read_document(mtp_with(R"(, "partial": true)"), options)) ==
        document_text(read_document(mtp_with(""))));
}

// ---- Rows and fields

constexpr std::string_view mixed =
    R"({"name": "mixed", "params": {"rows": {}}, "row_param": "rows", "fields": [
    {"name": "a", "type": "u8", "shape": ["rows"]},
    {"name": "b", "type": "u8", "shape": ["rows"], "fill": 9},
    {"name": "g", "type": "i32", "shape": [2]},
    {"name": "h", "type": "i32", "shape": [], "fill": -1},
    {"name": "t", "type": "u8", "shape": [2, "rows"], "fill": 0}]})";

TEST_CASE("fields of rows, and fields that are no row's") {
  struct Row {
    std::string_view what;
    std::string_view document;  // '@' stands before the offending byte
    std::string_view error;     // code and pointer, empty when taken
  };
  const Row rows[] = {
      {"as it should be",
       R"({"rows": [{"a": 1}, {"a": 2, "b": 3}], "fields": {"g": [1, 2], "h": 3}})", ""},
      {"short lists and what may be left out", R"({"rows": [{"a": 1}], "fields": {"g": []}})", ""},
      {"nothing that must be there", R"({"rows": [], "fields": {"g": [1]}})", ""},
      {"lists of lists that are no row's",
       R"({"rows": [{"a": 1}], "fields": {"g": [1], "t": [[1], []]}})", ""},
      {"a row's field among the fields", R"({"rows": [{"a": 1}], "fields": {"g": [], @"a": 1}})",
       "unknown_key /fields/a"},
      {"another's field among the rows", R"({"rows": [{"a": 1, @"g": [1]}], "fields": {"g": []}})",
       "unknown_key /rows/0/g"},
      {"transposed rows among the rows", R"({"rows": [{"a": 1, @"t": [1]}], "fields": {"g": []}})",
       "unknown_key /rows/0/t"},
      {"a field twice", R"({"rows": [], "fields": {"g": [], @"g": []}})",
       "duplicate_key /fields/g"},
      {"an unknown field", R"({"rows": [], "fields": {"g": [], @"z": []}})",
       "unknown_key /fields/z"},
      {"a scalar as a list", R"({"rows": [], "fields": {"g": [], "h": @[1]}})",
       "wrong_type /fields/h"},
      {"a list as a scalar", R"({"rows": [], "fields": {"g": @1}})", "wrong_type /fields/g"},
      {"a list that is too long", R"({"rows": [], "fields": {"g": @[1, 2, 3]}})",
       "list_too_long /fields/g"},
      {"an inner list that is too long",
       R"({"rows": [{"a": 1}], "fields": {"g": [], "t": [[1], @[1, 2]]}})",
       "list_too_long /fields/t/1"},
      {"an outer list that is too long",
       R"({"rows": [{"a": 1}], "fields": {"g": [], "t": @[[], [], []]}})",
       "list_too_long /fields/t"},
      {"a value out of its range", R"({"rows": [], "fields": {"g": [@2147483648]}})",
       "out_of_range /fields/g/0"},
      {"fields that are no object", R"({"rows": [], "fields": @[1]})", "wrong_type /fields"},
      {"a mistake in the rows comes before one in the fields",
       R"({"fields": {"z": 1}, "rows": [{"a": @256}]})", "out_of_range /rows/0/a"},
  };
  RowsOptions options;
  options.layout = tests::described(mixed);
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const tests::MarkedText document(row.document);
    for (const std::size_t pace : {std::size_t{1}, tests::all_at_once}) {
      const auto read = read_documents(document.text, options, pace);
      if (row.error.empty()) {
        CHECK(tests::shown_error(read) == "no error");
        continue;
      }
      REQUIRE_FALSE(read.has_value());
      CHECK(std::string(info(read.error().code).name) + " " + read.error().pointer == row.error);
      CHECK(tests::shown(read.error().place) == document.place);
    }
  }
}

TEST_CASE("a field that is no row's and must be there") {
  RowsOptions options;
  options.layout = tests::described(mixed);
  const auto without = read_documents("\n {\"rows\": []}", options);
  REQUIRE_FALSE(without.has_value());
  CHECK((without.error().code == ErrorCode::missing_key));
  CHECK(tests::shown(without.error().place) == "2:2");
  CHECK(without.error().message.find("'g'") != std::string::npos);
}

TEST_CASE("a field that is missing from `fields` is missed there") {
  RowsOptions options;
  options.layout = tests::described(mixed);
  CHECK(tests::shown_error(read_documents("{\"rows\": [],\n \"fields\": {}}", options)) ==
        "missing_key 2:12 /fields");
}

TEST_CASE("a layout without a row parameter holds one row, and all fields are its own") {
  struct Row {
    std::string_view document;  // '@' stands before the offending byte
    std::string_view error;
  };
  const std::string row(row_of_mtp);
  const std::string two = R"({"layout": "mtp", @"rows": [)" + row + ", " + row + "]}";
  const std::string none = R"({"layout": "mtp", @"rows": []})";
  const std::string fields =
      R"({"layout": "mtp", "rows": [)" + row + R"(], "fields": {@"position": 1}})";
  const std::string no_fields = R"({"layout": "mtp", "rows": [)" + row + R"(], "fields": {}})";
  const Row rows[] = {
      {two, "row_count /rows"},
      {none, "row_count /rows"},
      {fields, "unknown_key /fields/position"},
      {no_fields, ""},
  };
  for (const Row& each : rows) {
    CAPTURE(each.document);
    const tests::MarkedText document(each.document);
    const auto read = read_documents(document.text);
    const std::string error =
        read ? "" : std::string(info(read.error().code).name) + " " + read.error().pointer;
    CHECK(error == each.error);
    if (!read) CHECK(tests::shown(read.error().place) == document.place);
  }
}

TEST_CASE("numbers of rows") {
  struct Row {
    std::string_view what;
    std::string_view members;  // beside layout and rows; '@' stands before the offending byte
    std::size_t rows;
    std::string_view error;
  };
  const Row rows[] = {
      {"fewer live rows", R"("live_rows": 1, "params": {"max_blocks": 1})", 2, ""},
      {"no live rows", R"("live_rows": 0, "groups": [], "params": {"max_blocks": 1})", 2, ""},
      {"more live rows", R"(@"live_rows": 3, "params": {"max_blocks": 1})", 2,
       "live_rows /live_rows"},
      {"more rows than the capacity that is set",
       R"("params": {"max_batch_size": 1, "max_blocks": 1})", 33, "row_count /rows"},
      {"padded rows below the rows", R"("params": {"padded_rows": 1, "max_blocks": 1})", 2,
       "padded_rows"},
      {"padded rows above the capacity",
       R"("params": {"padded_rows": 33, "max_blocks": 1, "block_size": 1})", 2, "padded_rows"},
      {"a group too few", R"(@"groups": [1], "params": {"max_blocks": 1})", 2, "row_count /groups"},
      {"groups of live rows", R"("groups": [1], "live_rows": 1, "params": {"max_blocks": 1})", 2,
       ""},
      {"padding rows without block_size", R"("params": {"padded_rows": 4, "max_blocks": 1})", 2,
       "param_missing"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    std::string text = R"({"layout": "decode", )" + std::string(row.members) + R"(, "rows": [)";
    for (std::size_t index = 0; index < row.rows; ++index)
      text += std::string(index == 0 ? "" : ",") +
              R"({"position":1,"slot":1,"seq_len":1,"block_table":[1]})";
    const tests::MarkedText document(text + "]}");
    const auto read = read_documents(document.text);
    if (row.error.empty()) {
      CHECK(tests::shown_error(read) == "no error");
      continue;
    }
    REQUIRE_FALSE(read.has_value());
    const std::string error =
        std::string(info(read.error().code).name) + " " + read.error().pointer;
    CHECK(error.starts_with(row.error));
    if (document.place != "0:0") CHECK(tests::shown(read.error().place) == document.place);
    CHECK(read.error().place.line == 1);
  }
}

}  // namespace
}  // namespace slabscope
