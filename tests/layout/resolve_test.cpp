// From a description and parameters to offsets: defaults, bounds, placement, refusals and their
// order.
#include <slabscope/base/integer_text.h>
#include <slabscope/layout/catalog.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::described;
using tests::given;
using tests::resolved;

// "name=value ..." of parameters.
std::string shown(const Assignments& params) {
  std::string text;
  for (const Assignment& each : params)
    text += (text.empty() ? "" : " ") + each.name + "=" + std::to_string(each.value);
  return text;
}

std::string code_of(const Result<Layout>& layout) {
  return layout ? "no error" : std::string(info(layout.error().code).name);
}

// ---- Parameters

constexpr std::string_view chain = R"({"name": "chain", "params": {
    "rows": {}, "b": {"default": "a + 1"}, "a": {"default": "rows * 10"},
    "c": {"value": "max(a, b) + row_count"}, "unused": {}, "unused_too": {"value": "unused * 2"}},
  "row_param": "rows",
  "fields": [{"name": "f", "type": "u8", "shape": ["rows"]}, {"name": "g", "type": "u8", "shape": ["c"]}]})";

TEST_CASE("defaults and derived parameters, in any order of declaration") {
  const DescriptionPtr description = described(chain);
  struct Row {
    Assignments given;
    RowNumbers rows;
    std::string_view params;
  };
  const Row rows[] = {
      {given({{"rows", 2}}), {}, "rows=2 b=21 a=20 c=23"},
      {given({{"rows", 2}}), {1, {}}, "rows=2 b=21 a=20 c=22"},
      {given({{"rows", 2}, {"a", 5}}), {}, "rows=2 b=6 a=5 c=8"},
      {given({{"rows", 2}, {"b", 5}}), {}, "rows=2 b=5 a=20 c=22"},
      {given({{"b", 0}, {"a", 0}, {"rows", 0}}), {}, "rows=0 b=0 a=0 c=0"},
      {given({{"rows", 2}, {"unused", 4}}), {}, "rows=2 b=21 a=20 c=23 unused=4 unused_too=8"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.params);
    const Layout layout = resolved(description, row.given, row.rows);
    CHECK(shown(layout.params) == row.params);
  }
}

TEST_CASE("parameters that cannot be set, or that there are not") {
  const DescriptionPtr description = described(chain);
  const auto unknown = resolve(description, given({{"rows", 1}, {"row", 1}}), {});
  REQUIRE_FALSE(unknown.has_value());
  CHECK(tests::shown(unknown.error()) == "unknown_param 0:0 -D row");
  CHECK(unknown.error().allowed ==
        "rows, b, a, unused; for checks also block_size, num_blocks, dummy_block, "
        "kv_block_stride, kv_index_bits, lookahead_tokens, padded_rows");
  const auto derived = resolve(description, given({{"rows", 1}, {"c", 3}}), {});
  REQUIRE_FALSE(derived.has_value());
  CHECK(tests::shown(derived.error()) == "derived_param 0:0 -D c");
  CHECK(code_of(resolve(description, given({{"rows", 1}, {"row_count", 1}}), {})) ==
        "unknown_param");
  CHECK(code_of(resolve(*builtin_layout("decode"), given({{"rows", 32}, {"max_blocks", 1}}), {})) ==
        "derived_param");
}

TEST_CASE("well-known parameters are carried by layouts that do not declare them") {
  const Layout layout = resolved(*builtin_layout("mtp"),
                                 given({{"block_size", 16}, {"entries", 3}, {"num_blocks", 9}}));
  CHECK(shown(layout.params) == "entries=3");
  CHECK(shown(layout.carried) == "block_size=16 num_blocks=9");
  const Layout decode =
      resolved(*builtin_layout("decode"),
               given({{"max_blocks", 1}, {"block_size", 16}, {"kv_index_bits", 31}}), {3, {}});
  CHECK(shown(decode.params) ==
        "max_batch_size=3 rows=32 max_blocks=1 padded_rows=3 dummy_block=0 block_size=16");
  CHECK(shown(decode.carried) == "kv_index_bits=31");
  for (const std::string_view name : well_known_params)
    CHECK(resolve(*builtin_layout("mtp"), given({{"entries", 1}, {name, 1}}), {}).has_value());
}

