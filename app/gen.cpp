#include "gen.h"

#include <slabscope/check/fault.h>
#include <slabscope/check/lint.h>
#include <slabscope/json/rows_writer.h>
#include <slabscope/slab/generate.h>
#include <slabscope/slab/pack.h>

namespace slabscope::app {
namespace {

struct RowRange {
  std::uint64_t least = 1;
  std::uint64_t most = 1;
};

Result<RowRange> parse_rows(const std::string& text) {
  const auto dots = text.find("..");
  SLABSCOPE_TRY_ASSIGN(least, parse_count({"--rows", text.substr(0, dots)}));
  if (dots == std::string::npos) return RowRange{*least, *least};
  SLABSCOPE_TRY_ASSIGN(most, parse_count({"--rows", text.substr(dots + 2)}));
  if (auto few = check_generated_rows(*most); !few) {
    few.error().pointer = "--rows";
    return fail(std::move(few).error());
  }
  if (*least <= *most) return RowRange{*least, *most};
  Error made =
      error(ErrorCode::usage, "a range of rows goes from the smaller number to the larger");
  made.pointer = "--rows";
  return fail(std::move(made).with(text, "A..B with A <= B"));
}

// Makes one document after the other, and writes them.
class Documents {
 public:
  Documents(DescriptionPtr description, Assignments params, std::optional<RowRange> rows,
            bool share_prefix, const Rule* fault, PseudoRandom random)
      : description_(std::move(description)),
        params_(std::move(params)),
        rows_(rows),
        share_prefix_(share_prefix),
        fault_(fault),
        random_(random) {}

  Result<void> write_next(bool one_line, TextWriter& text) {
    return fault_ != nullptr ? write_faulty(one_line, text) : write_healthy(one_line, text);
  }

 private:
  Result<void> write_healthy(bool one_line, TextWriter& text) {
    const RowRange range = rows_.value_or(RowRange{});
    const std::uint64_t count = random_.between(range.least, range.most);
    GenerateOptions options;
    options.rows = count;
    options.share_prefix = share_prefix_;
    SLABSCOPE_TRY_ASSIGN(made, generate_rows(description_, params_, options, random_));
    const RowsViewOf rows(made.rows);
    SLABSCOPE_TRY_ASSIGN(slab, pack(made.layout, rows.view()));
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(made.layout, slab.bytes()));
    return write_rows(view, {}, {.one_line = one_line, .lengths = &rows.view()}, text);
  }

  Result<void> write_faulty(bool one_line, TextWriter& text) {
    FaultOptions options;
    if (rows_) options.rows = {rows_->least, rows_->most};
    options.share_prefix = share_prefix_;
    Result<FaultyDocument> tried = generate_fault(*fault_, description_, params_, options, random_);
    if (!tried && tried.error().code == ErrorCode::fault_impossible &&
        tried.error().pointer.empty())
      tried.error().pointer = "--fault";
    SLABSCOPE_TRY_ASSIGN(made, std::move(tried));
    const ListLengths lists(made);
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(made.layout, made.slab.bytes()));
    return write_rows(view, {},
                      {.one_line = one_line,
                       .defaults = false,
                       .lengths = &lists.view(),
                       .region_bytes = made.region_bytes},
                      text);
  }

  DescriptionPtr description_;
  Assignments params_;
  std::optional<RowRange> rows_;
  bool share_prefix_;
  const Rule* fault_;  // null: healthy rows
  PseudoRandom random_;
};

Result<const Rule*> parse_fault(const std::optional<std::string>& id) {
  if (!id) return nullptr;
  Result<const Rule*> rule = named_rule(*id);
  if (!rule) rule.error().pointer = "--fault";
  return rule;
}

}  // namespace

Result<ExitCode> run_gen(const GenOptions& options, Host& host) {
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  std::optional<RowRange> rows;
  if (options.rows) {
    SLABSCOPE_TRY_ASSIGN(range, parse_rows(*options.rows));
    rows = range;
  }
  SLABSCOPE_TRY_ASSIGN(seed, parse_count(options.seed));
  SLABSCOPE_TRY_ASSIGN(count, parse_count(options.count));
  if (count == 0) {
    Error made = error(ErrorCode::out_of_range, "this must not be zero").with("0", "1 or more");
    made.pointer = options.count.option;
    return fail(std::move(made));
  }
  SLABSCOPE_TRY_ASSIGN(fault, parse_fault(options.fault));
  SLABSCOPE_TRY_ASSIGN(description, load_layout(options.layout, "LAYOUT", host));
  const std::string format = options.format.value_or(count ? "ndjson" : "json");
  if (format != "json" && format != "ndjson") return fail(unknown_format(format, "json, ndjson"));
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  Documents documents(description, params, rows, options.share_prefix, fault,
                      PseudoRandom(seed.value_or(1)));
  const bool is_array = count && format == "json";
  if (is_array) text.put("[\n");
  for (std::uint64_t number = 0; number < count.value_or(1) && !text.failed(); ++number) {
    if (is_array && number != 0) text.put(",\n");
    SLABSCOPE_TRY(documents.write_next(format == "ndjson", text));
    if (!is_array) text.put("\n");
  }
  if (is_array) text.put("\n]\n");
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
