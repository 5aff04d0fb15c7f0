// Layouts for people and for programs.
#include <slabscope/layout/catalog.h>
#include <slabscope/report/layout_report.h>

#include "../support/json_reference.h"
#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::given;
using tests::JsonReference;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Outline outlined(const DescriptionPtr& description, const Assignments& params) {
  const auto made = outline(description, params);
  INFO("error: ", tests::shown_error(made));
  REQUIRE(made.has_value());
  return *made;
}

constexpr std::uint64_t one = 1;

struct Case {
  std::string_view layout;
  Assignments params;
};
std::vector<Case> cases() {
  std::vector<Case> made = {
      {"mtp", {}},
      {"mtp_batch", {}},
      {"decode", {}},
      {"mtp_batch", given({{"rows", 2}})},
      {"mtp_batch", given({{"max_blocks", 2}})},
      {"decode", given({{"max_blocks", 7}})},
      {"decode", given({{"max_batch_size", 40}})},
      {"decode", given({{"max_batch_size", one << 30U}})},
      {"decode", given({{"max_blocks", one << 60U}})},
  };
  for (unsigned bits = 0; bits <= 36; bits += 4) {
    made.push_back({"mtp", given({{"entries", one << bits}})});
    made.push_back({"mtp_batch", given({{"rows", one << (bits / 2)},
                                        {"max_blocks", one << (bits - bits / 2)}})});
    made.push_back({"decode", given({{"max_batch_size", one << (bits / 2)},
                                     {"max_blocks", one << (bits - bits / 2) >> 5U}})});
  }
  return made;
}

std::size_t width_of(const std::string& table) {
  std::size_t widest = 0;
  for (const std::string& line : lines_of(table)) widest = std::max(widest, line.size());
  return widest;
}

// As long as no figure has more than ten digits.
TEST_CASE("tables are at most 80 columns wide") {
  for (const Case& each : cases()) {
    const std::string table = layout_table(outlined(*builtin_layout(each.layout), each.params));
    CAPTURE(table);
    CHECK(width_of(table) <= 80);
  }
}

TEST_CASE("offsets and sizes stand to the right, under their heading") {
  for (const Case& each : cases()) {
    const std::string table = layout_table(outlined(*builtin_layout(each.layout), each.params));
    CAPTURE(table);
    const std::vector<std::string> lines = lines_of(table);
    const auto heading = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("offset  ") != std::string::npos &&
             line.find("bytes  field") != std::string::npos;
    });
    REQUIRE(heading != lines.end());
    const std::size_t offset_end = heading->find("offset") + 6;
    const std::size_t bytes_end = heading->find("bytes  field") + 5;
    std::size_t rows = 0;
    for (auto line = heading + 1; line != lines.end() && !line->empty(); ++line) {
      if (line->size() < bytes_end || (*line)[offset_end - 1] == ' ')
        continue;  // a row's second line
      ++rows;
      CHECK((*line)[offset_end] == ' ');
      CHECK((*line)[bytes_end - 1] != ' ');
      CHECK((*line)[bytes_end] == ' ');
    }
    CHECK(rows >= 4);
  }
}