TEST_CASE("parameters without a value are asked for by name, all of them") {
  const auto two = resolve(*builtin_layout("mtp_batch"), {}, {});
  REQUIRE_FALSE(two.has_value());
  CHECK((two.error().code == ErrorCode::param_missing));
  CHECK(two.error().message.find("rows, max_blocks") != std::string::npos);
  const auto one = resolve(*builtin_layout("mtp_batch"), given({{"rows", 3}}), {});
  REQUIRE_FALSE(one.has_value());
  CHECK((one.error().code == ErrorCode::param_missing));
  CHECK(one.error().message.find("max_blocks") != std::string::npos);
  CHECK(one.error().message.find("rows,") == std::string::npos);
  // The one behind a derived parameter is named, not the derived one.
  const DescriptionPtr derived =
      described(tests::one_field(R"("n": {}, "twice": {"value": "2*n"})", "twice"));
  const auto behind = resolve(derived, {}, {});
  REQUIRE_FALSE(behind.has_value());
  CHECK(behind.error().message.find("-D n=N") != std::string::npos);
}

TEST_CASE("parameters are needed only where an expression that is evaluated uses them") {
  const DescriptionPtr decode = *builtin_layout("decode");
  // No padding rows: block_size is not needed.
  CHECK(resolve(decode, given({{"max_blocks", 2}, {"max_batch_size", 4}}), {2, {}}).has_value());
  // With them it is, by whoever writes one.
  const auto padded = resolve(decode, given({{"max_blocks", 2}, {"padded_rows", 4}}), {2, {}});
  REQUIRE(padded.has_value());
  const Result<std::vector<int128>>& pad = padded->find_field("slot")->pad;
  REQUIRE_FALSE(pad.has_value());
  CHECK((pad.error().code == ErrorCode::param_missing));
  CHECK(pad.error().message.find("block_size") != std::string::npos);
  CHECK(resolve(decode, given({{"max_blocks", 2}, {"padded_rows", 4}, {"block_size", 16}}), {2, {}})
            .has_value());
}

TEST_CASE("bounds of parameters") {
  const DescriptionPtr description = described(R"({"name": "t", "params": {
      "n": {"min": 2, "max": "4 * k", "soft_max": "3*k"}, "k": {"min": 1, "default": 2},
      "free": {}, "m": {"default": 5, "max": "free"}},
    "fields": [{"name": "f", "type": "u8", "shape": ["n", "m"]}]})");
  struct Row {
    Assignments given;
    std::string_view error;  // code and pointer, or nothing
    std::string_view figures;
    std::size_t warnings;
  };
  const Row rows[] = {
      {given({{"n", 1}}), "param_range 0:0 -D n", "1 of 2..8", 0},
      {given({{"n", 2}}), "", "", 0},
      {given({{"n", 6}}), "", "", 0},
      {given({{"n", 7}}), "", "", 1},
      {given({{"n", 8}}), "", "", 1},
      {given({{"n", 9}}), "param_range 0:0 -D n", "9 of 2..8", 0},
      {given({{"n", 9}, {"k", 3}}), "", "", 0},
      {given({{"n", 9}, {"k", 0}}), "param_range 0:0 -D n", "9 of 2..0", 0},
      {given({{"n", ~std::uint64_t{0}}}), "param_range 0:0 -D n", "18446744073709551615 of 2..8",
       0},
      {given({{"n", 2}, {"free", 5}}), "", "", 0},
      // A default can be out of its range too: it stands where the description says it.
      {given({{"n", 2}, {"free", 4}}), "param_range 3:24 /params/m", "5 of 0..4", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(shown(row.given));
    const auto layout = resolve(description, row.given, {});
    if (row.error.empty()) {
      REQUIRE(layout.has_value());
      CHECK(layout->warnings.size() == row.warnings);
      for (const Error& each : layout->warnings) {
        CHECK((each.code == ErrorCode::policy_ceiling));
        CHECK(each.pointer == "-D n");
        CHECK(each.allowed == "up to 6");
      }
      continue;
    }
    REQUIRE_FALSE(layout.has_value());
    CHECK(tests::shown(layout.error()) == row.error);
    CHECK(layout.error().got + " of " + layout.error().allowed == row.figures);
  }
}

TEST_CASE("decode warns above 128 and lays out all the same") {
  const DescriptionPtr decode = *builtin_layout("decode");
  CHECK(resolved(decode, given({{"max_batch_size", 128}, {"max_blocks", 1}})).warnings.empty());
  const Layout above = resolved(decode, given({{"max_batch_size", 129}, {"max_blocks", 1}}));
  CHECK(above.warnings.size() == 1);
  CHECK(above.size == 129 * 24 + 129 * 4);
}

