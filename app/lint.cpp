#include "lint.h"

#include "arena_slabs.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/report/lint_report.h>
#include <slabscope/slab/pack.h>

#include <algorithm>

namespace slabscope::app {
namespace {

class LintRun {
 public:
  LintRun(const LintOptions& options, RuleSet rules, std::vector<std::int64_t> groups,
          std::optional<std::uint64_t> region_bytes, Host& host)
      : options_(options),
        rules_(std::move(rules)),
        groups_(std::move(groups)),
        region_bytes_(region_bytes),
        host_(host) {}

  Result<void> documents(Source& source, LintReport& report) {
    SLABSCOPE_TRY_ASSIGN(rows, document_options(options_, host_));
    rows.any_region = true;
    RowsReader reader(source, options_.dump, std::move(rows));
    for (;; ++number_) {
      SLABSCOPE_TRY_ASSIGN(document, reader.next());
      if (!document) return {};
      const RowsViewOf columns(document->rows);
      slab_.clear();
      BufferSink sink(slab_);
      SLABSCOPE_TRY(write_slab(document->layout, columns.view(), document->residue, sink));
      SLABSCOPE_TRY(check(document->layout, std::as_const(slab_).bytes(),
                          document->layout.description->name, std::nullopt, {},
                          {number_, document->region_bytes,
                           groups_.empty() ? document->groups : groups_, &columns.view(), nullptr},
                          report));
    }
  }

  Result<void> slabs(Dump dump, LintReport& report) {
    // Rules that look at no byte of a slab run where some are missing.
    const bool checks_size =
        std::find(rules_.begin(), rules_.end(), find_rule("region-fit")) != rules_.end() ||
        std::all_of(rules_.begin(), rules_.end(), [](const Rule* each) { return each->of_arena; });
    SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options_, host_, std::move(dump), region_bytes_,
                                           checks_size ? CutSlabs::take : CutSlabs::refuse));
    // A slab of tensors stands in no file.
    const FilePlace in_file = [&](std::uint64_t offset) {
      return options_.tensors ? std::nullopt : slabs->bytes().file_offset(offset);
    };
    if (slabs->arena() != nullptr) report.begin(slabs->arena()->arena.name);
    for (;; ++number_) {
      SLABSCOPE_TRY_ASSIGN(slab, slabs->next());
      if (!slab) return {};
      const Layout& layout = *slab->layout;
      const std::string_view name = slab->name.empty() ? layout.description->name : slab->name;
      const auto region = slabs->arena() != nullptr ? slab->room : region_bytes_;
      const std::uint64_t have = slab->bytes.size();
      if (have < layout.size)
        report.add(name, slab->offset, in_file,
                   lint_cut_slab(layout, std::min(have, region.value_or(have)), number_,
                                 slabs->arena(), rules_));
      else
        SLABSCOPE_TRY(check(
            layout, slab->bytes, name, slab->offset, in_file,
            {number_, region, slabs->groups(*slab, groups_), nullptr, slabs->arena()}, report));
    }
  }

 private:
  Result<void> check(const Layout& layout, std::span<const std::byte> bytes, std::string_view name,
                     std::optional<std::uint64_t> offset, const FilePlace& in_file,
                     const BatchSource& source, LintReport& report) {
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(layout, bytes));
    Result<Batch> batch = Batch::of(view, source);
    if (!batch) {
      if (batch.error().code == ErrorCode::row_count && !groups_.empty())
        batch.error().pointer = "--groups";
      if (source.arena != nullptr)
        batch.error().message = "slab '" + std::string(name) + "': " + batch.error().message;
      return fail(std::move(batch).error());
    }
    report.add(name, offset, in_file, lint(*batch, rules_));
    return {};
  }

  const LintOptions& options_;
  RuleSet rules_;
  std::vector<std::int64_t> groups_;
  std::optional<std::uint64_t> region_bytes_;
  Host& host_;
  std::uint64_t number_ = 0;
  Buffer slab_;
};

Result<ExitCode> print_rules(const LintOptions& options, Host& host) {
  if (*options.explain == "all") return print(rule_table(), options.output, host);
  SLABSCOPE_TRY_ASSIGN(rule, named_rule(*options.explain));
  return print(explain(*rule), options.output, host);
}

}  // namespace

Result<ExitCode> run_lint(const LintOptions& given, Host& host) {
  LintOptions options = given;
  if (options.explain) return print_rules(options, host);
  if (options.layout == "-" && options.dump == "-")
    return fail(ErrorCode::usage, "the layout and the dump cannot both come from standard input");
  const auto format = options.format == "json"    ? std::optional(LintFormat::json)
                      : options.format == "sarif" ? std::optional(LintFormat::sarif)
                      : options.format == "table" ? std::optional(LintFormat::table)
                                                  : std::nullopt;
  if (!format) return fail(unknown_format(options.format, "table, json, sarif"));
  SLABSCOPE_TRY(check_padded(options.padded, options.params));
  SLABSCOPE_TRY_ASSIGN(rules, choose_rules(options.only, options.disable));
  if (!options.arena &&
      std::all_of(rules.begin(), rules.end(), [](const Rule* each) { return each->of_arena; }))
    return fail(ErrorCode::usage, "'" + std::string(rules.front()->id) +
                                      "' is about slabs of one arena: give --arena");
  SLABSCOPE_TRY_ASSIGN(groups, parse_groups(options.groups));
  SLABSCOPE_TRY_ASSIGN(region_bytes, parse_size(options.region_bytes));
  SLABSCOPE_TRY_ASSIGN(
      input, open_input(options, options.raw ? RowsDocuments::no : RowsDocuments::yes, host));
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  LintReport report(*format, options.dump, text);
  LintRun run(options, std::move(rules), std::move(groups), region_bytes, host);
  SLABSCOPE_TRY(input.is_document ? run.documents(*input.documents(), report)
                                  : run.slabs(std::move(input.dump), report));
  report.finish();
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  const bool is_bad = report.errors() != 0 || (options.strict && report.warnings() != 0);
  return is_bad ? ExitCode::findings : ExitCode::done;
}

}  // namespace slabscope::app
