#include "decode.h"

#include "arena_slabs.h"

#include <slabscope/json/rows_writer.h>
#include <slabscope/report/rows_table.h>

namespace slabscope::app {
namespace {

Result<void> write_documents(const DecodeOptions& options, bool one_line, SlabReader& slabs,
                             TextWriter& text) {
  const RowsStyle style{one_line, options.trim, !options.no_residue};
  const bool is_array = options.is_several() && !one_line;
  if (is_array) text.put("[\n");
  for (bool is_first = true; !text.failed(); is_first = false) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs.next());
    if (!slab) break;
    if (is_array && !is_first) text.put(",\n");
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(*slab->layout, slab->bytes));
    const SlabSource source{options.dump, "raw", std::string(slab->name),
                            slab->offset, {},    slab->layout->size};
    SLABSCOPE_TRY(write_rows(view, source, style, text));
    if (!is_array) text.put("\n");
  }
  if (is_array) text.put("\n]\n");
  return {};
}

Result<void> write_tables(const DecodeOptions& options, SlabReader& slabs, TextWriter& text) {
  SLABSCOPE_TRY_ASSIGN(rules, choose_rules({}, {}));
  SLABSCOPE_TRY_ASSIGN(groups, parse_groups(options.groups));
  for (std::uint64_t number = 0; !text.failed(); ++number) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs.next());
    if (!slab) break;
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(*slab->layout, slab->bytes));
    SLABSCOPE_TRY_ASSIGN(
        batch, Batch::of(view, BatchSource{number, slab->room, groups, nullptr, slabs.arena()}));
    write_rows_table(batch, lint(batch, rules), {slab->offset, options.wide}, text);
  }
  return {};
}

}  // namespace

Result<ExitCode> run_decode(const DecodeOptions& options, Host& host) {
  const std::string format = options.format.value_or(options.is_several() ? "ndjson" : "json");
  const bool is_table = format == "table";
  if (!is_table && format != "json" && format != "ndjson")
    return fail(unknown_format(format, "json, ndjson, table"));
  if (is_table && (options.trim || options.no_residue))
    return fail(ErrorCode::usage, "--trim and --no-residue are for JSON, a table has neither");
  if (!is_table && (options.wide || options.groups))
    return fail(ErrorCode::usage, "--wide and --groups are for -f table");
  SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options, host));
  for (const Layout& each : slabs->layouts()) tell_warnings(each, host);
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  SLABSCOPE_TRY(is_table ? write_tables(options, *slabs, text)
                         : write_documents(options, format == "ndjson", *slabs, text));
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