TEST_CASE("parameters derived in a circle") {
  struct Row {
    std::string_view what;
    std::string_view params;
    std::string_view pointer;
  };
  const Row rows[] = {
      {"from itself", R"("a": {"value": "a + 1"})", "/params/a"},
      {"from itself by default", R"("a": {"default": "a"})", "/params/a"},
      {"through another", R"("a": {"value": "b"}, "b": {"value": "2*a"})", "/params/a"},
      {"through a default",
       R"-("a": {"value": "b"}, "b": {"default": "min(c, 3)"}, "c": {"value": "a"})-", "/params/a"},
      {"behind a straight one", R"("z": {"value": "b"}, "b": {"value": "c"}, "c": {"value": "b"})",
       "/params/b"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const DescriptionPtr description =
        described(R"({"name": "t", "params": {)" + std::string(row.params) +
                  R"(}, "fields": [{"name": "f", "type": "u8", "shape": []}]})");
    const auto layout = resolve(description, {}, {});
    REQUIRE_FALSE(layout.has_value());
    CHECK((layout.error().code == ErrorCode::param_cycle));
    CHECK(layout.error().pointer == row.pointer);
    CHECK(layout.error().file == "layout.json");
    CHECK(layout.error().place.line == 1);
  }
  // A value for one of them breaks a circle of defaults.
  const DescriptionPtr defaults =
      described(tests::one_field(R"("a": {"default": "b"}, "b": {"default": "a"})", "a"));
  CHECK(code_of(resolve(defaults, {}, {})) == "param_cycle");
  CHECK(resolved(defaults, given({{"b", 3}})).size == 3);
}

TEST_CASE(
    "row_count without rows is the capacity; a capacity made of it needs the number of rows") {
  const DescriptionPtr description = described(R"({"name": "t",
      "params": {"rows": {"value": "2 * row_count"}}, "row_param": "rows",
      "fields": [{"name": "f", "type": "u8", "shape": ["rows"]}]})");
  CHECK(resolved(description, {}, {3, {}}).capacity == 6);
  CHECK(code_of(resolve(description, {}, {})) == "param_missing");
}

TEST_CASE("numbers of rows") {
  const DescriptionPtr description = described(R"({"name": "t", "params": {"rows": {},
      "padded_rows": {"default": "row_count"}, "live": {"value": "live_rows"}}, "row_param": "rows",
      "fields": [{"name": "f", "type": "u8", "shape": ["rows"]}]})");
  struct Row {
    std::uint64_t capacity;
    RowNumbers rows;
    std::uint64_t row_count, live_rows, padded_rows;
  };
  const Row rows[] = {
      {8, {}, 8, 8, 8},      {8, {5, {}}, 5, 5, 5}, {8, {5, 3}, 5, 3, 5},
      {8, {0, {}}, 0, 0, 0}, {8, {{}, 3}, 8, 3, 8},
  };
  for (const Row& row : rows) {
    const Layout layout = resolved(description, given({{"rows", row.capacity}}), row.rows);
    CHECK(layout.capacity == row.capacity);
    CHECK(layout.row_count == row.row_count);
    CHECK(layout.live_rows == row.live_rows);
    CHECK(layout.padded_rows == row.padded_rows);
    CHECK(find(layout.params, "live")->value == row.live_rows);
    CHECK(check_rows(layout).has_value());
  }
  const Layout single = resolved(described(tests::one_field("", "3")), {});
  CHECK(single.capacity == 1);
  CHECK(single.row_count == 1);
  CHECK(check_rows(single).has_value());
  CHECK((check_rows(resolved(described(tests::one_field("", "3")), {}, {2, {}})).error().code ==
         ErrorCode::row_count));
  CHECK((check_rows(resolved(described(tests::one_field("", "3")), {}, {0, {}})).error().code ==
         ErrorCode::row_count));
}

