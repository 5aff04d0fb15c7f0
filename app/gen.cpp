#include "gen.h"

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
  if (*most > max_generated_rows) {
    Error made = error(ErrorCode::limit_exceeded, "more rows than are generated at once");
    made.pointer = "--rows";
    return fail(
        std::move(made).with(std::to_string(*most), "up to " + std::to_string(max_generated_rows)));
  }
  if (*least <= *most) return RowRange{*least, *most};
  Error made =
      error(ErrorCode::usage, "a range of rows goes from the smaller number to the larger");
  made.pointer = "--rows";
  return fail(std::move(made).with(text, "A..B with A <= B"));
}

Result<void> write_document(const GeneratedRows& generated, bool one_line, TextWriter& text) {
  const RowsViewOf rows(generated.rows);
  SLABSCOPE_TRY_ASSIGN(slab, pack(generated.layout, rows.view()));
  SLABSCOPE_TRY_ASSIGN(view, SlabView::of(generated.layout, slab.bytes()));
  return write_rows(view, std::nullopt, {.one_line = one_line, .lengths = &rows.view()}, text);
}

}  // namespace

Result<ExitCode> run_gen(const GenOptions& options, Host& host) {
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(range, parse_rows(options.rows));
  SLABSCOPE_TRY_ASSIGN(seed, parse_count(options.seed));
  SLABSCOPE_TRY_ASSIGN(count, parse_count(options.count));
  SLABSCOPE_TRY_ASSIGN(description, load_layout(options.layout, "LAYOUT", host));
  const std::string format = options.format.value_or(count ? "ndjson" : "json");
  if (format != "json" && format != "ndjson") return fail(unknown_format(format, "json, ndjson"));
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  PseudoRandom random(seed.value_or(1));
  const bool is_array = count && format == "json";
  if (is_array) text.put("[\n");
  for (std::uint64_t number = 0; number < count.value_or(1) && !text.failed(); ++number) {
    const std::uint64_t rows = random.between(range.least, range.most);
    SLABSCOPE_TRY_ASSIGN(generated,
                         generate_rows(description, params, {rows, options.share_prefix}, random));
    if (is_array && number != 0) text.put(",\n");
    SLABSCOPE_TRY(write_document(generated, format == "ndjson", text));
    if (!is_array) text.put("\n");
  }
  if (is_array) text.put("\n]\n");
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
