// What dumps say of themselves becomes options, or is refused.
#include <slabscope/dump/self_description.h>

#include <doctest/doctest.h>

#include <vector>

using namespace slabscope;

namespace {

TEST_CASE("facts become a layout, parameters and rows; other facts are left alone") {
  const std::vector<ContainerFact> facts = {
      {"base_address", "0x7f32a0000000"}, {"slabscope.param.rows", "2"},
      {"slabscope.layout", "mtp_batch"},  {"slabscope.param.max_blocks", "0x10"},
      {"slabscope.live_rows", "1"},       {"slabscope.offset", "32768"}};
  const auto read = self_description(facts);
  REQUIRE(read);
  REQUIRE(*read);
  const SelfDescription& said = **read;
  CHECK(said.layout == "mtp_batch");
  REQUIRE(said.params.size() == 2);
  CHECK(said.params[0].name == "rows");
  CHECK(said.params[0].origin.pointer == "slabscope.param.rows");
  CHECK(said.params[1].value == 16);
  CHECK(said.live_rows == 1);
  CHECK(said.offset == 32768);
}

TEST_CASE("a dump that says nothing of itself") {
  const ContainerFact other{"format", "pt"};
  CHECK_FALSE((*self_description({})).has_value());
  CHECK_FALSE((*self_description({&other, 1})).has_value());
}

TEST_CASE("what is not known, said twice or no number is refused at its fact") {
  const ContainerFact layout{"slabscope.layout", "mtp_batch"};
  struct {
    std::string_view name;
    std::vector<ContainerFact> facts;
    ErrorCode code;
    std::string_view pointer;
  } const cases[] = {
      {"no layout", {{"slabscope.param.rows", "2"}}, ErrorCode::missing_key, "slabscope.layout"},
      {"a path",
       {{"slabscope.layout", "../own.json"}},
       ErrorCode::unknown_layout,
       "slabscope.layout"},
      {"an empty name", {{"slabscope.layout", ""}}, ErrorCode::unknown_layout, "slabscope.layout"},
      {"standard input",
       {{"slabscope.layout", "-"}},
       ErrorCode::unknown_layout,
       "slabscope.layout"},
      {"a name as an option",
       {{"slabscope.layout", "-mtp"}},
       ErrorCode::unknown_layout,
       "slabscope.layout"},
      {"a name with a dot",
       {{"slabscope.layout", "own.json"}},
       ErrorCode::unknown_layout,
       "slabscope.layout"},
      {"a name with a blank",
       {{"slabscope.layout", "mtp batch"}},
       ErrorCode::unknown_layout,
       "slabscope.layout"},
      {"two layouts", {layout, layout}, ErrorCode::duplicate_key, "slabscope.layout"},
      {"two values",
       {layout, {"slabscope.param.a", "1"}, {"slabscope.param.a", "1"}},
       ErrorCode::duplicate_key,
       "slabscope.param.a"},
      {"rows twice",
       {layout, {"slabscope.live_rows", "1"}, {"slabscope.live_rows", "1"}},
       ErrorCode::duplicate_key,
       "slabscope.live_rows"},
      {"no number",
       {layout, {"slabscope.param.a", "two"}},
       ErrorCode::out_of_range,
       "slabscope.param.a"},
      {"below zero",
       {layout, {"slabscope.offset", "-1"}},
       ErrorCode::out_of_range,
       "slabscope.offset"},
      {"beyond 64 bits",
       {layout, {"slabscope.offset", "18446744073709551616"}},
       ErrorCode::out_of_range,
       "slabscope.offset"},
      {"a key of tomorrow",
       {layout, {"slabscope.stride", "1"}},
       ErrorCode::unknown_key,
       "slabscope.stride"},
      {"a parameter without name",
       {layout, {"slabscope.param.", "1"}},
       ErrorCode::unknown_key,
       "slabscope.param."},
  };
  for (const auto& each : cases) {
    CAPTURE(each.name);
    const auto read = self_description(each.facts);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == each.code);
    CHECK(read.error().pointer == each.pointer);
  }
}

}  // namespace
