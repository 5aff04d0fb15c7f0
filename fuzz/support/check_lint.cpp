#include "check_lint.h"

#include "limits.h"
#include "property.h"

#include <slabscope/report/lint_report.h>
#include <slabscope/report/rows_table.h>

#include <tests/support/paced_source.h>

#include <algorithm>
#include <ctime>
#include <string>

namespace slabscope::fuzz {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void check_finding(const Findings& findings, std::size_t index, const LintInput& input) {
  const Finding& finding = findings[index];
  const auto shown = [&] {
    return std::string(finding.rule) + ": " + finding.message + ", field " +
           std::string(finding.field) + " at " + std::to_string(finding.offset.value_or(0)) +
           " of " + std::to_string(finding.bytes) + " B in " + std::to_string(input.layout.size);
  };
  require(find_rule(finding.rule) != nullptr && !finding.message.empty(),
          "a finding is of a rule and says what it is", shown);
  if (finding.offset)
    require(*finding.offset <= input.layout.size &&
                finding.bytes <= input.layout.size - *finding.offset,
            "a finding lies inside the slab", shown);
  require(!finding.consequence_of || *finding.consequence_of < index,
          "what follows from a finding stands behind it", shown);
  for (const auto& row : {finding.row, finding.other_row})
    require(!row || *row < input.layout.capacity, "a finding's row is there", shown);
  if (finding.field.empty()) return;
  const ResolvedField* const field = input.layout.find_field(finding.field);
  require(field != nullptr, "a finding's field is there", shown);
  // An index may be past the row's end: then the finding says what would be read there.
  if (!finding.offset || !finding.row || *finding.row >= field->items) return;
  const std::uint64_t column = finding.index.value_or(0);
  require(column >= field->item_elements ||
              *finding.offset == field->item_offset(*finding.row) + column * field->element_bytes(),
          "a finding's offset is that of its element", shown);
}

std::uint64_t count_of(const Findings& findings, FindingSeverity severity) {
  return static_cast<std::uint64_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& each) { return each.severity == severity; }));
}

std::string report_text(LintFormat format, const LintInput& input, const LintResult& result) {
  tests::KeepingSink sink;
  TextWriter text(sink);
  LintReport report(format, "dump.bin", text);
  const auto in_file = [](std::uint64_t offset) { return std::optional(offset); };
  report.add(input.layout.description->name, 0, in_file, result);
  report.finish();
  require(text.finish().has_value(), "a sink that takes everything is no error");
  require(report.errors() == count_of(result.findings, FindingSeverity::error) &&
              report.warnings() == count_of(result.findings, FindingSeverity::warning),
          "a report counts errors and warnings, which the exit code goes by");
  return sink.text;
}

void check_reports(const LintInput& input, const LintResult& result) {
  const auto json = tests::read_reference(report_text(LintFormat::json, input, result));
  require(json && (*json)["findings"].children.size() == result.findings.size(),
          "a report as JSON has all findings");
  int128 counted = 0;
  for (const JsonReference& each : (*json)["summary"].children) counted += each.integer;
  require(counted == int128{result.findings.size()}, "the summary counts all findings");
  const auto sarif = tests::read_reference(report_text(LintFormat::sarif, input, result));
  require(sarif && (*sarif)["runs"][0]["results"].children.size() == result.findings.size(),
          "a report as SARIF has all findings");
  const std::string table = report_text(LintFormat::table, input, result);
  require(std::count(table.begin(), table.end(), '\n') >=
              static_cast<std::ptrdiff_t>(result.findings.size()),
          "a report for people has a line for each finding");
}

}  // namespace

void check_lint(const LintInput& input) {
  const auto view = SlabView::of(input.layout, input.slab);
  const auto rules = choose_rules({}, {});
  require(view && rules, "a whole slab can be looked at, with all rules");
  const double begin = processor_seconds();
  const auto batch = Batch::of(*view, {0, input.region_bytes, input.groups, input.lists});
  if (!batch) return check_error(batch.error(), {}, {});
  const LintResult result = lint(*batch, *rules);
  const double seconds = processor_seconds() - begin;
  const auto bytes = static_cast<double>(input.layout.size);
  require(seconds < max_seconds + max_seconds_per_byte * bytes, "a check takes linear time",
          [&] { return std::to_string(seconds) + " s for " + std::to_string(bytes) + " B"; });
  // Each rule looks at each element, gap and row at most once.
  const std::uint64_t places = input.layout.size + input.layout.padded_rows + 1;
  require(result.findings.size() <= rules->size() * places, "findings are linear in the slab");
  for (std::size_t index = 0; index < result.findings.size(); ++index)
    check_finding(result.findings, index, input);
  check_reports(input, result);
  tests::KeepingSink sink;
  TextWriter text(sink);
  write_rows_table(*batch, result, {0, input.slab.size() % 2 == 0}, text);
  require(text.finish().has_value(), "a sink that takes everything is no error");
}

}  // namespace slabscope::fuzz