TEST_CASE("numbers of rows that contradict each other") {
  const DescriptionPtr decode = *builtin_layout("decode");
  struct Row {
    std::uint64_t batch, padded;
    RowNumbers rows;
    std::string_view code;
    std::string_view figures;  // both are named in the message
  };
  const Row rows[] = {
      {4, 33, {2, {}}, "padded_rows", "33 padded rows are more than the capacity of 32"},
      {4, 2, {3, {}}, "padded_rows", "3 rows are more than the 2 padded rows"},
      {4, 32, {33, {}}, "row_count", "33 rows are more than the capacity of 32"},
      {4, 40, {33, {}}, "row_count", "33 rows are more than the capacity of 32"},
      {4, 8, {3, 4}, "live_rows", "4 live rows are more than the 3 rows"},
      {4, 2, {3, 4}, "padded_rows", "3 rows are more than the 2 padded rows"},
      {4, 32, {32, 32}, "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.figures);
    const Layout layout = resolved(decode,
                                   given({{"max_batch_size", row.batch},
                                          {"padded_rows", row.padded},
                                          {"max_blocks", 1},
                                          {"block_size", 16}}),
                                   row.rows);
    const auto checked = check_rows(layout);
    if (row.code.empty()) {
      CHECK(checked.has_value());
      continue;
    }
    REQUIRE_FALSE(checked.has_value());
    CHECK(info(checked.error().code).name == row.code);
    CHECK(checked.error().message.find(row.figures) != std::string::npos);
  }
}

// ---- Placement

// "name offset+bytes ..." and the size.
std::string placed(const Layout& layout) {
  std::string text;
  for (const ResolvedField& each : layout.fields)
    text +=
        each.name() + " " + std::to_string(each.offset) + "+" + std::to_string(each.bytes) + ", ";
  return text + "size " + std::to_string(layout.size);
}
std::string tiled(const Layout& layout) {
  std::string text;
  for (const Tile& each : layout.tiles)
    text += (text.empty() ? "" : " ") + std::to_string(each.offset) + "+" +
            std::to_string(each.bytes) + ":" +
            (each.is_gap() ? "-" : layout.fields[each.field].name());
  return text;
}

std::string layout_of(std::string_view fields, std::string_view more = "") {
  return R"({"name": "t", "params": {"n": {}}, )" + std::string(more) + R"("fields": [)" +
         std::string(fields) + "]}";
}

TEST_CASE("where fields stand") {
  struct Row {
    std::string_view what;
    std::string_view fields;
    std::uint64_t n;
    std::string_view placed;
    std::string_view tiles;
  };
  const Row rows[] = {
      {"one after the other, each at its own alignment",
       R"({"name":"a","type":"u8","shape":[]},{"name":"b","type":"u16","shape":[]},
          {"name":"c","type":"i8","shape":[3]},{"name":"d","type":"i32","shape":[]},
          {"name":"e","type":"u8","shape":[]},{"name":"f","type":"i64","shape":[]},
          {"name":"g","type":"u8","shape":[]})",
       0, "a 0+1, b 2+2, c 4+3, d 8+4, e 12+1, f 16+8, g 24+1, size 25",
       "0+1:a 1+1:- 2+2:b 4+3:c 7+1:- 8+4:d 12+1:e 13+3:- 16+8:f 24+1:g"},
      {"align",
       R"({"name":"a","type":"u8","shape":[5]},{"name":"b","type":"u8","shape":[],"align":16})", 0,
       "a 0+5, b 16+1, size 17", "0+5:a 5+11:- 16+1:b"},
      {"an align of 1",
       R"({"name":"a","type":"u8","shape":[3]},{"name":"b","type":"u8","shape":[2],"align":1})", 0,
       "a 0+3, b 3+2, size 5", "0+3:a 3+2:b"},
      {"the end is not rounded up",
       R"({"name":"a","type":"u64","shape":[]},{"name":"b","type":"u8","shape":[]})", 0,
       "a 0+8, b 8+1, size 9", "0+8:a 8+1:b"},
      {"an offset, and the next field behind it",
       R"({"name":"a","type":"u32","shape":[],"offset":64},{"name":"b","type":"u16","shape":[]})",
       0, "a 64+4, b 68+2, size 70", "0+64:- 64+4:a 68+2:b"},
      {"offsets out of order",
       R"({"name":"a","type":"u32","shape":[2],"offset":16},{"name":"b","type":"u32","shape":[2],"offset":0},
          {"name":"c","type":"u32","shape":[]})",
       0, "a 16+8, b 0+8, c 8+4, size 24", "0+8:b 8+4:c 12+4:- 16+8:a"},
      {"fields that touch",
       R"({"name":"a","type":"u8","shape":[4],"offset":4},{"name":"b","type":"u8","shape":[4],"offset":0})",
       0, "a 4+4, b 0+4, size 8", "0+4:b 4+4:a"},
      {"the offset of an empty field counts",
       R"({"name":"a","type":"u8","shape":[]},{"name":"b","type":"u32","shape":[0],"offset":32})",
       0, "a 0+1, b 32+0, size 32", "0+1:a 1+31:-"},
      {"the alignment of an empty field counts",
       R"({"name":"a","type":"u8","shape":[]},{"name":"b","type":"u32","shape":["n"],"align":16})",
       0, "a 0+1, b 16+0, size 16", "0+1:a 1+15:-"},
      {"an empty field overlaps nothing",
       R"({"name":"a","type":"u8","shape":[64]},{"name":"b","type":"u8","shape":["n"],"offset":7})",
       0, "a 0+64, b 7+0, size 64", "0+64:a"},
      {"nothing at all", R"({"name":"a","type":"u64","shape":["n"]})", 0, "a 0+0, size 0", ""},
      {"no fields", "", 0, "size 0", ""},
      {"a zero dimension makes any field empty",
       R"({"name":"a","type":"u64","shape":[18446744073709551615,"n",18446744073709551615]})", 0,
       "a 0+0, size 0", ""},
      {"three dimensions", R"({"name":"a","type":"u16","shape":[2,"n",4]})", 3, "a 0+48, size 48",
       "0+48:a"},
      {"eight dimensions", R"({"name":"a","type":"u8","shape":[2,2,2,2,2,2,2,"n"]})", 2,
       "a 0+256, size 256", "0+256:a"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const Layout layout = resolved(described(layout_of(row.fields)), given({{"n", row.n}}));
    CHECK(placed(layout) == row.placed);
    CHECK(tiled(layout) == row.tiles);
  }
}

