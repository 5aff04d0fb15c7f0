// The schemas by their names.
#include <slabscope/report/schema_report.h>

#include <doctest/doctest.h>

#include <string>

namespace slabscope {
namespace {

TEST_CASE("a name that no schema has is told, as far as it can be read") {
  const auto text = schema_text(std::string(81, 'n'));
  REQUIRE_FALSE(text);
  CHECK(text.error().code == ErrorCode::unknown_schema);
  CHECK(text.error().got == std::string(80, 'n') + "...");
  CHECK(text.error().allowed.starts_with("arena, arena_report, "));
  CHECK(schema_text("rows"));
}

}  // namespace
}  // namespace slabscope
