// Which layouts the type of a region takes.
#include <app/region_type.h>

#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/resolve_dump.h>

#include <doctest/doctest.h>

#include <string>

using namespace slabscope;

namespace {

// A layout whose fields have these types, one element each; "i64*0" has none.
Layout layout_of(std::initializer_list<std::string> types) {
  std::string text = R"({"name": "some", "fields": [)";
  int number = 0;
  for (std::string each : types) {
    const bool is_empty = each.ends_with("*0");
    each = each.substr(0, each.find('*'));
    text += std::string(text.ends_with('[') ? "" : ", ") + R"({"name": "f)" +
            std::to_string(++number) + R"(", "type": ")" + each + R"(", "shape": [)" +
            (is_empty ? "0" : "1") + "]}";
  }
  text += "]}";
  MemorySource source(text);
  auto description = read_description(source, "some.json");
  REQUIRE_MESSAGE(description, (description ? "" : description.error().message));
  auto layout = resolve_dump(*description, {}, std::nullopt, std::nullopt);
  REQUIRE_MESSAGE(layout, (layout ? "" : layout.error().message));
  return layout->layout;
}

std::string outcome(const RegionType& type, const Layout& layout, std::uint64_t offset = 0,
                    std::uint64_t stride = 0) {
  const auto checked = app::check_region_type(type, layout, offset, stride);
  if (checked) return "taken";
  CHECK(checked.error().code == ErrorCode::type_mismatch);
  return checked.error().got + " for " + checked.error().allowed;
}

const RegionType bytes{"torch.uint8", ElementType::u8, 1, false};
const RegionType signed_bytes{"I8", ElementType::i8, 1, false};
const RegionType booleans{"BOOL", std::nullopt, 1, false};
const RegionType halves{"F16", std::nullopt, 2, false};
const RegionType words{"<i4", ElementType::i32, 4, false};
const RegionType swapped{">u4", ElementType::u32, 4, true};
const RegionType longs{"I64", ElementType::i64, 8, false};

}  // namespace

TEST_CASE("bytes take any layout at any place") {
  for (const RegionType& each : {bytes, signed_bytes, booleans}) {
    CHECK(outcome(each, layout_of({"u32", "i64", "u8"}), 3) == "taken");
    CHECK(outcome(each, layout_of({}), 3) == "taken");
  }
}

TEST_CASE(
    "wider numbers take fields of their width and wider ones beside them, whatever the sign") {
  CHECK(outcome(words, layout_of({"i32"})) == "taken");
  CHECK(outcome(words, layout_of({"u32", "i64", "i32"}), 8) == "taken");
  CHECK(outcome(longs, layout_of({"u64"}), 8) == "taken");
  CHECK(outcome(longs, layout_of({"i64", "u8*0"})) == "taken");
}

TEST_CASE("an array of one width is none of another") {
  CHECK(outcome(longs, layout_of({"i64", "i32"})) == "f2 i32 for 8 B a number");
  CHECK(outcome(longs, layout_of({"i32"})) == "f1 i32 for 8 B a number");
  CHECK(outcome(words, layout_of({"i64"})) == "f1 i64 for 4 B a number");
  CHECK(outcome(words, layout_of({"u32", "u16"})) == "f2 u16 for 4 B a number");
  CHECK(outcome(halves, layout_of({"u16"})) == " for u8, i8, u16, i16, u32, i32, u64, i64");
}

TEST_CASE("numbers that were turned around are right at their own width alone") {
  CHECK(outcome(swapped, layout_of({"u32", "i32"})) == "taken");
  CHECK(outcome(swapped, layout_of({"u32", "i64"})) == "f2 i64 for 4 B a number");
}

TEST_CASE("every slab begins at a whole number") {
  CHECK(outcome(words, layout_of({"i32"}), 6) == "offset 6 for multiples of 4");
  CHECK(outcome(words, layout_of({"i32"}), 4) == "taken");
  CHECK(outcome(words, layout_of({"i32"}), 4, 6) == "stride 6 for multiples of 4");
  CHECK(outcome(words, layout_of({"i32"}), 4, 8) == "taken");
}