TEST_CASE("the alignment of a slab is that of its largest element, or what is asked for") {
  const std::string_view fields =
      R"({"name":"a","type":"u8","shape":[]},{"name":"b","type":"u32","shape":["n"],"align":64})";
  CHECK(resolved(described(layout_of(fields)), given({{"n", 0}})).align == 4);
  CHECK(resolved(described(layout_of(fields, R"("align": 256, )")), given({{"n", 1}})).align ==
        256);
  CHECK(resolved(described(layout_of("")), given({{"n", 0}})).align == 1);
  CHECK(resolved(*builtin_layout("mtp"), given({{"entries", 0}})).align == 8);
}

TEST_CASE("fields that share bytes") {
  struct Row {
    std::string_view what;
    std::string_view fields;
    std::uint64_t n;
    std::string_view pointer;  // of the later field in the description
  };
  const Row rows[] = {
      {"the same offset",
       R"({"name":"a","type":"u8","shape":[],"offset":0},{"name":"b","type":"u8","shape":[],"offset":0})",
       0, "/fields/1"},
      {"by one byte",
       R"({"name":"a","type":"u8","shape":[9],"offset":0},{"name":"b","type":"u64","shape":[],"offset":8})",
       0, "/fields/1"},
      {"by one byte, the other way",
       R"({"name":"a","type":"u64","shape":[],"offset":8},{"name":"b","type":"u8","shape":[9],"offset":0})",
       0, "/fields/1"},
      {"one inside the other",
       R"({"name":"a","type":"u8","shape":[64]},{"name":"b","type":"u8","shape":[],"offset":7})", 0,
       "/fields/1"},
      {"not next to each other in the description",
       R"({"name":"a","type":"u8","shape":[8]},{"name":"x","type":"u8","shape":[8],"offset":100},
          {"name":"b","type":"u8","shape":[2],"offset":7})",
       0, "/fields/2"},
      {"as the parameter grows",
       R"({"name":"a","type":"u8","shape":["n"]},{"name":"b","type":"u8","shape":[],"offset":16})",
       17, "/fields/1"},
      {"a field that follows an earlier offset",
       R"({"name":"a","type":"u8","shape":[8],"offset":8},{"name":"b","type":"u8","shape":[4],"offset":0},
          {"name":"c","type":"u8","shape":[5]})",
       0, "/fields/2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto layout = resolve(described(layout_of(row.fields)), given({{"n", row.n}}), {});
    REQUIRE_FALSE(layout.has_value());
    CHECK((layout.error().code == ErrorCode::field_overlap));
    CHECK(layout.error().pointer == row.pointer);
    CHECK(layout.error().file == "layout.json");
    CHECK(layout.error().place.line != 0);
  }
  const auto named = resolve(described(layout_of(rows[5].fields)), given({{"n", 17}}), {});
  CHECK(named.error().message.find("'a'") != std::string::npos);
  CHECK(named.error().message.find("'b'") != std::string::npos);
  CHECK(named.error().got == "[0, 17) and [16, 17)");
  CHECK(resolve(described(layout_of(rows[5].fields)), given({{"n", 16}}), {}).has_value());
}

TEST_CASE("random fields: refused exactly when two own a byte, and every byte has one owner") {
  tests::PseudoRandom random(11);
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string fields;
    struct Extent {
      std::uint64_t offset, bytes;
    };
    std::vector<Extent> extents;
    std::uint64_t end = 0;
    std::uint64_t size = 0;
    const std::uint64_t count = 1 + random.below(5);
    for (std::uint64_t index = 0; index < count; ++index) {
      constexpr std::string_view types[] = {"u8", "i16", "u32", "i64"};
      const std::uint64_t log = random.below(4);
      const std::uint64_t width = std::uint64_t{1} << log;
      const std::uint64_t elements = random.below(5);
      fields += (index == 0 ? "" : ",") + std::string(R"({"name": "f)") + std::to_string(index) +
                R"(", "type": ")" + std::string(types[log]) + R"(", "shape": [)" +
                std::to_string(elements) + "]";
      std::uint64_t offset = 0;
      if (random.one_in(2)) {
        offset = random.below(12) * width;
        fields += R"(, "offset": )" + std::to_string(offset);
      } else {
        std::uint64_t align = width;
        if (random.one_in(3)) {
          align = width << random.below(4);
          fields += R"(, "align": )" + std::to_string(align);
        }
        offset = (end + align - 1) / align * align;
      }
      fields += "}";
      extents.push_back({offset, elements * width});
      end = offset + elements * width;
      size = std::max(size, end);
    }
    std::vector<int> owners(size, 0);
    for (std::size_t index = 0; index < extents.size(); ++index)
      for (std::uint64_t byte = 0; byte < extents[index].bytes; ++byte)
        ++owners[extents[index].offset + byte];
    const bool overlap =
        std::any_of(owners.begin(), owners.end(), [](int each) { return each > 1; });
    CAPTURE(fields);
    const auto layout = resolve(described(layout_of(fields)), given({{"n", 1}}), {});
    refused += overlap ? 1 : 0;
    REQUIRE(layout.has_value() == !overlap);
    if (overlap) continue;
    CHECK(layout->size == size);
    std::uint64_t here = 0;
    for (const Tile& tile : layout->tiles) {
      CHECK(tile.offset == here);
      CHECK(tile.bytes != 0);
      for (std::uint64_t byte = 0; byte < tile.bytes; ++byte)
        CHECK((owners[here + byte] == 0) == tile.is_gap());
      if (!tile.is_gap()) {
        CHECK(tile.offset == extents[tile.field].offset);
        CHECK(tile.bytes == extents[tile.field].bytes);
      }
      here += tile.bytes;
    }
    CHECK(here == size);
  }
  CHECK(refused > 200);
}

