// Two mistakes in one document: the one of the earlier stage is told, wherever the two stand, with
// its code, line, column and pointer, however the bytes arrive, and wherever the layout is named.
#include <slabscope/layout/catalog.h>

#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope {
namespace {

// formats.md: "syntax of the document, unknown or missing names at top level, parameters, overflow
// of sizes, limits, region, then rows: their number, then row by row unknown keys, then fields in
// layout order (missing, type, range, length)". Residue is laid over the packed rows: last.
enum class At { names, parameters, overflow, limits, region, number, rows, residue };

struct Mistake {
  std::string_view what;
  At at;
  std::string_view member;  // of the document, in whose place `marked` stands
  std::string_view marked;  // '@' stands before the offending byte
  std::string_view code;
  std::string_view pointer;
};

constexpr Mistake mistakes[] = {
    {"an unknown key", At::names, "bogus", R"(@"bogus": {"a": [1, {}]})", "unknown_key", "/bogus"},
    {"a key twice", At::names, "live_rows", R"("live_rows": 2, @"live_rows": 2)", "duplicate_key",
     "/live_rows"},
    {"rows that are no list", At::names, "rows", R"("rows": @{"position": 1})", "wrong_type",
     "/rows"},
    {"region_bytes as a size", At::names, "region_bytes", R"("region_bytes": @"64KiB")",
     "wrong_type", "/region_bytes"},
    {"negative live_rows", At::names, "live_rows", R"("live_rows": @-1)", "out_of_range",
     "/live_rows"},
    {"live_rows as a float", At::names, "live_rows", R"("live_rows": @2.0)", "wrong_type",
     "/live_rows"},
    {"groups that are no list", At::names, "groups", R"("groups": @{"a": 1})", "wrong_type",
     "/groups"},
    {"residue that is no list", At::names, "residue", R"("residue": @"00ff")", "wrong_type",
     "/residue"},
    {"a source that is no object", At::names, "source", R"("source": @"dump.bin")", "wrong_type",
     "/source"},
    {"a partial document", At::names, "partial", R"("partial": @true)", "partial_document",
     "/partial"},
    {"partial that is no truth value", At::names, "partial", R"("partial": @1)", "wrong_type",
     "/partial"},
    {"params that are no object", At::names, "params", R"("params": @[2])", "wrong_type",
     "/params"},
    {"a parameter as a word", At::parameters, "params", R"("params": {"max_blocks": @"two"})",
     "wrong_type", "/params/max_blocks"},
    {"a parameter as a float", At::parameters, "params", R"("params": {"max_blocks": @2.5})",
     "wrong_type", "/params/max_blocks"},
    {"a negative parameter", At::parameters, "params", R"("params": {"max_blocks": @"-2"})",
     "out_of_range", "/params/max_blocks"},
    {"a parameter of 2^64", At::parameters, "params",
     R"("params": {"max_blocks": @18446744073709551616})", "out_of_range", "/params/max_blocks"},
    {"a parameter twice", At::parameters, "params",
     R"("params": {"max_blocks": 2, @"max_blocks": 2})", "duplicate_key", "/params/max_blocks"},
    {"an unknown parameter", At::parameters, "params",
     R"("params": {"max_blocks": 2, @"blocks": 2})", "unknown_param", "/params/blocks"},
    {"a size past 2^63", At::overflow, "params",
     R"(@"params": {"max_blocks": 18446744073709551615})", "size_overflow", "/params"},
    {"a size past 64 bits", At::overflow, "params",
     R"(@"params": {"max_blocks": 2305843009213693952})", "size_overflow", "/params"},
    {"a slab past the limit", At::limits, "params", R"(@"params": {"max_blocks": 268435456})",
     "slab_limit", "/params"},
    {"a region that is too small", At::region, "region_bytes", R"(@"region_bytes": 47)",
     "region_exceeded", "/region_bytes"},
    {"no region at all", At::region, "region_bytes", R"(@"region_bytes": "0")", "region_exceeded",
     "/region_bytes"},
    {"more live rows than rows", At::number, "live_rows", R"(@"live_rows": 3)", "live_rows",
     "/live_rows"},
    {"a group for each of three rows", At::number, "groups", R"(@"groups": [0, 1, 1])", "row_count",
     "/groups"},
    {"an unknown field", At::rows, "rows",
     R"("rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3], @"table": [3]},
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])",
     "unknown_key", "/rows/0/table"},
    {"a field left out", At::rows, "rows",
     R"("rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
                 @{"position": 17, "seq_len": 18, "block_table": [4, 5]}])",
     "missing_key", "/rows/1"},
    {"a value of another type", At::rows, "rows",
     R"("rows": [{"position": 7, "slot": 55, "seq_len": @null, "block_table": [3]},
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])",
     "wrong_type", "/rows/0/seq_len"},
    {"a value out of its range", At::rows, "rows",
     R"("rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
                 {"position": @4294967296, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])",
     "out_of_range", "/rows/1/position"},
    {"a list that is too long", At::rows, "rows",
     R"("rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": @[3, 4, 5]},
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])",
     "list_too_long", "/rows/0/block_table"},
    {"a row that is no object", At::rows, "rows",
     R"("rows": [@[7, 55, 8, [3]],
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])",
     "wrong_type", "/rows/0"},
    {"residue that is no hex", At::residue, "residue",
     R"("residue": [@{"offset": 20, "hex": "0g"}])", "bad_residue", "/residue/0"},
    {"residue outside the slab", At::residue, "residue",
     R"("residue": [{"offset": 20, "hex": "00"}, @{"offset": 47, "hex": "0000"}])", "bad_residue",
     "/residue/1"},
};

