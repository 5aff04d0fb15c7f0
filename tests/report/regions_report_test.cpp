// What a dump holds, as a table and as JSON: everything that a container may say of a region.
#include "../support/documents.h"
#include "../support/json_reference.h"

#include <slabscope/report/regions_report.h>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

class Told final : public Container {
 public:
  std::string_view name() const noexcept override { return "told"; }
  std::span<const Region> regions() const noexcept override { return all; }
  std::span<const ContainerFact> facts() const noexcept override { return said; }
  std::string_view remark() const noexcept override { return why; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t) override {
    return fail(ErrorCode::read_failed, "nothing is read here");
  }

  std::vector<Region> all;
  std::vector<ContainerFact> said;
  std::string why;
};

Region region(std::string name, std::uint64_t bytes) {
  Region made;
  made.name = std::move(name);
  made.kind = "tensor";
  made.bytes = bytes;
  return made;
}

std::string written(const Told& told, std::uint64_t unknown, bool as_json) {
  ByteSink sink;
  TextWriter text(sink);
  const RegionsReport report{"a.bin", told, unknown};
  if (as_json)
    report.write_json(text);
  else
    report.write_table(text);
  REQUIRE(text.finish().has_value());
  return {reinterpret_cast<const char*>(sink.bytes.data()), sink.bytes.size()};
}

void say_everything(Told& told) {
  told.said = {{"driver", "570.86"}, {"flags", "0x2f"}};
  told.why = "one more word";
  told.all = {region("", unknown_bytes), region("grid", 24), region("lens", 16)};
  told.all[1].type = RegionType{">i4", ElementType::i32, 4, true};
  told.all[1].shape = {2, 3};
  told.all[1].address = 0x7f32a0008000;
  told.all[1].file_offset = 128;
  told.all[2].missing = 4;
}

TEST_CASE("a table of regions has all that is known of them") {
  Told told;
  say_everything(told);
  const std::string text = written(told, 13, false);
  for (const char* const each :
       {"a.bin: told\n", "  driver: 570.86\n", "  flags: 0x2f\n", "(all)", "13", "0x7f32a0008000",
        "128", ">i4 (big-endian)", "[2 x 3]", "cut: of 'lens' the file lacks the last 4 of 16 B\n",
        "\none more word\n"})
    CHECK_MESSAGE(text.find(each) != std::string::npos, each, " in ", text);
}

TEST_CASE("regions as JSON have the keys that apply") {
  Told told;
  say_everything(told);
  const auto report = read_reference(written(told, 13, true));
  REQUIRE(report.has_value());
  CHECK((*report)["file"].string == "a.bin");
  CHECK((*report)["container"].string == "told");
  CHECK((*report)["remark"].string == "one more word");
  REQUIRE((*report)["facts"].children.size() == 2);
  CHECK((*report)["facts"][1]["value"].string == "0x2f");
  const JsonReference& regions = (*report)["regions"];
  REQUIRE(regions.children.size() == 3);
  CHECK((regions[0]["bytes"].integer == 13));
  CHECK_FALSE(regions[0].has("type"));
  CHECK(regions[1]["address"].string == "0x7f32a0008000");
  CHECK((regions[1]["file_offset"].integer == 128));
  CHECK(regions[1]["type"].string == ">i4");
  CHECK(regions[1].has("big_endian"));
  REQUIRE(regions[1]["shape"].children.size() == 2);
  CHECK((regions[1]["shape"][1].integer == 3));
  CHECK((regions[2]["missing"].integer == 4));
  CHECK_FALSE(regions[2].has("big_endian"));
}

TEST_CASE("a dump without regions says why, and has no table") {
  Told told;
  told.why = "taken without memory";
  CHECK(written(told, 0, false) == "a.bin: told\n\ntaken without memory\n");
  told.why.clear();
  CHECK(written(told, 0, false) == "a.bin: told\n");
  const auto report = read_reference(written(told, 0, true));
  REQUIRE(report.has_value());
  CHECK((*report)["regions"].children.empty());
  CHECK_FALSE(report->has("remark"));
}

}  // namespace
}  // namespace slabscope::tests
