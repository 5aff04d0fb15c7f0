// decode | pack is exact for any bytes: slab -> rows -> text -> rows -> slab, for the golden slabs
// whole and worn, in every style, with all rows or only the live ones, alone and in streams.
#include "../support/documents.h"
#include "../support/golden.h"
#include "../support/json_reference.h"
#include "../support/naive_pack.h"
#include "../support/worn_slab.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/resolve_dump.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

constexpr RowsStyle styles[] = {
    {false, false, true}, {true, false, true}, {false, true, true}, {true, true, true}};

struct Dump {
  std::string id;
  DescriptionPtr description;
  Params params;
  std::uint64_t rows = 1;  // written in the golden document
  Bytes slab;
};

std::vector<Dump> golden_dumps() {
  std::map<std::string, DescriptionPtr> descriptions;
  for (const char* const name : {"mtp", "mtp_batch", "decode"}) descriptions[name] = builtin(name);
  std::vector<Dump> dumps;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab) continue;
    Dump dump{golden.id, descriptions[golden.layout], golden.params, golden.rows.size(),
              *golden.slab};
    if (golden.layout == "mtp") dump.params["entries"] = (golden.slab->size() - 256) / 4;
    if (golden.layout == "mtp_batch") dump.params["rows"] = dump.rows;
    if (golden.layout == "decode") dump.params.erase("padded_rows");
    dumps.push_back(std::move(dump));
  }
  REQUIRE(dumps.size() == 192);
  return dumps;
}

Layout dump_layout(const Dump& dump, std::optional<std::uint64_t> live, const Params& more = {}) {
  Params params = dump.params;
  for (const auto& [name, value] : more) params[name] = value;
  auto made = resolve_dump(dump.description, given(params), live, dump.slab.size());
  INFO((made ? std::string() : shown_failure(made.error())));
  REQUIRE(made.has_value());
  REQUIRE(made->layout.size == dump.slab.size());
  return std::move(made->layout);
}

void check_round_trip(const Layout& layout, const Bytes& slab, const RowsStyle& style) {
  const std::string text = decoded(layout, slab, style);
  CHECK((text.find('\n') == std::string::npos) == style.one_line);
  const auto document = read_document(text);
  INFO((document ? std::string() : shown_failure(document.error()) + "\n" + text));
  REQUIRE(document.has_value());
  CHECK(document->rows.row_count() == layout.row_count);
  CHECK_MESSAGE(streamed(*document) == slab, difference(streamed(*document), slab));
  CHECK_MESSAGE(packed(*document) == slab, difference(packed(*document), slab));
}

// Numbers of live rows at the ends and in the middle; only one row without a row parameter.
std::set<std::uint64_t> live_rows(const Dump& dump, const Layout& layout) {
  if (!dump.description->row_param) return {1};
  std::set<std::uint64_t> live = {0, 1, dump.rows / 2, dump.rows, layout.capacity};
  live.erase(live.upper_bound(layout.capacity), live.end());
  return live;
}

TEST_CASE("all rows of golden slabs, whole and worn, in every style") {
  PseudoRandom random(51);
  std::size_t turn = 0;
  for (const Dump& dump : golden_dumps()) {
    const Layout layout = dump_layout(dump, {});
    CHECK(layout.row_count == layout.capacity);
    CHECK(layout.padded_rows == layout.capacity);
    for (const Wear wear : wears) {
      INFO(dump.id, ", wear ", static_cast<int>(wear));
      const Bytes slab = worn(dump.slab, wear, random);
      check_round_trip(layout, slab, styles[turn++ % std::size(styles)]);
    }
    ++turn;
  }
}

TEST_CASE("live rows of golden slabs, whole and worn") {
  PseudoRandom random(52);
  std::size_t turn = 0;
  std::size_t documents = 0;
  for (const Dump& dump : golden_dumps()) {
    for (const std::uint64_t live : live_rows(dump, dump_layout(dump, {}))) {
      const bool pads = dump.description->has_padding_rows();
      const Layout layout = dump_layout(dump, live);
      CHECK(layout.row_count == live);
      for (const Wear wear : wears) {
        INFO(dump.id, ", ", live, " live rows, wear ", static_cast<int>(wear));
        const Bytes slab = worn(dump.slab, wear, random);
        check_round_trip(layout, slab, styles[turn++ % std::size(styles)]);
        ++documents;
        if (!pads) continue;
        const std::uint64_t padded = live + random.below(layout.capacity - live + 1);
        check_round_trip(dump_layout(dump, live, {{"padded_rows", padded}}), slab,
                         styles[turn % std::size(styles)]);
      }
      ++turn;
    }
  }
  CHECK(documents > 1500);
}

// Do several numbers of rows give an mtp_batch slab of this size?
bool is_size_of_several(const Dump& dump) {
  std::size_t found = 0;
  for (std::uint64_t rows = 0; rows <= dump.slab.size(); ++rows)
    if (mtp_batch_offsets(rows, dump.params.at("max_blocks")).size == dump.slab.size()) ++found;
  return found > 1;
}