constexpr std::pair<std::string_view, std::string_view> valid_members[] = {
    {"params", R"("params": {"max_blocks": 2})"},
    {"region_bytes", R"("region_bytes": 64)"},
    {"live_rows", R"("live_rows": 2)"},
    {"groups", R"("groups": [0, 1])"},
    {"rows", R"("rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}])"},
    {"residue", R"("residue": [{"offset": 20, "hex": "ff"}])"},
    {"source", R"("source": {"file": "dump.bin", "bytes": 48})"},
    {"partial", R"("partial": false)"},
};

enum class LayoutStands { first, last, above };

// A document with the mistakes' members in place of the valid ones. `members` gives their order.
// Only `told` keeps its mark.
std::string marked_document(const std::vector<std::string_view>& members,
                            const std::vector<const Mistake*>& made, const Mistake* told,
                            LayoutStands stands) {
  const std::string layout = R"("layout": "mtp_batch")";
  std::string text = "{";
  std::string separator;
  const auto put = [&](std::string member) {
    text += separator + member;
    separator = ",\n ";
  };
  if (stands == LayoutStands::first) put(layout);
  for (const std::string_view name : members) {
    std::string member;
    for (const auto& [valid_name, valid] : valid_members)
      if (valid_name == name) member = valid;
    for (const Mistake* const each : made) {
      if (each->member != name) continue;
      member = each->marked;
      if (each != told) member.erase(std::find(member.begin(), member.end(), '@'));
    }
    if (!member.empty()) put(member);
  }
  if (stands == LayoutStands::last) put(layout);
  return text + "}\n";
}

RowsOptions options_for(LayoutStands stands) {
  RowsOptions options;
  if (stands == LayoutStands::above) options.layout = *builtin_layout("mtp_batch");
  return options;
}

void check(const std::vector<std::string_view>& members, const std::vector<const Mistake*>& made,
           const Mistake& told, LayoutStands stands, std::size_t pace = tests::all_at_once) {
  const tests::MarkedText document(marked_document(members, made, &told, stands));
  CAPTURE(document.text);
  const auto read = tests::read_documents(document.text, options_for(stands), pace);
  CHECK(tests::shown_error(read) ==
        std::string(told.code) + " " + document.place + " " + std::string(told.pointer));
  if (!read) CHECK(read.error().file == "rows.json");
}

std::vector<std::string_view> member_order(bool reversed) {
  std::vector<std::string_view> members;
  for (const auto& [name, valid] : valid_members) members.push_back(name);
  members.insert(members.begin() + 3, "bogus");
  if (reversed) std::reverse(members.begin(), members.end());
  return members;
}

constexpr LayoutStands all_places[] = {LayoutStands::first, LayoutStands::last,
                                       LayoutStands::above};

TEST_CASE("the document without mistakes is taken") {
  for (const LayoutStands stands : all_places) {
    for (const bool reversed : {false, true}) {
      const std::string text = marked_document(member_order(reversed), {}, nullptr, stands);
      CAPTURE(text);
      const auto read = tests::read_documents(text, options_for(stands));
      CHECK(tests::shown_error(read) == "no error");
    }
  }
}

TEST_CASE("each mistake alone") {
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.what);
    for (const LayoutStands stands : all_places)
      for (const bool reversed : {false, true})
        for (const std::size_t pace : {std::size_t{1}, tests::all_at_once})
          check(member_order(reversed), {&mistake}, mistake, stands, pace);
  }
}

