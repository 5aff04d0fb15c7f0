#include "decode.h"

#include <slabscope/json/rows_writer.h>

namespace slabscope::app {

Result<ExitCode> run_decode(const DecodeOptions& options, Host& host) {
  const std::string format = options.format.value_or(options.is_several() ? "ndjson" : "json");
  if (format != "json" && format != "ndjson") return fail(unknown_format(format, "json, ndjson"));
  SLABSCOPE_TRY_ASSIGN(slabs, DumpSlabs::open(options, host));
  tell_warnings(slabs->layout(), host);
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  const RowsStyle style{format == "ndjson", options.trim, !options.no_residue};
  const bool is_array = options.is_several() && format == "json";
  if (is_array) text.put("[\n");
  for (bool is_first = true; !text.failed(); is_first = false) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs->next());
    if (!slab) break;
    if (is_array && !is_first) text.put(",\n");
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(slabs->layout(), slab->bytes));
    const SlabSource source{options.dump, "raw", {}, slab->offset, {}, slabs->layout().size};
    SLABSCOPE_TRY(write_rows(view, source, style, text));
    if (!is_array) text.put("\n");
  }
  if (is_array) text.put("\n]\n");
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
