#include "golden.h"

#include "json_reference.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string_view>

namespace slabscope::tests {
namespace {

std::uint64_t count(const JsonReference& value) {
  REQUIRE((value.kind == JsonReference::Kind::integer && value.integer >= 0));
  return static_cast<std::uint64_t>(value.integer);
}

std::map<std::string, std::uint64_t> counts(const JsonReference& object) {
  std::map<std::string, std::uint64_t> made;
  for (const std::string& key : object.keys) made[key] = count(object[key]);
  return made;
}

PlainRow row(const JsonReference& object) {
  PlainRow made{.position = static_cast<std::uint32_t>(object["position"].integer),
                .slot = static_cast<std::int64_t>(object["slot"].integer),
                .seq_len = static_cast<std::int32_t>(object["seq_len"].integer)};
  for (const JsonReference& each : object["block_table"].children)
    made.block_table.push_back(static_cast<std::int64_t>(each.integer));
  if (object.has("seq_slot")) made.seq_slot = static_cast<std::int32_t>(object["seq_slot"].integer);
  return made;
}

// The text of the member "document", which is the line's second and not its last.
std::string document_text(std::string_view line) {
  constexpr std::string_view key = "\"document\":";
  const std::size_t begin = line.find(key) + key.size();
  const std::size_t end = std::max(line.rfind(",\"slab\":") + 1, line.rfind(",\"refused\":") + 1);
  return std::string(line.substr(begin, end - 1 - begin));
}

GoldenCase read_case(const std::string& line) {
  const std::optional<JsonReference> read = read_reference(line);
  REQUIRE(read.has_value());
  const JsonReference& object = *read;
  const bool has_document = object.has("document");
  const JsonReference& described = has_document ? object["document"] : object;
  GoldenCase made{.id = object["id"].string, .layout = described["layout"].string};
  if (described.has("params")) made.params = counts(described["params"]);
  if (has_document) {
    made.document = document_text(line);
    for (const JsonReference& each : described["rows"].children) made.rows.push_back(row(each));
    if (described.has("region_bytes")) made.region_bytes = count(described["region_bytes"]);
  }
  if (object.has("slab")) made.slab = from_hex(object["slab"].string);
  if (object.has("refused"))
    made.refused = {count(object["refused"]["need"]), count(object["refused"]["have"])};
  if (object.has("offsets")) made.offsets = counts(object["offsets"]);
  if (object.has("size")) made.size = count(object["size"]);
  if (object.has("rows_capacity")) made.rows_capacity = count(object["rows_capacity"]);
  return made;
}

std::vector<GoldenCase> read_cases() {
  std::vector<GoldenCase> cases;
  for (const char* const name : {"seed_cases.ndjson", "decode_cases.ndjson"}) {
    std::ifstream file(std::string(SLABSCOPE_TESTS_DIR "/golden/") + name);
    INFO("golden file ", std::string(name));
    REQUIRE(file.is_open());
    for (std::string line; std::getline(file, line);) cases.push_back(read_case(line));
  }
  return cases;
}

}  // namespace

const std::vector<GoldenCase>& golden_cases() {
  static const std::vector<GoldenCase> cases = read_cases();
  return cases;
}

}  // namespace slabscope::tests