TEST_CASE("of two mistakes the one of the earlier stage is told") {
  std::size_t pairs = 0;
  for (const Mistake& first : mistakes) {
    for (const Mistake& second : mistakes) {
      if (first.at >= second.at || first.member == second.member) continue;
      ++pairs;
      CAPTURE(first.what);
      CAPTURE(second.what);
      for (const LayoutStands stands : all_places)
        for (const bool reversed : {false, true})
          check(member_order(reversed), {&first, &second}, first, stands);
    }
  }
  CHECK(pairs > 250);
}

TEST_CASE("of two mistakes of one stage the one that stands first is told") {
  for (const Mistake& first : mistakes) {
    for (const Mistake& second : mistakes) {
      if (first.at != At::names || second.at != At::names || first.member == second.member)
        continue;
      for (const bool reversed : {false, true}) {
        const std::vector<std::string_view> members = member_order(reversed);
        const auto place = [&](const Mistake& mistake) {
          return std::find(members.begin(), members.end(), mistake.member);
        };
        CAPTURE(first.what);
        CAPTURE(second.what);
        check(members, {&first, &second}, place(first) < place(second) ? first : second,
              LayoutStands::first);
      }
    }
  }
}

TEST_CASE("the first of two top-level mistakes is told too when the layout is named behind them") {
  for (const Mistake& first : mistakes) {
    if (first.at != At::names || first.member == "rows") continue;
    const Mistake& rows = *std::find_if(
        std::begin(mistakes), std::end(mistakes),
        [](const Mistake& each) { return each.at == At::names && each.member == "rows"; });
    for (const bool reversed : {false, true}) {
      const std::vector<std::string_view> members = member_order(reversed);
      const auto place = [&](const Mistake& mistake) {
        return std::find(members.begin(), members.end(), mistake.member);
      };
      CAPTURE(first.what);
      check(members, {&first, &rows}, place(first) < place(rows) ? first : rows,
            LayoutStands::last);
    }
  }
}

TEST_CASE("of two top-level mistakes on one line the one that stands first is told") {
  for (const std::string_view marked : {
           R"({"rows": @5, "source": 3, "layout": "mtp_batch"})",
           R"({"source": @3, "rows": 5, "layout": "mtp_batch"})",
           R"({"fields": @5, "bogus": 3, "rows": [], "layout": "mtp_batch"})",
       }) {
    const tests::MarkedText document{std::string(marked)};
    CAPTURE(document.text);
    const auto read = tests::read_documents(document.text);
    REQUIRE_FALSE(read);
    CHECK(std::to_string(read.error().place.line) + ":" +
              std::to_string(read.error().place.column) ==
          document.place);
  }
}

TEST_CASE("a mistake in the syntax comes before all others, even at the end of the document") {
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.what);
    for (const LayoutStands stands : all_places) {
      std::string text = marked_document(member_order(false), {&mistake}, nullptr, stands);
      text.insert(text.rfind('}'), ", @x");
      const tests::MarkedText document(text);
      const auto read = tests::read_documents(document.text, options_for(stands));
      CHECK(tests::shown_error(read).starts_with("syntax " + document.place));
    }
  }
}

TEST_CASE("a document that is cut short is a mistake in its syntax, whatever else is wrong") {
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.what);
    const std::string text =
        marked_document(member_order(false), {&mistake}, nullptr, LayoutStands::first);
    const auto read = tests::read_documents(text.substr(0, text.rfind('}')));
    CHECK(tests::shown_error(read).starts_with("syntax "));
  }
}

TEST_CASE("all mistakes at once are told one after the other") {
  // In each round the mistake that was told is mended.
  std::vector<const Mistake*> made;
  for (const Mistake& mistake : mistakes) {
    const bool free = std::none_of(made.begin(), made.end(), [&](const Mistake* each) {
      return each->member == mistake.member;
    });
    if (free) made.push_back(&mistake);
  }
  std::stable_sort(made.begin(), made.end(),
                   [](const Mistake* left, const Mistake* right) { return left->at < right->at; });
  while (!made.empty()) {
    const auto read = tests::read_documents(
        marked_document(member_order(true), made, nullptr, LayoutStands::first));
    REQUIRE_FALSE(read.has_value());
    const auto told = std::find_if(made.begin(), made.end(), [&](const Mistake* each) {
      return read.error().pointer == each->pointer;
    });
    REQUIRE(told != made.end());
    CHECK((*told)->at == made.front()->at);
    made.erase(told);
  }
}