TEST_CASE("an offset that is no multiple of the element size") {
  struct Row {
    std::string_view type;
    std::string_view offset;
    std::uint64_t n;
    bool aligned;
  };
  const Row rows[] = {
      {"u8", "n", 3, true},    {"u16", "n", 3, false}, {"u16", "n", 2, true},
      {"i32", "n", 6, false},  {"i32", "n", 4, true},  {"u64", "n", 4, false},
      {"i64", "n", 12, false}, {"i64", "n", 16, true}, {"u32", "256 + n", 1, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.type);
    CAPTURE(row.n);
    const std::string text =
        layout_of(R"({"name":"a","type":")" + std::string(row.type) + R"(","shape":[],"offset":")" +
                  std::string(row.offset) + "\"}");
    const auto layout = resolve(described(text), given({{"n", row.n}}), {});
    CHECK(layout.has_value() == row.aligned);
    if (layout) continue;
    CHECK(tests::shown(layout.error()) ==
          "misaligned " + tests::shown(tests::place_of(text, text.find("\"offset\":") + 10)) +
              " /fields/0/offset");
    CHECK(layout.error().allowed.find("multiples of ") != std::string::npos);
  }
}

TEST_CASE("an align below the element size does not put elements where they are not aligned") {
  // "An offset that is not a multiple of the element size" is refused, however it came about.
  const auto layout = resolve(
      described(layout_of(
          R"({"name":"a","type":"u8","shape":[1]},{"name":"b","type":"u32","shape":[1],"align":1})")),
      given({{"n", 0}}), {});
  CHECK(code_of(layout) == "misaligned");
}

// ---- Mistakes in expressions, found when they are evaluated

TEST_CASE("expressions that fail at these parameters are told with their place") {
  struct Row {
    std::string_view what;
    std::string_view code;
    std::string_view pointer;
    std::string_view marked;  // '@' stands before the offending byte
    std::uint64_t n;
  };
  const Row rows[] = {
      {"a shape below zero", "negative_size", "/fields/0/shape/0",
       R"({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":["n @- 2"]}]})",
       1},
      {"an offset below zero", "negative_size", "/fields/0/offset",
       R"-({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":[],"offset":"8*(1@-n)"}]})-",
       2},
      {"a negative constant", "negative_size", "/fields/0/shape/0",
       R"({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":[@-1]}]})", 2},
      {"division by zero", "division_by_zero", "/fields/0/shape/1",
       R"({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":[2, "8 @/ n"]}]})",
       0},
      {"ceil_div by zero", "division_by_zero", "/fields/0/offset",
       R"-({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":[],"offset":"1 + @ceil_div(8, n)"}]})-",
       0},
      {"a derived parameter", "division_by_zero", "/params/k/value",
       R"({"name":"t","params":{"n":{},"k":{"value":"7 @% n"}},"fields":[{"name":"a","type":"u8","shape":["k"]}]})",
       0},
      {"a derived parameter that overflows", "arithmetic_overflow", "/params/k/value",
       R"({"name":"t","params":{"n":{},"k":{"value":"n @* n"}},"fields":[{"name":"a","type":"u8","shape":["k"]}]})",
       std::uint64_t{1} << 32U},
      {"a bound", "negative_size", "/params/n/max",
       R"({"name":"t","params":{"n":{"max":"1 @- n"}},"fields":[{"name":"a","type":"u8","shape":[]}]})",
       2},
      {"a shape that overflows", "size_overflow", "/fields/0/shape/0",
       R"({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":["n @* n"]}]})",
       std::uint64_t{1} << 32U},
      {"an offset that overflows", "size_overflow", "/fields/0/offset",
       R"({"name":"t","params":{"n":{}},"fields":[{"name":"a","type":"u8","shape":[],"offset":"n @+ 1"}]})",
       ~std::uint64_t{0}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const tests::MarkedText marked(row.marked);
    const auto layout = resolve(described(marked.text), given({{"n", row.n}}), {});
    REQUIRE_FALSE(layout.has_value());
    CHECK(tests::shown(layout.error()) ==
          std::string(row.code) + " " + marked.place + " " + std::string(row.pointer));
    CHECK(layout.error().file == "layout.json");
  }
}

