// A layout that a user could bring: every kind of expression, three dimensions, fill, a list of
// pads, null and rung, with figures computed by hand.
#include <slabscope/base/integer_text.h>

#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

constexpr std::string_view own = R"-({
  "name": "own", "doc": "A layout of a user's own.", "subject": "own slab",
  "params": {
    "rows":        {"doc": "rows", "min": 1, "max": "0x0c", "soft_max": "3 * depth"},
    "depth":       {"default": 2},
    "width":       {"value": "align_up(max(depth, 3), 4)"},
    "graph":       {"value": "rung(rows, 2, 4, 8)"},
    "pairs":       {"value": "ceil_div(rows, 2) + rows % 2 - 0"},
    "half":        {"value": "min(rows, 6) / 2"},
    "padded_rows": {"default": "row_count"}
  },
  "row_param": "rows", "gaps": "any", "align": 64, "rows_per_group": "2",
  "fields": [
    {"name": "id",    "type": "u8",  "shape": ["rows"]},
    {"name": "cube",  "type": "i16", "shape": ["rows", "depth", "width"],
                      "fill": "-(depth + 5)", "pad": [1, "-2", "0x7fff"], "null": [-1, "0x7fff"]},
    {"name": "table", "type": "u32", "shape": ["graph", "pairs"], "align": 32},
    {"name": "tail",  "type": "i64", "shape": [], "offset": "align_up(1000 + 8*half, 8)", "fill": "any"}
  ]})-";

struct Row {
  std::uint64_t rows, depth;
  std::vector<std::string> shapes;
  std::vector<std::uint64_t> offsets, bytes;
  std::uint64_t size;
};

std::string shape_text(const ResolvedField& field) {
  std::string text;
  for (const std::uint64_t each : field.shape)
    text += (text.empty() ? "" : "x") + std::to_string(each);
  return text;
}

TEST_CASE("every figure of a layout with expressions of every kind") {
  const DescriptionPtr description = tests::described(own);
  const Row rows[] = {
      // width 4, graph 8, pairs 3+1, half 2
      {5, 2, {"5", "5x2x4", "8x4", ""}, {0, 6, 96, 1016}, {5, 80, 128, 8}, 1024},
      // width 4, graph 2, pairs 1+1, half 0
      {1, 2, {"1", "1x2x4", "2x2", ""}, {0, 2, 32, 1000}, {1, 16, 16, 8}, 1008},
      // width 8, graph 8, pairs 3+0, half 3: cube 2*6*5*8
      {6, 5, {"6", "6x5x8", "8x3", ""}, {0, 6, 512, 1024}, {6, 480, 96, 8}, 1032},
      // no depth: width 4, an empty cube; graph 9 (above the last rung), pairs 5+1, half 3
      {9, 0, {"9", "9x0x4", "9x6", ""}, {0, 10, 32, 1024}, {9, 0, 216, 8}, 1032},
  };
  for (const Row& row : rows) {
    CAPTURE(row.rows);
    CAPTURE(row.depth);
    const Layout layout =
        tests::resolved(description, tests::given({{"rows", row.rows}, {"depth", row.depth}}));
    CHECK(layout.size == row.size);
    CHECK(layout.align == 64);
    CHECK(layout.capacity == row.rows);
    for (std::size_t index = 0; index < 4; ++index) {
      CAPTURE(index);
      CHECK(shape_text(layout.fields[index]) == row.shapes[index]);
      CHECK(layout.fields[index].offset == row.offsets[index]);
      CHECK(layout.fields[index].bytes == row.bytes[index]);
    }
    CHECK(layout.fields[0].items == row.rows);
    CHECK(layout.fields[0].item_elements == 1);
    CHECK(layout.fields[1].item_elements == row.depth * (row.depth == 5 ? 8 : 4));
    CHECK(layout.fields[2].items == 1);
    CHECK(layout.fields[2].align == 32);
  }
}

TEST_CASE("fill, pads and nulls of that layout") {
  const DescriptionPtr description = tests::described(own);
  const Layout layout =
      tests::resolved(description, tests::given({{"rows", 4}, {"padded_rows", 3}}), {2, 1});
  CHECK(to_text(*layout.fields[1].fill) == "-7");
  REQUIRE(layout.fields[1].pad->size() == 3);
  CHECK(to_text(layout.fields[1].pad->at(1)) == "-2");
  CHECK(to_text(layout.fields[1].pad->at(2)) == "32767");
  CHECK(description->fields[1].null.size() == 2);
  CHECK(layout.padded_rows == 3);
  CHECK(layout.live_rows == 1);
  CHECK(layout.fields[1].item_offset(3) == layout.fields[1].offset + 3 * 16);
  CHECK(check_rows(layout).has_value());
}

TEST_CASE("bounds of that layout") {
  const DescriptionPtr description = tests::described(own);
  const auto code = [&](std::uint64_t rows) {
    return tests::shown_error(resolve(description, tests::given({{"rows", rows}}), {}));
  };
  CHECK(code(0) == "param_range 0:0 -D rows");
  CHECK(code(1) == "no error");
  CHECK(code(12) == "no error");
  CHECK(code(13) == "param_range 0:0 -D rows");
  CHECK(tests::resolved(description, tests::given({{"rows", 6}})).warnings.empty());
  CHECK(tests::resolved(description, tests::given({{"rows", 7}})).warnings.size() == 1);
  CHECK(tests::resolved(description, tests::given({{"rows", 7}, {"depth", 3}})).warnings.empty());
  // A cube of 1536 bytes reaches past the tail's offset.
  CHECK((resolve(description, tests::given({{"rows", 12}, {"depth", 8}}), {}).error().code ==
         ErrorCode::field_overlap));
}

}  // namespace
}  // namespace slabscope
