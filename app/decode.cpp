#include "decode.h"

#include "arena_slabs.h"
#include "document_stream.h"
#include "jobs.h"

#include <slabscope/report/hex_dump.h>
#include <slabscope/report/rows_table.h>

namespace slabscope::app {
namespace {

Result<void> write_tables(const DecodeOptions& options, SlabReader& slabs, TextWriter& text) {
  SLABSCOPE_TRY_ASSIGN(rules, choose_rules({}, {}));
  SLABSCOPE_TRY_ASSIGN(groups, parse_groups(options.groups));
  for (std::uint64_t number = 0; !text.failed(); ++number) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs.next());
    if (!slab) break;
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(*slab->layout, slab->bytes));
    SLABSCOPE_TRY_ASSIGN(
        batch, Batch::of(view, BatchSource{number, slab->room, slabs.groups(*slab, groups), nullptr,
                                           slabs.arena()}));
    write_rows_table(batch, lint(batch, rules), {slab->offset, options.wide}, text);
  }
  return {};
}

// The bytes before `end` of the dump need addresses.
Result<void> check_addresses(const NumberOption& option, std::optional<std::uint64_t> base,
                             std::uint64_t end) {
  if (!base || end == 0 || end - 1 <= ~*base) return {};
  Error made = error(ErrorCode::out_of_range, "the addresses of the bytes pass 64 bits");
  made.pointer = option.option;
  return fail(std::move(made).with(*option.text, "up to " + std::to_string(~(end - 1))));
}

Result<void> write_hex(const DecodeOptions& options, bool folds, SlabReader& slabs,
                       TextWriter& text) {
  SLABSCOPE_TRY_ASSIGN(base, parse_count(options.base));
  Buffer piece(std::size_t{1} << 16);
  for (std::uint64_t number = 0; !text.failed(); ++number) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs.next());
    if (!slab) break;
    std::uint64_t end = slab->offset + slab->bytes.size();
    SLABSCOPE_TRY(check_addresses(options.base, base, end));
    HexDump dump(*slab->layout, {base, folds && !options.no_fold}, text);
    dump.put_slab(number, slab->offset, slab->bytes);
    while (!text.failed()) {
      SLABSCOPE_TRY_ASSIGN(count, slabs.read_behind(piece.bytes()));
      if (count == 0) break;
      end += count;
      SLABSCOPE_TRY(check_addresses(options.base, base, end));
      dump.put_behind(std::as_const(piece).bytes().first(count));
    }
    dump.end_slab();
  }
  return {};
}

// Options that say something only about some formats.
Result<void> check_format(const DecodeOptions& options, std::string_view format) {
  const bool is_table = format == "table";
  const bool is_hex = format == "hex";
  if (!is_table && !is_hex && format != "json" && format != "ndjson")
    return fail(unknown_format(std::string(format), "json, ndjson, table, hex"));
  if ((is_table || is_hex) && (options.trim || options.no_residue))
    return fail(ErrorCode::usage, "--trim and --no-residue are for JSON");
  if ((is_table || is_hex) && options.jobs.text)
    return fail(ErrorCode::usage, "--jobs is for JSON");
  if (!is_table && (options.wide || options.groups))
    return fail(ErrorCode::usage, "--wide and --groups are for -f table");
  if (!is_hex && (options.base.text || options.no_fold))
    return fail(ErrorCode::usage, "--base and --no-fold are for -f hex");
  return {};
}

}  // namespace

Result<ExitCode> run_decode(const DecodeOptions& options, Host& host) {
  const std::string format = options.format.value_or(options.is_several() ? "ndjson" : "json");
  SLABSCOPE_TRY(check_format(options, format));
  SLABSCOPE_TRY_ASSIGN(jobs, parse_jobs(options.jobs));
  SLABSCOPE_TRY(check_padded(options.padded, options.params));
  SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options, host));
  for (const Layout& each : slabs->layouts()) tell_warnings(each, host);
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  SLABSCOPE_TRY(format == "table" ? write_tables(options, *slabs, text)
                : format == "hex"
                    ? write_hex(options, output->is_terminal(), *slabs, text)
                    : write_documents(options, format == "ndjson", jobs, *slabs, text));
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