TEST_CASE("one parameter of a golden slab is found from its size") {
  std::size_t solved = 0;
  for (const Dump& dump : golden_dumps()) {
    for (const auto& [name, value] : dump.params) {
      if (name == "dummy_block" || name == "block_size" || dump.slab.empty()) continue;
      INFO(dump.id, " without ", name);
      Params others = dump.params;
      others.erase(name);
      const auto made = resolve_dump(dump.description, given(others), {}, dump.slab.size());
      if (name == "rows" && is_size_of_several(dump)) {
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().code == ErrorCode::param_unsolved);
        continue;
      }
      INFO((made ? std::string() : shown_failure(made.error())));
      REQUIRE(made.has_value());
      CHECK(made->note.find(name) != std::string::npos);
      check_round_trip(made->layout, dump.slab, styles[solved++ % std::size(styles)]);
    }
  }
  CHECK(solved > 200);
}

TEST_CASE("streams: NDJSON, and arrays in both styles") {
  PseudoRandom random(53);
  std::string lines;
  std::string array = "[\n";
  std::string array_of_lines = "[";
  Bytes all;
  std::size_t documents = 0;
  for (const Dump& dump : golden_dumps()) {
    if (dump.slab.size() > 1000) continue;
    const Layout layout = dump_layout(dump, {});
    const Bytes slab = worn(dump.slab, wears[documents % std::size(wears)], random);
    all.insert(all.end(), slab.begin(), slab.end());
    const char* const comma = documents == 0 ? "" : ",\n";
    lines += decoded(layout, slab, styles[documents % 2 == 0 ? 1 : 3]) + "\n";
    array += comma + decoded(layout, slab, styles[0]);
    array_of_lines += comma + decoded(layout, slab, styles[3]);
    ++documents;
  }
  array += "\n]\n";
  array_of_lines += "]";
  REQUIRE(documents > 100);
  for (const std::string* const text :
       std::initializer_list<const std::string*>{&lines, &array, &array_of_lines}) {
    const auto read = read_documents(*text);
    INFO((read ? std::string() : shown_failure(read.error())));
    REQUIRE(read.has_value());
    CHECK(read->size() == documents);
    Bytes slabs;
    for (const RowsDocument& document : *read) {
      const Bytes slab = streamed(document);
      slabs.insert(slabs.end(), slab.begin(), slab.end());
    }
    CHECK(slabs == all);
  }
}

// A value as JSON again, the members of every object turned by `turn` places.
std::string turned(const JsonReference& value, std::size_t turn) {
  using Kind = JsonReference::Kind;
  std::string text;
  std::string comma;
  switch (value.kind) {
    case Kind::integer: return to_text(value.integer);
    case Kind::string: return "\"" + value.string + "\"";
    case Kind::array:
      for (const JsonReference& each : value.children)
        text += std::exchange(comma, ",") + turned(each, turn);
      return "[" + text + "]";
    case Kind::object:
      for (std::size_t index = 0; index < value.keys.size(); ++index) {
        const std::size_t from = (index + turn) % value.keys.size();
        text += std::exchange(comma, ",") + "\"" + value.keys[from] +
                "\":" + turned(value.children[from], turn);
      }
      return "{" + text + "}";
    default: FAIL("no such value in a rows document"); return text;
  }
}

TEST_CASE("keys in any order, the layout last too") {
  PseudoRandom random(54);
  std::size_t layout_last = 0;
  for (const Dump& dump : golden_dumps()) {
    if (dump.slab.size() > 600) continue;
    const Layout layout = dump_layout(dump, {});
    const Bytes slab = worn(dump.slab, Wear::half, random);
    const auto value = read_reference(decoded(layout, slab, styles[0]));
    REQUIRE(value.has_value());
    REQUIRE(value->keys.front() == "layout");
    for (std::size_t turn = 1; turn < value->keys.size(); ++turn) {
      const std::string text = turned(*value, turn);
      INFO(dump.id, ", turned by ", turn, ": ", text);
      if (text.ends_with("\"layout\":\"" + dump.description->name + "\"}")) ++layout_last;
      const auto document = read_document(text);
      REQUIRE(document.has_value());
      CHECK(streamed(*document) == slab);
    }
  }
  CHECK(layout_last > 50);
}

TEST_CASE("a document without its residue says so and is only taken when that is asked for") {
  PseudoRandom random(55);
  for (const Dump& dump : golden_dumps()) {
    if (dump.slab.size() > 1000) continue;
    INFO(dump.id);
    const Layout layout = dump_layout(dump, {});
    const Bytes slab = worn(dump.slab, Wear::all, random);
    const std::string text = decoded(layout, slab, {true, random.one_in(2), false});
    CHECK(text.find("\"partial\":true") != std::string::npos);
    CHECK(text.find("residue") == std::string::npos);
    const auto refused = read_document(text);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::partial_document);
    CHECK(info(refused.error().code).exit_code == 3);
    RowsOptions options;
    options.take_partial = true;
    const auto document = read_document(text, options);
    REQUIRE(document.has_value());
    CHECK(document->residue.runs.empty());
    // Every element is there, and every gap is zero.
    Bytes wanted = slab;
    for (const Tile& tile : layout.tiles)
      if (tile.is_gap())
        std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(tile.offset), tile.bytes,
                    std::byte{0});
    CHECK(streamed(*document) == wanted);
  }
}

}  // namespace
}  // namespace slabscope::tests