TEST_CASE("fill and pad values that hang on parameters") {
  const tests::MarkedText text(R"({"name": "t", "params": {"rows": {}, "v": {},
      "padded_rows": {"default": "row_count"}}, "row_param": "rows", "fields": [
      {"name": "a", "type": "i8", "shape": ["rows", 2], "fill": "100 - v", "pad": [0, "@-v", 7]},
      {"name": "b", "type": "u8", "shape": ["rows"], "fill": "v", "null": "0 - v"}]})");
  const DescriptionPtr description = described(text.text);
  const Layout fits =
      resolved(description, given({{"rows", 4}, {"v", 128}, {"padded_rows", 4}}), {2, {}});
  CHECK(to_text(*fits.fields[0].fill) == "-28");
  REQUIRE(fits.fields[0].pad->size() == 3);
  CHECK(to_text(fits.fields[0].pad->at(0)) == "0");
  CHECK(to_text(fits.fields[0].pad->at(1)) == "-128");
  CHECK(to_text(fits.fields[0].pad->at(2)) == "7");
  // Without a pad of its own, padding has the fill.
  REQUIRE(fits.fields[1].pad->size() == 1);
  CHECK(to_text(fits.fields[1].pad->at(0)) == "128");

  // A pad or fill that is not known is told to who needs it.
  const auto pad =
      resolved(description, given({{"rows", 4}, {"v", 129}, {"padded_rows", 4}}), {2, {}})
          .fields[0]
          .pad;
  CHECK(tests::shown_error(pad) == "value_out_of_range " + text.place + " /fields/0/pad/1");
  CHECK(pad.error().got == "-129");
  CHECK(pad.error().allowed == "-128..127");
  const tests::MarkedText no_pad(R"({"name": "t", "params": {"rows": {}, "v": {},
      "padded_rows": {}}, "row_param": "rows",
      "fields": [{"name": "b", "type": "u8", "shape": ["rows"], "fill": "@v"}]})");
  const auto fill_as_pad = resolved(described(no_pad.text),
                                    given({{"rows", 4}, {"v", 256}, {"padded_rows", 4}}), {2, {}})
                               .fields[0]
                               .pad;
  CHECK(tests::shown_error(fill_as_pad) ==
        "value_out_of_range " + no_pad.place + " /fields/0/fill");

  // Without padding rows a pad is not looked at.
  const Layout unpadded = resolved(description, given({{"rows", 4}, {"v", 300}}), {2, {}});
  CHECK(unpadded.fields[0].pad->empty());
  REQUIRE_FALSE(unpadded.fields[0].fill.has_value());
  CHECK((unpadded.fields[0].fill.error().code == ErrorCode::value_out_of_range));
  CHECK(unpadded.fields[0].fill.error().pointer == "/fields/0/fill");
  const Layout unset = resolved(description, given({{"rows", 4}}), {2, {}});
  REQUIRE_FALSE(unset.fields[1].fill.has_value());
  CHECK((unset.fields[1].fill.error().code == ErrorCode::param_missing));
}

TEST_CASE("a fill of \"any\" packs zero") {
  const Layout layout = resolved(
      described(
          R"({"name": "t", "fields": [{"name": "a", "type": "u8", "shape": [2], "fill": "any"}]})"),
      {});
  CHECK(to_text(*layout.fields[0].fill) == "0");
  CHECK(layout.fields[0].description->fill_is_any);
}

// ---- The order of errors

