// Every golden case holds: rows become the engine's own bytes, or are refused with its figures, and
// offsets and sizes are the engine's.
#include "../support/golden.h"
#include "../support/documents.h"

#include <slabscope/layout/catalog.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace slabscope::tests {
namespace {

void check_figures(const GoldenCase& golden, const Layout& layout) {
  for (const auto& [name, offset] : golden.offsets) {
    const ResolvedField* const field = layout.find_field(name);
    INFO("field ", name);
    REQUIRE(field != nullptr);
    CHECK(field->offset == offset);
  }
  if (golden.size) CHECK(layout.size == *golden.size);
  if (golden.slab) CHECK(layout.size == golden.slab->size());
  if (golden.rows_capacity) CHECK(layout.capacity == *golden.rows_capacity);
}

TEST_CASE("every golden document packs to its slab") {
  std::size_t cases = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab) continue;
    ++cases;
    INFO(golden.id);
    const auto document = read_document(golden.document);
    INFO((document ? std::string() : shown_failure(document.error())));
    REQUIRE(document.has_value());
    check_figures(golden, document->layout);
    CHECK(document->residue.runs.empty());
    CHECK_MESSAGE(packed(*document) == *golden.slab, difference(packed(*document), *golden.slab));
    CHECK_MESSAGE(streamed(*document) == *golden.slab,
                  difference(streamed(*document), *golden.slab));
    const RowsViewOf rows(document->rows);
    CHECK(pack(document->layout, rows.view(), golden.region_bytes).has_value());
    CHECK(pack(document->layout, rows.view(), golden.slab->size()).has_value());
    if (golden.slab->empty()) continue;
    const auto refused = pack(document->layout, rows.view(), golden.slab->size() - 1);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::region_exceeded);
  }
  CHECK(cases == 192);
}

TEST_CASE("every golden refusal has its figures") {
  std::size_t regions = 0;
  std::size_t tables = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.refused) continue;
    INFO(golden.id);
    const auto [need, have] = *golden.refused;
    const auto document = read_document(golden.document);
    REQUIRE_FALSE(document.has_value());
    const Error& failed = document.error();
    INFO(shown_failure(failed));
    CHECK(info(failed.code).exit_code == 3);
    CHECK(failed.message.starts_with("MTP attention metadata exceeds meta stride"));
    CHECK(failed.message.find("needs " + std::to_string(need) + " B") != std::string::npos);
    CHECK(failed.message.find("have " + std::to_string(have) + " B") != std::string::npos);
    const bool is_table = need <= have;
    ++(is_table ? tables : regions);
    CHECK(failed.code == (is_table ? ErrorCode::list_too_long : ErrorCode::region_exceeded));
    CHECK(failed.message.find("block-table entr") != std::string::npos);
  }
  CHECK(regions == 68);
  CHECK(tables == 4);
}

TEST_CASE("every golden layout has its offsets") {
  std::size_t cases = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.document.empty()) continue;
    ++cases;
    INFO(golden.id);
    REQUIRE(golden.offsets.size() >= 4);
    REQUIRE(golden.size.has_value());
    check_figures(golden, resolved(builtin(golden.layout), golden.params));
  }
  CHECK(cases == 197);
}

TEST_CASE("the golden files are whole") { CHECK(golden_cases().size() == 461); }

// A layout is one JSON file and its golden cases.
TEST_CASE("every built-in layout has golden cases") {
  for (const std::string_view name : builtin_layout_names()) {
    INFO(std::string(name));
    CHECK(std::any_of(golden_cases().begin(), golden_cases().end(),
                      [&](const GoldenCase& golden) { return golden.layout == name; }));
  }
}

}  // namespace
}  // namespace slabscope::tests
