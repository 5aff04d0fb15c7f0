// What stands in a report about a slab far inside a large dump.
#include "../support/documents.h"

#include <slabscope/report/lint_report.h>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <string>

namespace slabscope::tests {
namespace {

TEST_CASE("SARIF says where in the file a finding is, beyond 4 GiB too, and where in none") {
  constexpr std::uint64_t slab_at = std::uint64_t{5} << 32U;
  LintResult result;
  Finding& finding = result.findings.emplace_back();
  finding.rule = "block-range";
  finding.offset = 20;
  finding.bytes = 4;
  finding.message = "block 9 of 8";
  std::optional<std::uint64_t> asked;
  const FilePlace in_file = [&](std::uint64_t offset) -> std::optional<std::uint64_t> {
    asked = offset;
    if (offset > 2 * slab_at) return std::nullopt;
    return offset + 100;
  };
  ByteSink sink;
  TextWriter text(sink);
  LintReport report(LintFormat::sarif, "dump.bin", text);
  report.add("mtp_batch", slab_at, in_file, result);
  CHECK(asked == slab_at + 20);
  report.add("mtp_batch", 2 * slab_at, in_file, result);
  report.add("mtp_batch", std::nullopt, in_file, result);
  report.finish();
  REQUIRE(text.finish().has_value());
  const auto document = nlohmann::json::parse(
      std::string(reinterpret_cast<const char*>(sink.bytes.data()), sink.bytes.size()));
  const auto& results = document.at("runs").at(0).at("results");
  REQUIRE(results.size() == 3);
  const auto location = [&](std::size_t number) {
    return results.at(number).at("locations").at(0).at("physicalLocation");
  };
  CHECK(location(0).at("artifactLocation").at("uri") == "dump.bin");
  CHECK(location(0).at("region").at("byteOffset") == slab_at + 120);
  CHECK(location(0).at("region").at("byteLength") == 4);
  CHECK_FALSE(location(1).contains("region"));
  CHECK_FALSE(location(2).contains("region"));
  CHECK(report.errors() == 3);
}

}  // namespace
}  // namespace slabscope::tests
