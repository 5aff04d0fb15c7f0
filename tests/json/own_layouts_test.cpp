// Rows documents of layouts of one's own: gaps, padding, dimensions that vanish, three dimensions,
// fields that are no row's. What they pack to is written out by hand; any bytes decode and pack
// back.
#include "../support/own_layouts.h"
#include "../support/documents.h"
#include "../support/json_reference.h"
#include "../support/pseudo_random.h"

#include <slabscope/layout/resolve_dump.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// Four rows of capacity, two written, one of padding, one not used.
constexpr const char* document = R"({
  "layout": "every_kind", "params": {"rows": 4, "padded_rows": 3, "depth": 2, "bound": 200},
  "rows": [{"kind": 1, "cube": [[1, 2], [3]], "adapter": [], "wide": [5]},
           {"kind": 2, "cube": [[9]]}],
  "fields": {"magic": "0xabcd", "matrix": [[1], [2, 3]]}})";

constexpr const char* slab_of_document =
    "000000000000 cdab"                         // a gap, magic
    "01 02 ff 00"                               // kind
    "0000000000000000000000000000000000000000"  // a gap up to 32
    "0100 0200 0300 fdff  0900 fdff fdff fdff"  // cube, rows 0 and 1
    "0100 0200 f9ff f9ff  0000 0000 0000 0000"  // row 2 is padding, row 3 is not used
    "0100000000000000 8877665544332211 8877665544332211"
    "0200000000000000 0300000000000000 8877665544332211"
    "0500000000000000 0000000000000000  0000000000000000 0000000000000000"
    "cfffffffffffffff cfffffffffffffff  0000000000000000 0000000000000000"
    "08000000 08000000 08000000 08000000"
    "00000000000000000000000000000000 00000000000000000000000000000000"
    "00000000000000000000000000000000 00000000000000000000000000000000";

constexpr RowsStyle styles[] = {
    {false, false, true}, {true, false, true}, {false, true, true}, {true, true, true}};

RowsOptions with(const DescriptionPtr& description) {
  RowsOptions options;
  options.layout = description;
  return options;
}

TEST_CASE("a document packs to the bytes worked out by hand") {
  const auto read = read_document(document, with(description_of(every_kind)));
  INFO((read ? std::string() : shown_failure(read.error())));
  REQUIRE(read.has_value());
  const Bytes wanted = from_hex(slab_of_document);
  CHECK(wanted.size() == 256);
  CHECK_MESSAGE(streamed(*read) == wanted, difference(streamed(*read), wanted));
  CHECK_MESSAGE(packed(*read) == wanted, difference(packed(*read), wanted));
}

TEST_CASE("and its slab decodes to its rows, trimmed") {
  const DescriptionPtr description = description_of(every_kind);
  const auto made = resolve_dump(
      description, given({{"rows", 4}, {"depth", 2}, {"bound", 200}, {"padded_rows", 3}}), 2, {});
  REQUIRE(made.has_value());
  const auto got =
      read_reference(decoded(made->layout, from_hex(slab_of_document), {false, true, true}));
  REQUIRE(got.has_value());
  const auto wanted = read_reference(R"([
      {"kind": 1, "cube": [[1, 2], [3]], "adapter": [], "wide": [5]},
      {"kind": 2, "cube": [[9]], "adapter": [], "wide": []},
      {"magic": 43981, "matrix": [[1], [2, 3]], "ladder": [], "end": []}])");
  const auto numbers = [](const JsonReference& value) {
    std::vector<int128> all;
    const auto visit = [&](const auto& self, const JsonReference& each) -> void {
      if (each.kind == JsonReference::Kind::integer) all.push_back(each.integer);
      if (each.kind == JsonReference::Kind::array) all.push_back(each.children.size());
      for (const JsonReference& child : each.children) self(self, child);
    };
    visit(visit, value);
    return all;
  };
  CHECK((numbers((*got)["rows"][0]) == numbers((*wanted)[0])));
  CHECK((numbers((*got)["rows"][1]) == numbers((*wanted)[1])));
  CHECK((numbers((*got)["fields"]) == numbers((*wanted)[2])));
  CHECK_FALSE(got->has("residue"));
}

// Random bytes and bytes as packed, half of them with one value everywhere so that lists get
// trimmed.
void check_any_bytes(const DescriptionPtr& description, const Params& params,
                     std::optional<std::uint64_t> live, PseudoRandom& random) {
  const auto made = resolve_dump(description, given(params), live, {});
  INFO((made ? std::string() : shown_failure(made.error())));
  REQUIRE(made.has_value());
  const Layout& layout = made->layout;
  for (const int round : {0, 1, 2}) {
    Bytes slab(layout.size, static_cast<std::byte>(round == 1 ? 0 : 5));
    for (std::byte& each : slab)
      if (round == 2 || random.one_in(9)) each = static_cast<std::byte>(random.bits());
    // Fills at the ends of lists.
    for (const ResolvedField& field : layout.fields)
      for (std::uint64_t item = 0; item < field.items && field.item_elements != 0; ++item)
        for (std::uint64_t element = random.below(field.item_elements + 1);
             element < field.item_elements; ++element)
          if (round != 2)
            store_element(field.type(),
                          slab.data() + field.item_offset(item) + element * field.element_bytes(),
                          *field.fill);
    for (int turn = 0; turn < 2; ++turn) {
      const RowsStyle& style = random.pick(styles);
      const std::string text = decoded(layout, slab, style);
      const auto read = read_document(text, with(description));
      INFO((read ? std::string() : shown_failure(read.error())), "\n", text);
      REQUIRE(read.has_value());
      CHECK_MESSAGE(streamed(*read) == slab, difference(streamed(*read), slab));
      CHECK_MESSAGE(packed(*read) == slab, difference(packed(*read), slab));
    }
  }
}

