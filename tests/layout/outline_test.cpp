// Outlines: what can be said of a layout with parameters unset. The expressions that stand in for
// figures, evaluated at any parameters, give the figures of the resolved layout.
#include <slabscope/layout/catalog.h>
#include <slabscope/layout/outline.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::given;

// Everything that outlines have to get right: sums, alignment, offsets out of order, products of
// names, derived parameters, functions, parameters that are only needed sometimes.
constexpr std::string_view tangled = R"-({
  "name": "tangled", "row_param": "rows",
  "params": {"rows": {}, "k": {}, "wide": {"value": "rung(k, 2, 4, 8)"}, "m": {"default": 3},
             "half": {"value": "ceil_div(rows, 2)"}},
  "fields": [
    {"name": "a", "type": "u8",  "shape": ["rows"]},
    {"name": "b", "type": "u32", "shape": ["rows", "k"]},
    {"name": "c", "type": "u16", "shape": ["rows", "wide", "m"]},
    {"name": "d", "type": "u8",  "shape": ["3*rows"]},
    {"name": "e", "type": "i64", "shape": ["rows*3", "half"]},
    {"name": "f", "type": "i64", "shape": ["min(rows,k)"], "align": 64},
    {"name": "g", "type": "u8",  "shape": ["rows - rows % 2", 2]},
    {"name": "h", "type": "u8",  "shape": []},
    {"name": "i", "type": "u32", "shape": ["( rows )", "0x2"]}
  ]})-";

constexpr std::string_view nested = R"-({
  "name": "nested",
  "params": {"n": {"min": 1}, "k": {"min": 1}, "z": {"default": 2}},
  "fields": [
    {"name": "a", "type": "u8",  "shape": ["100 / (2*n)"]},
    {"name": "b", "type": "u8",  "shape": ["100 % (2*n)"]},
    {"name": "c", "type": "u16", "shape": ["1000 / (n*k)", "1000 % (n*k)"]},
    {"name": "d", "type": "u8",  "shape": ["2*n / k", "2*n % k"]},
    {"name": "e", "type": "u8",  "shape": ["500 - (n - k%n)"]},
    {"name": "f", "type": "u8",  "shape": ["1000 - (n + k) - (n + 1)"]},
    {"name": "g", "type": "u8",  "shape": ["(n + k) * (n + z) * 2"]},
    {"name": "h", "type": "u8",  "shape": ["ceil_div(n + k, 1 + n) + align_up(n + 1, z * 4)"]},
    {"name": "i", "type": "u8",  "shape": ["rung(n + k, 4, 2 * k, 64) - 1"]},
    {"name": "j", "type": "u8",  "shape": ["max(n + k, n) + min(n + k, 3) + max(n, k)"]},
    {"name": "k", "type": "u8",  "shape": ["(n * 4 + 4) / 4 * (k / (n / 1))"]},
    {"name": "l", "type": "u8",  "shape": ["900 - n*k % 7 * 2"]},
    {"name": "m", "type": "u8",  "shape": ["z * (5 - z) / (k - (k - 1))"]},
    {"name": "o", "type": "u8",  "shape": ["n % (k % (n + 1) + 1)"]},
    {"name": "p", "type": "u32", "shape": ["align_up(k, 8) * 3"], "align": 32},
    {"name": "q", "type": "u32", "shape": [1], "align": 64}
  ]})-";

constexpr std::string_view with_offsets = R"-({
  "name": "spread", "row_param": "n",
  "params": {"n": {}, "k": {}, "top": {"value": "65536 + 64*n"}},
  "fields": [
    {"name": "tail",  "type": "u64", "shape": ["n"], "offset": "align_up(top, 8) + 8*k"},
    {"name": "head",  "type": "u8",  "shape": ["n"], "offset": 0},
    {"name": "mid",   "type": "u32", "shape": ["k"], "offset": "4096*n + 32768"},
    {"name": "after", "type": "u32", "shape": [2]}
  ]})-";