TEST_CASE("a table shows every field and gap in order of offset, and the total") {
  const std::string table = layout_table(
      outlined(*builtin_layout("decode"), given({{"max_batch_size", 4}, {"max_blocks", 2}})));
  CAPTURE(table);
  std::string squeezed;
  for (const std::string& line : lines_of(table)) {
    std::istringstream words(line);
    for (std::string word; words >> word;) squeezed += word + " ";
    squeezed += "\n";
  }
  const std::string_view expected[] = {"0 128 position u32 [32] 4 kv_position \n",
                                       "128 128 seq_slot i32 [32] 4 seq_slot \n",
                                       "256 256 slot i64 [32] 8 slot \n",
                                       "512 128 seq_len i32 [32] 4 seq_len \n",
                                       "640 128 (gap) not written \n",
                                       "768 256 block_table i32 [32 x 2] 4 block_table \n"};
  std::size_t at = 0;
  for (const std::string_view line : expected) {
    CAPTURE(line);
    const std::size_t found = squeezed.find(line, at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
  CHECK(squeezed.find("size 1024 B", at) != std::string::npos);
  CHECK(squeezed.find("aligned to 8 B", at) != std::string::npos);
  CHECK(squeezed.find("max_batch_size 4 ") != std::string::npos);
  CHECK(squeezed.find("rows 32 ") != std::string::npos);
  for (const std::string& line : lines_of(table)) CHECK_FALSE(line.ends_with(' '));
}

JsonReference read(const std::string& json) {
  const auto parsed = tests::read_reference(json);
  REQUIRE(parsed.has_value());
  CHECK(json.ends_with("}\n"));
  return *parsed;
}

std::string keys_of(const JsonReference& node) {
  std::string text;
  for (const std::string& each : node.keys) text += (text.empty() ? "" : " ") + each;
  return text;
}

TEST_CASE("as JSON, everything known") {
  const JsonReference json = read(layout_json(
      outlined(*builtin_layout("decode"), given({{"max_batch_size", 4}, {"max_blocks", 2}}))));
  CHECK(keys_of(json) == "layout params size align fields gaps");
  CHECK(json["layout"].string == "decode");
  CHECK(keys_of(json["params"])
            .starts_with("max_batch_size rows max_blocks padded_rows dummy_block"));
  CHECK((json["params"]["rows"].integer == 32));
  CHECK((json["size"].integer == 1024));
  CHECK((json["align"].integer == 8));
  REQUIRE(json["fields"].children.size() == 5);
  const JsonReference& table = json["fields"][4];
  CHECK(keys_of(table) == "name type shape offset bytes align role");
  CHECK(table["name"].string == "block_table");
  CHECK(table["type"].string == "i32");
  REQUIRE(table["shape"].children.size() == 2);
  CHECK((table["shape"][0].integer == 32));
  CHECK((table["shape"][1].integer == 2));
  CHECK((table["offset"].integer == 768));
  CHECK((table["bytes"].integer == 256));
  CHECK((table["align"].integer == 4));
  CHECK(table["role"].string == "block_table");
  REQUIRE(json["gaps"].children.size() == 1);
  CHECK(keys_of(json["gaps"][0]) == "offset bytes");
  CHECK((json["gaps"][0]["offset"].integer == 640));
  CHECK((json["gaps"][0]["bytes"].integer == 128));
  const JsonReference scalar =
      read(layout_json(outlined(*builtin_layout("mtp"), given({{"entries", 0}}))));
  CHECK((scalar["fields"][0]["shape"].kind == JsonReference::Kind::array));
  CHECK(scalar["fields"][0]["shape"].children.empty());
}

TEST_CASE("as JSON, figures that are not known are null with the expression beside them") {
  const JsonReference json = read(layout_json(outlined(*builtin_layout("mtp_batch"), {})));
  CHECK((json["size"].kind == JsonReference::Kind::null));
  CHECK((json["size_expr"].kind == JsonReference::Kind::string));
  CHECK(json["params"].keys.empty());
  const JsonReference& position = json["fields"][0];
  CHECK((position["offset"].integer == 0));
  CHECK_FALSE(position.has("offset_expr"));
  CHECK((position["bytes"].kind == JsonReference::Kind::null));
  CHECK(position["bytes_expr"].string == "4*rows");
  CHECK((position["shape"][0].kind == JsonReference::Kind::null));
  const JsonReference& table = json["fields"][3];
  CHECK((table["offset"].kind == JsonReference::Kind::null));
  CHECK_FALSE(table["offset_expr"].string.empty());
  CHECK((table["align"].integer == 16));
  for (const JsonReference& gap : json["gaps"].children)
    CHECK((!gap["bytes"].string.empty() || gap["bytes"].kind == JsonReference::Kind::null ||
           gap["bytes"].integer != 0));
}

TEST_CASE("as JSON at every parameter it is JSON, and numbers are exact") {
  for (const Case& each : cases()) {
    const Outline made = outlined(*builtin_layout(each.layout), each.params);
    const JsonReference json = read(layout_json(made));
    if (made.size.value) CHECK((json["size"].integer == int128{*made.size.value}));
    for (std::size_t index = 0; index < made.fields.size(); ++index)
      if (made.fields[index].offset.value)
        CHECK(
            (json["fields"][index]["offset"].integer == int128{*made.fields[index].offset.value}));
  }
}

TEST_CASE("no gaps are an empty list") {
  const JsonReference json =
      read(layout_json(outlined(tests::described(tests::one_field("", "3")), {})));
  CHECK((json["gaps"].kind == JsonReference::Kind::array));
  CHECK(json["gaps"].children.empty());
  CHECK_FALSE(json["fields"][0].has("role"));
}

TEST_CASE("the catalog") {
  std::vector<DescriptionPtr> catalog;
  for (const std::string_view name : builtin_layout_names())
    catalog.push_back(*builtin_layout(name));
  const std::string table = catalog_table(catalog);
  for (const std::string& line : lines_of(table)) CHECK(line.size() <= 80);
  const auto json = tests::read_reference(catalog_json(catalog));
  REQUIRE(json.has_value());
  REQUIRE(json->children.size() == catalog.size());
  for (std::size_t index = 0; index < catalog.size(); ++index) {
    CHECK(table.find(catalog[index]->name) != std::string::npos);
    CHECK((*json)[index]["layout"].string == catalog[index]->name);
    CHECK((*json)[index]["doc"].string == catalog[index]->doc);
    for (const ParamDescription& param : catalog[index]->params) {
      CHECK((*json)[index]["params"].has(param.name) == !param.value.has_value());
      if (!param.value) CHECK((*json)[index]["params"][param.name]["doc"].string == param.doc);
    }
  }
}

}  // namespace
}  // namespace slabscope