TEST_CASE("errors of parameters come before those of sizes") {
  const std::string_view overlap =
      R"({"name":"a","type":"u8","shape":[8]},{"name":"b","type":"u8","shape":["k"],"offset":0})";
  const std::string_view huge = R"({"name":"a","type":"u8","shape":["k", 18446744073709551615]})";
  const std::string_view odd = R"({"name":"a","type":"u32","shape":["k"],"offset":1})";
  struct Row {
    std::string_view what;
    std::string_view params;
    std::string_view code;
    Assignments given;
  };
  const Row rows[] = {
      {"unknown", R"("k": {})", "unknown_param", given({{"k", 2}, {"z", 1}})},
      {"derived", R"("k": {}, "d": {"value": 1})", "derived_param", given({{"k", 2}, {"d", 1}})},
      {"range", R"("k": {"max": 1})", "param_range", given({{"k", 2}})},
      {"cycle", R"("k": {}, "d": {"value": "d"})", "param_cycle", given({{"k", 2}})},
      {"missing", R"("k": {}, "d": {})", "param_missing", given({{"k", 2}})},
      {"arithmetic", R"("k": {}, "d": {"value": "1/0"})", "division_by_zero", given({{"k", 2}})},
  };
  for (const std::string_view sizes : {overlap, huge, odd}) {
    for (const Row& row : rows) {
      CAPTURE(row.what);
      // The mistaken size stands before the field that needs `d`.
      const std::string text = R"({"name": "t", "params": {)" + std::string(row.params) +
                               R"(}, "fields": [)" + std::string(sizes) +
                               (row.params.find("\"d\"") == std::string_view::npos
                                    ? "]}"
                                    : R"(,{"name":"z","type":"u8","shape":["d"]}]})");
      CHECK(code_of(resolve(described(text), row.given, {})) == row.code);
    }
  }
}

TEST_CASE("an overflow of the size comes before an overlap") {
  CHECK(
      code_of(resolve(
          described(layout_of(
              R"({"name":"a","type":"u8","shape":[8]},{"name":"b","type":"u8","shape":[8],"offset":0},
                               {"name":"c","type":"u8","shape":[9223372036854775807]})")),
          given({{"n", 0}}), {})) == "size_overflow");
}

TEST_CASE("a parameter out of its range comes before one that is missing") {
  CHECK(code_of(resolve(described(R"({"name": "t", "params": {"a": {}, "b": {"max": 3}},
                                     "fields": [{"name": "f", "type": "u8", "shape": ["a", "b"]}]})"),
                        given({{"b", 4}}), {})) == "param_range");
}

// ---- Fits

TEST_CASE("a slab fits its region and the limit, or the refusal has the figures") {
  const Layout mtp = resolved(*builtin_layout("mtp"), given({{"entries", 1}}));
  CHECK(check_size(mtp, 1000, {}).has_value());
  CHECK(check_size(mtp, 260, 260).has_value());
  const auto region = check_size(mtp, 1000, 259);
  REQUIRE_FALSE(region.has_value());
  CHECK((region.error().code == ErrorCode::region_exceeded));
  CHECK(
      region.error().message ==
      "MTP attention metadata exceeds meta stride: needs 260 B, have 259 B (1 block-table entry)");
  const auto limit = check_size(mtp, 259, 259);
  REQUIRE_FALSE(limit.has_value());
  CHECK((limit.error().code == ErrorCode::slab_limit));
  CHECK(limit.error().got == "260");
  const Layout batch =
      resolved(*builtin_layout("mtp_batch"), given({{"rows", 2}, {"max_blocks", 8}}));
  CHECK(check_size(batch, 1000, 0).error().message ==
        "MTP attention metadata exceeds meta stride: needs 96 B, have 0 B (2 rows of 8 block-table "
        "entries)");
  CHECK(check_size(resolved(*builtin_layout("mtp_batch"), given({{"rows", 0}, {"max_blocks", 8}})),
                   0, 0)
            .has_value());
}

TEST_CASE("rows without a byte of their own are not without number") {
  const DescriptionPtr description = described(
      R"({"name": "t", "params": {"rows": {}, "k": {}}, "row_param": "rows",
          "fields": [{"name": "a", "type": "u8", "shape": ["rows", "k"]}]})");
  const Layout layout = resolved(description, given({{"rows", ~std::uint64_t{0}}, {"k", 0}}));
  CHECK(layout.size == 0);
  CHECK((check_size(layout, default_max_slab_bytes, {}).error().code == ErrorCode::limit_exceeded));
}

TEST_CASE("how a refusal begins") {
  CHECK(refusal(**builtin_layout("decode"), {}, {}) == "decode metadata exceeds meta stride");
  CHECK(refusal(**builtin_layout("mtp"), 260, {}) ==
        "MTP attention metadata exceeds meta stride: needs 260 B");
  CHECK(refusal(*described(layout_of("")), 1, 0) ==
        "t metadata exceeds meta stride: needs 1 B, have 0 B");
}

TEST_CASE("fields are found by name and by role") {
  const Layout layout =
      resolved(*builtin_layout("decode"), given({{"max_batch_size", 1}, {"max_blocks", 1}}));
  REQUIRE(layout.find_field("slot") != nullptr);
  CHECK(layout.find_field("slot")->offset == 256);
  CHECK(layout.find_role("kv_position") == layout.find_field("position"));
  CHECK(layout.find_field("none") == nullptr);
  CHECK(layout.find_role("position") == nullptr);
}

}  // namespace
}  // namespace slabscope