std::uint64_t value_of(const Figure& figure, const DescriptionPtr& description,
                       const Assignments& params) {
  if (figure.value) return *figure.value;
  CAPTURE(figure.expression);
  const auto expression = Expression::parse(figure.expression, {});
  REQUIRE(expression.has_value());
  Scope scope(*description, std::nullopt, std::nullopt);
  for (const Assignment& each : params) {
    const ParamDescription* const param = description->find_param(each.name);
    REQUIRE(param != nullptr);
    scope.set(static_cast<std::size_t>(param - description->params.data()), each.value);
  }
  bool known = true;
  expression->for_each_name([&](std::string_view name, std::size_t) {
    known = known && (description->find_param(name) != nullptr || name == row_count_name ||
                      name == live_rows_name);
  });
  REQUIRE(known);
  const auto value = scope.count(*expression);
  REQUIRE(value.has_value());
  return *value;
}

// The outline with only `first` given, against the layout with everything given.
void check_outline(const DescriptionPtr& description, const Assignments& first,
                   const Assignments& all) {
  const auto layout = resolve(description, all, {});
  if (!layout) return;
  const auto outlined = outline(description, first);
  REQUIRE(outlined.has_value());
  REQUIRE(outlined->fields.size() == layout->fields.size());
  for (std::size_t index = 0; index < layout->fields.size(); ++index) {
    const OutlineField& field = outlined->fields[index];
    const ResolvedField& exact = layout->fields[index];
    CAPTURE(exact.name());
    REQUIRE(field.shape.size() == exact.shape.size());
    for (std::size_t level = 0; level < exact.shape.size(); ++level)
      REQUIRE(value_of(field.shape[level], description, all) == exact.shape[level]);
    REQUIRE(value_of(field.offset, description, all) == exact.offset);
    REQUIRE(value_of(field.bytes, description, all) == exact.bytes);
    REQUIRE(field.align == exact.align);
  }
  REQUIRE(value_of(outlined->size, description, all) == layout->size);
  REQUIRE(outlined->align == layout->align);
}

struct Row {
  std::string_view what;
  DescriptionPtr description;
  std::vector<std::string> params;
};

std::vector<Row> layouts() {
  return {
      {"mtp", *builtin_layout("mtp"), {"entries"}},
      {"mtp_batch", *builtin_layout("mtp_batch"), {"rows", "max_blocks"}},
      {"decode", *builtin_layout("decode"), {"max_batch_size", "max_blocks"}},
      {"tangled", tests::described(tangled), {"rows", "k"}},
      {"nested", tests::described(nested), {"n", "k"}},
      {"spread", tests::described(with_offsets), {"n", "k"}},
  };
}

TEST_CASE("expressions of an outline give the figures of the layout") {
  tests::PseudoRandom random(13);
  for (const Row& row : layouts()) {
    CAPTURE(row.what);
    for (int round = 0; round < 60; ++round) {
      Assignments all;
      Assignments first;
      for (const std::string& name : row.params) {
        const std::uint64_t value = round < 6 ? random.below(3) : random.below(200);
        all.push_back({name, value, {}});
        if (random.one_in(2)) first.push_back({name, value, {}});
      }
      CAPTURE(all.front().value);
      CAPTURE(all.back().value);
      check_outline(row.description, {}, all);
      check_outline(row.description, first, all);
      check_outline(row.description, all, all);
    }
  }
}

TEST_CASE("with everything given an outline is the layout") {
  const auto outlined =
      outline(*builtin_layout("decode"), given({{"max_batch_size", 40}, {"max_blocks", 2}}));
  REQUIRE(outlined.has_value());
  CHECK(outlined->unset.empty());
  CHECK((outlined->size.value == 40 * 24 + 40 * 8));
  REQUIRE(outlined->gaps.size() == 1);
  CHECK((outlined->gaps[0].offset.value == 800));
  CHECK((outlined->gaps[0].bytes.value == 160));
  CHECK(outlined->gaps[0].before_field == 4);
  for (const OutlineField& each : outlined->fields) {
    CHECK(each.offset.expression.empty());
    CHECK(each.bytes.expression.empty());
  }
}