// ---- Inside the rows

struct Rows2 {
  std::string_view what;
  std::string_view rows;  // '@' stands before the offending byte
  std::string_view code;
  std::string_view pointer;
};

// A layout with a scalar and lists, fields in the order a, b, c, d; d may be left out. k is 2.
constexpr std::string_view abcd = R"({"name": "abcd", "params": {"rows": {}, "k": {}},
    "row_param": "rows", "fields": [
    {"name": "a", "type": "u8", "shape": ["rows"]},
    {"name": "b", "type": "i16", "shape": ["rows", "k"]},
    {"name": "c", "type": "u32", "shape": ["rows", 2, "k"]},
    {"name": "d", "type": "i64", "shape": ["rows"], "fill": -1}]})";

constexpr Rows2 in_rows[] = {
    {"the earlier row wins, whatever its mistake",
     R"([{"a": 1, "b": @[1, 2, 3], "c": []}, {"z": 1}])", "list_too_long", "/rows/0/b"},
    {"the earlier row wins over one that is no row", R"([{"a": @256, "b": [], "c": []}, 5])",
     "out_of_range", "/rows/0/a"},
    {"a row that is none", R"([{"a": 1, "b": [], "c": []}, @5, {"z": 1}])", "wrong_type",
     "/rows/1"},
    {"an unknown key wins over earlier fields", R"([{"a": "x", "b": 5, "c": null, @"z": 1}])",
     "unknown_key", "/rows/0/z"},
    {"an unknown key wins over a field left out", R"([{@"z": 1}])", "unknown_key", "/rows/0/z"},
    {"the first of two unknown keys", R"([{"a": 1, @"y": 1, "z": 1, "b": [], "c": []}])",
     "unknown_key", "/rows/0/y"},
    {"a field twice", R"([{"a": 1, "b": [], "c": [], @"a": 2}])", "duplicate_key", "/rows/0/a"},
    {"a field twice wins over a range", R"([{"a": 256, "b": [], @"b": [], "c": []}])",
     "duplicate_key", "/rows/0/b"},
    {"a field left out wins over later fields", R"([@{"b": "x", "c": "y", "d": "z"}])",
     "missing_key", "/rows/0"},
    {"an earlier field's length wins over a later one that is left out",
     R"([{"a": 1, "b": @[1, 2, 3]}])", "list_too_long", "/rows/0/b"},
    {"an earlier field wins, whatever the order of keys",
     R"([{"d": "x", "c": 5, "b": 6, "a": @256}])", "out_of_range", "/rows/0/a"},
    {"type before range in one field", R"([{"a": 1, "b": [99999, @"x"], "c": []}])", "wrong_type",
     "/rows/0/b/1"},
    {"range before length in one field", R"([{"a": 1, "b": [1, 2, @-32769], "c": []}])",
     "out_of_range", "/rows/0/b/2"},
    {"the first of two types", R"([{"a": 1, "b": [@null, "x"], "c": []}])", "wrong_type",
     "/rows/0/b/0"},
    {"the first of two ranges", R"([{"a": 1, "b": [1, @32768, -32769], "c": []}])", "out_of_range",
     "/rows/0/b/1"},
    {"the first list that is too long", R"([{"a": 1, "b": [], "c": @[[1, 2, 3], [], []]}])",
     "list_too_long", "/rows/0/c"},
    {"an inner list that is too long", R"([{"a": 1, "b": [], "c": [[1], @[1, 2, 3]]}])",
     "list_too_long", "/rows/0/c/1"},
    {"the first of two inner lists", R"([{"a": 1, "b": [], "c": [@[1, 2, 3], [1, 2, 3, 4]]}])",
     "list_too_long", "/rows/0/c/0"},
    {"a later row's longer list does not hide the first",
     R"([{"a": 1, "b": [1], "c": []}, {"a": 1, "b": @[1, 2, 3], "c": []},
         {"a": 1, "b": [1, 2, 3, 4, 5], "c": []}])",
     "list_too_long", "/rows/1/b"},
    {"a list where a number belongs", R"([{"a": @[1], "b": [], "c": []}])", "wrong_type",
     "/rows/0/a"},
    {"a number where a list belongs", R"([{"a": 1, "b": @1, "c": []}])", "wrong_type", "/rows/0/b"},
    {"numbers where lists belong", R"([{"a": 1, "b": [], "c": [@1, 2]}])", "wrong_type",
     "/rows/0/c/0"},
    {"lists that are too deep", R"([{"a": 1, "b": [@[1]], "c": []}])", "wrong_type", "/rows/0/b/0"},
    {"an object in a list", R"([{"a": 1, "b": [@{"x": [1]}], "c": []}])", "wrong_type",
     "/rows/0/b/0"},
    {"null", R"([{"a": @null, "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"true", R"([{"a": @true, "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"a float without a fraction", R"([{"a": @1.0, "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"an exponent", R"([{"a": @1e0, "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"an empty text", R"([{"a": @"", "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"a text with a blank", R"([{"a": @" 1", "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"a text with a sign", R"([{"a": @"+1", "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"a text with a zero in front", R"([{"a": @"01", "b": [], "c": []}])", "wrong_type",
     "/rows/0/a"},
    {"a size", R"([{"a": @"1KiB", "b": [], "c": []}])", "wrong_type", "/rows/0/a"},
    {"a text of 2^64", R"([{"a": 1, "b": [], "c": [], "d": @"0x10000000000000000"}])",
     "out_of_range", "/rows/0/d"},
    {"a text that is out of range", R"([{"a": @"0x100", "b": [], "c": []}])", "out_of_range",
     "/rows/0/a"},
    {"a very long number", R"([{"a": @100000000000000000000000000000000000, "b": [], "c": []}])",
     "out_of_range", "/rows/0/a"},
    {"2^63 in an i64", R"([{"a": 1, "b": [], "c": [], "d": @9223372036854775808}])", "out_of_range",
     "/rows/0/d"},
    {"a key that must be escaped", R"([{"a": 1, @"x/~y": 1}])", "unknown_key", "/rows/0/x~1~0y"},
};