TEST_CASE("any bytes of a layout of every kind") {
  PseudoRandom random(61);
  const DescriptionPtr description = description_of(every_kind);
  for (const std::uint64_t rows : {0U, 1U, 2U, 5U}) {
    for (const std::uint64_t heads : {0U, 1U, 3U}) {
      for (const std::uint64_t depth : {0U, 1U, 2U}) {
        const std::uint64_t lora = random.below(2);
        const Params params = {{"rows", rows},
                               {"heads", heads},
                               {"depth", depth},
                               {"lora", lora},
                               {"bound", 300 + random.below(200)}};
        INFO(rows, " rows of ", heads, " x ", depth, ", lora ", lora);
        check_any_bytes(description, params, {}, random);
        for (std::uint64_t live = 0; live <= rows; ++live) {
          check_any_bytes(description, params, live, random);
          Params padded = params;
          padded["padded_rows"] = live + random.below(rows - live + 1);
          check_any_bytes(description, padded, live, random);
        }
      }
    }
  }
}

TEST_CASE("any bytes of a layout of exactly one row") {
  PseudoRandom random(62);
  const DescriptionPtr description = description_of(one_row);
  for (const std::uint64_t n : {0U, 1U, 2U, 5U}) {
    INFO("n ", n);
    check_any_bytes(description, {{"n", n}}, {}, random);
    check_any_bytes(description, {{"n", n}}, 1, random);
  }
}

TEST_CASE("any bytes of a layout whose fills count rows") {
  PseudoRandom random(63);
  const DescriptionPtr description = description_of(counted);
  for (const std::uint64_t rows : {0U, 1U, 2U, 5U}) {
    INFO(rows, " rows");
    check_any_bytes(description, {{"rows", rows}}, {}, random);
    for (std::uint64_t live = 0; live <= rows; ++live)
      check_any_bytes(description, {{"rows", rows}}, live, random);
  }
}

// The rows of a graph that captures even numbers only, of which capacity need not be one.
TEST_CASE("any bytes of a layout that pads by itself") {
  PseudoRandom random(64);
  const DescriptionPtr description = description_of(R"json({
    "name": "even", "row_param": "rows",
    "params": {"rows": {}, "padded_rows": {"default": "align_up(row_count, 2)"}},
    "fields": [{"name": "slot", "type": "i64", "shape": ["rows"], "pad": -1},
               {"name": "table", "type": "u16", "shape": ["rows", 3], "fill": 4,
                "pad": [1, 2]}]})json");
  check_any_bytes(description, {{"rows", 5}}, {}, random);
  for (std::uint64_t live = 0; live <= 4; ++live)
    check_any_bytes(description, {{"rows", 5}}, live, random);
  check_any_bytes(description, {{"rows", 5}, {"padded_rows", 5}}, 5, random);
  const auto refused = resolve_dump(description, given({{"rows", 5}}), 5, {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::padded_rows);
}

TEST_CASE("a layout of one row takes one row, and its lists at every level") {
  const DescriptionPtr description = description_of(one_row);
  const auto read = read_document(
      R"({"layout": "one_row", "rows": [{"flag": -1, "grid": [[[1], [2, 3]], [[4]], []],
          "tail": [7]}], "params": {"n": 3}})",
      with(description));
  INFO((read ? std::string() : shown_failure(read.error())));
  REQUIRE(read.has_value());
  const Bytes wanted = from_hex(
      "ff 000000"
      "01000000 05000000 02000000 03000000  04000000 05000000 05000000 05000000"
      "05000000 05000000 05000000 05000000"
      "000000000000000000000000"
      "0700 0000 0000");
  CHECK_MESSAGE(streamed(*read) == wanted, difference(streamed(*read), wanted));
  for (const char* const rows : {"[]", R"([{"flag": 1, "grid": [], "tail": []},
                                           {"flag": 1, "grid": [], "tail": []}])"}) {
    const auto refused = read_document(
        R"({"layout": "one_row", "params": {"n": 0}, "rows": )" + std::string(rows) + "}",
        with(description));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::row_count);
  }
}

// The fill of 'limits' is the document's number of live rows.
TEST_CASE("live_rows of a document reaches its fills") {
  const auto read = read_document(
      R"({"layout": "counted", "live_rows": 1, "fields": {"limits": [9]},
          "rows": [{"value": 1, "parts": [[[1]]]}, {"value": -1}]})",
      with(description_of(counted)));
  INFO((read ? std::string() : shown_failure(read.error())));
  REQUIRE(read.has_value());
  const Bytes wanted = from_hex(
      "00000000 09000000 01000000 01000000"
      "0100000000000000 ffffffffffffffff"
      "010202020202020202020202 020202020202020202020202");
  CHECK_MESSAGE(streamed(*read) == wanted, difference(streamed(*read), wanted));
}

TEST_CASE("a list cannot be trimmed when nobody knows its fill") {
  const DescriptionPtr description = description_of(R"({
    "name": "filled", "params": {"filler": {}},
    "fields": [{"name": "list", "type": "u8", "shape": [2], "fill": "filler"}]})");
  const Layout layout = resolved(description, {}, {1, {}});
  const Bytes slab(2);
  const auto view = SlabView::of(layout, slab);
  ByteSink sink;
  TextWriter text(sink);
  const auto written = write_rows(*view, {}, {false, true, true}, text);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code == ErrorCode::param_missing);
  const std::string whole = decoded(layout, slab, {true, false, true});
  const auto read = read_document(whole, with(description));
  REQUIRE(read.has_value());
  CHECK(streamed(*read) == slab);
}

}  // namespace
}  // namespace slabscope::tests