TEST_CASE("what is unset is named, and figures that do not need it are known") {
  const auto nothing = outline(*builtin_layout("decode"), {});
  REQUIRE(nothing.has_value());
  CHECK((nothing->unset == std::vector<std::string>{"max_batch_size", "max_blocks"}));
  CHECK((nothing->fields[0].offset.value == 0));
  CHECK_FALSE(nothing->fields[1].offset.value.has_value());
  CHECK_FALSE(nothing->size.value.has_value());

  const auto batch = outline(*builtin_layout("decode"), given({{"max_batch_size", 8}}));
  REQUIRE(batch.has_value());
  CHECK((batch->unset == std::vector<std::string>{"max_blocks"}));
  CHECK((batch->fields[3].offset.value == 512));
  CHECK((batch->fields[4].offset.value == 768));
  CHECK_FALSE(batch->fields[4].bytes.value.has_value());
  REQUIRE(batch->gaps.size() == 1);
  CHECK((batch->gaps[0].offset.value == 640));
  CHECK((batch->gaps[0].bytes.value == 128));
  CHECK(batch->gaps[0].before_field == 4);

  const auto mtp = outline(*builtin_layout("mtp"), {});
  REQUIRE(mtp.has_value());
  CHECK((mtp->fields[3].offset.value == 256));
  CHECK(mtp->size.expression == "4*entries + 256");
  CHECK(mtp->gaps.size() == 2);
}

TEST_CASE("expressions are such as people write") {
  const auto decode = outline(*builtin_layout("decode"), {});
  REQUIRE(decode.has_value());
  CHECK(decode->fields[1].offset.expression == "4*rows");
  CHECK(decode->fields[2].offset.expression == "8*rows");
  CHECK(decode->fields[4].offset.expression == "24*rows");
  CHECK(decode->fields[4].bytes.expression == "4*rows*max_blocks");
}

TEST_CASE("a row count that is given counts") {
  const auto outlined = outline(*builtin_layout("decode"), given({{"max_blocks", 1}}), 40);
  REQUIRE(outlined.has_value());
  CHECK(outlined->unset.empty());
  CHECK((outlined->size.value == 40 * 28));
}

TEST_CASE("mistakes in what is given are told though something is unset") {
  struct Wrong {
    std::string_view what;
    Assignments given;
    std::string_view error;
  };
  const DescriptionPtr description = tests::described(R"({"name": "t", "params": {
      "n": {"max": 8, "soft_max": 4}, "k": {}, "d": {"value": "n / 2"}},
      "fields": [{"name": "a", "type": "u8", "shape": ["n", "k", "d"]}]})");
  const Wrong rows[] = {
      {"an unknown parameter", given({{"m", 1}}), "unknown_param 0:0 -D m"},
      {"a derived parameter", given({{"d", 1}}), "derived_param 0:0 -D d"},
  };
  for (const Wrong& row : rows) {
    CAPTURE(row.what);
    CHECK(tests::shown_error(outline(description, row.given)) == row.error);
  }
}

TEST_CASE("a given parameter that is out of its range is told though another is unset") {
  const DescriptionPtr description = tests::described(R"({"name": "t", "params": {
      "n": {"max": 8, "soft_max": 4}, "k": {}},
      "fields": [{"name": "a", "type": "u8", "shape": ["n", "k"]}]})");
  CHECK(tests::shown_error(outline(description, given({{"n", 9}}))) == "param_range 0:0 -D n");
}

TEST_CASE("a given parameter above its soft maximum warns though another is unset") {
  const auto outlined = outline(*builtin_layout("decode"), given({{"max_batch_size", 129}}));
  REQUIRE(outlined.has_value());
  CHECK(outlined->warnings.size() == 1);
}