TEST_CASE("inside the rows: row by row, unknown keys, then fields in layout order") {
  RowsOptions options;
  options.layout = tests::described(abcd);
  for (const Rows2& row : in_rows) {
    CAPTURE(row.what);
    const tests::MarkedText document(
        "{\"params\": {\"k\": 2},\n \"rows\": " + std::string(row.rows) + "}");
    for (const std::size_t pace : {std::size_t{1}, tests::all_at_once}) {
      const auto read = tests::read_documents(document.text, options, pace);
      CHECK(tests::shown_error(read) ==
            std::string(row.code) + " " + document.place + " " + std::string(row.pointer));
    }
  }
}

TEST_CASE("inside an array of documents pointers begin with the document") {
  RowsOptions options;
  options.layout = tests::described(abcd);
  for (const Rows2& row : in_rows) {
    CAPTURE(row.what);
    const tests::MarkedText document(
        R"([{"params": {"k": 2}, "rows": []}, {"params": {"k": 2}, "rows": )" +
        std::string(row.rows) + "}]");
    const auto read = tests::read_documents(document.text, options);
    CHECK(tests::shown_error(read) ==
          std::string(row.code) + " " + document.place + " /1" + std::string(row.pointer));
  }
}

TEST_CASE("with the layout named last the rows are read as if it stood first") {
  for (const Rows2& row : in_rows) {
    // The same rows for a built-in layout: its fields in place of a, b.
    std::string rows(row.rows);
    if (rows.find("\"c\": []") == std::string::npos || rows.find("\"d\"") != std::string::npos)
      continue;
    const auto replace = [&](std::string_view from, std::string_view to) {
      for (auto at = rows.find(from); at != std::string::npos; at = rows.find(from, at + to.size()))
        rows.replace(at, from.size(), to);
    };
    replace("\"a\"", "\"seq_len\"");
    replace("\"b\"", "\"block_table\"");
    replace("\"c\": []", "\"slot\": 1, \"position\": 1");
    CAPTURE(rows);
    const std::string params = "{\n\"params\": {\"max_blocks\": 2},\t";
    const std::string first = R"("layout": "mtp_batch", )";
    const std::string pad(first.size(), ' ');
    const tests::MarkedText before(params + first + "\"rows\": " + rows + "}");
    const tests::MarkedText after(params + pad + "\"rows\": " + rows +
                                  ", \"layout\": \"mtp_batch\"}");
    const auto expected = tests::read_documents(before.text);
    for (const std::size_t pace : tests::paces) {
      const auto read = tests::read_documents(after.text, {}, pace);
      CHECK(tests::outcome_text(read) == tests::outcome_text(expected));
    }
  }
}

}  // namespace
}  // namespace slabscope