TEST_CASE("a circle of parameters is told though another is unset") {
  const DescriptionPtr description = tests::described(R"({"name": "t", "params": {
      "a": {"value": "b + 1"}, "b": {"value": "a"}, "n": {}},
      "fields": [{"name": "f", "type": "u8", "shape": ["n", "a"]}]})");
  CHECK(tests::shown_error(outline(description, {})) == "param_cycle 2:12 /params/a");
}

TEST_CASE("mistakes that hang on no unset parameter are told") {
  struct Wrong {
    std::string_view what;
    std::string_view code;
    std::string_view fields;
  };
  const Wrong rows[] = {
      {"an overlap", "field_overlap",
       R"({"name":"a","type":"u8","shape":[8]},{"name":"b","type":"u8","shape":[1],"offset":7},
          {"name":"z","type":"u8","shape":["n"],"offset":64})"},
      {"a misaligned offset", "misaligned",
       R"({"name":"a","type":"u32","shape":[1],"offset":2},{"name":"z","type":"u8","shape":["n"]})"},
      {"a division by zero", "division_by_zero",
       R"({"name":"a","type":"u8","shape":["1/0"]},{"name":"z","type":"u8","shape":["n"]})"},
      {"a size below zero", "negative_size",
       R"({"name":"a","type":"u8","shape":["1-2"]},{"name":"z","type":"u8","shape":["n"]})"},
      {"an overflow", "size_overflow",
       R"({"name":"a","type":"u64","shape":["4294967296", "4294967296"]},{"name":"z","type":"u8","shape":["n"]})"},
  };
  for (const Wrong& row : rows) {
    CAPTURE(row.what);
    const DescriptionPtr description = tests::described(
        R"({"name": "t", "params": {"n": {}}, "fields": [)" + std::string(row.fields) + "]}");
    const auto outlined = outline(description, {});
    CHECK_FALSE(outlined.has_value());
    if (!outlined) CHECK(info(outlined.error().code).name == row.code);
  }
}

TEST_CASE("a gap between known offsets behind one that is not known") {
  const DescriptionPtr description = tests::described(R"({"name": "t", "params": {"n": {}},
      "fields": [{"name": "a", "type": "u8", "shape": ["n"]},
                 {"name": "b", "type": "u8", "shape": [1], "offset": 64},
                 {"name": "c", "type": "u64", "shape": [1]}]})");
  const auto outlined = outline(description, {});
  REQUIRE(outlined.has_value());
  REQUIRE(outlined->gaps.size() == 1);
  CHECK((outlined->gaps[0].offset.value == 65));
  CHECK((outlined->gaps[0].bytes.value == 7));
  CHECK(outlined->gaps[0].before_field == 2);
}

TEST_CASE("gaps between fields that stand out of order are those of the layout") {
  // Every known gap of the outline is a gap of the layout: no field owns a byte of it.
  const DescriptionPtr description = tests::described(R"({"name": "t", "params": {"n": {}},
      "fields": [{"name": "a", "type": "u8", "shape": [8], "offset": 0},
                 {"name": "b", "type": "u8", "shape": [8], "offset": 64},
                 {"name": "c", "type": "u8", "shape": [8], "offset": 32},
                 {"name": "d", "type": "u8", "shape": ["n"], "offset": 128}]})");
  const auto outlined = outline(description, {});
  REQUIRE(outlined.has_value());
  const Layout layout = tests::resolved(description, given({{"n", 1}}));
  for (const OutlineGap& gap : outlined->gaps) {
    if (!gap.offset.value || !gap.bytes.value) continue;
    CAPTURE(*gap.offset.value);
    CAPTURE(*gap.bytes.value);
    for (const ResolvedField& field : layout.fields) {
      CAPTURE(field.name());
      CHECK((field.offset + field.bytes <= *gap.offset.value ||
             field.offset >= *gap.offset.value + *gap.bytes.value));
    }
  }
}

}  // namespace
}  // namespace slabscope
