#include "decode.h"

#include "arena_slabs.h"
#include "document_stream.h"
#include "input.h"
#include "jobs.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/report/hex_dump.h>
#include <slabscope/report/rows_table.h>

#include <algorithm>

namespace slabscope::app {
namespace {

// "0xAA", as lint writes it.
std::string byte_text(std::byte value) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto number = std::to_integer<unsigned>(value);
  return {'0', 'x', digits[number >> 4U], digits[number & 15U]};
}

// The slabs of a dump, with a note on the first one that is one byte repeated: such memory was
// poisoned or cleared and not written, or it is another one.
class NotedSlabs final : public SlabReader {
 public:
  NotedSlabs(SlabReader& slabs, Host& host) : slabs_(slabs), host_(host) {}

  const DumpBytes& bytes() const noexcept override { return slabs_.bytes(); }
  Result<std::size_t> read_behind(std::span<std::byte> into) override {
    return slabs_.read_behind(into);
  }
  std::span<const Layout> layouts() const noexcept override { return slabs_.layouts(); }
  const PlacedArena* arena() const noexcept override { return slabs_.arena(); }
  Result<std::optional<Slab>> next() override { return noted(slabs_.next()); }
  Result<std::optional<Slab>> next_behind(Buffer& into) override {
    return noted(slabs_.next_behind(into));
  }

 private:
  Result<std::optional<Slab>> noted(Result<std::optional<Slab>> read) {
    SLABSCOPE_TRY_ASSIGN(slab, std::move(read));
    if (slab && !was_noted_ && is_one_byte(slab->bytes)) {
      was_noted_ = true;
      host_.note("all " + std::to_string(slab->bytes.size()) + " B of the slab at " +
                 std::to_string(slab->offset) + " are " + byte_text(slab->bytes.front()) +
                 ": it was not written, or it is elsewhere");
    }
    return slab;
  }
  static bool is_one_byte(std::span<const std::byte> bytes) {
    constexpr std::size_t least = 16;  // that are hardly alike by chance
    return bytes.size() >= least && std::equal(bytes.begin(), bytes.end() - 1, bytes.begin() + 1);
  }

  SlabReader& slabs_;
  Host& host_;
  bool was_noted_ = false;
};

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
  return fail(std::move(made).with(option.text.value_or(hex_text(*base)),
                                   "up to " + std::to_string(~(end - 1))));
}

Result<void> write_hex(const DecodeOptions& options, bool folds, SlabReader& slabs,
                       TextWriter& text) {
  const std::optional<std::uint64_t> base = slabs.bytes().address(0);
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
  if (!is_hex && options.no_fold) return fail(ErrorCode::usage, "--no-fold is for -f hex");
  return {};
}

}  // namespace

Result<ExitCode> run_decode(const DecodeOptions& given, Host& host) {
  DecodeOptions options = given;
  const std::string format = options.format.value_or(options.is_several() ? "ndjson" : "json");
  SLABSCOPE_TRY(check_format(options, format));
  SLABSCOPE_TRY_ASSIGN(jobs, parse_jobs(options.jobs));
  SLABSCOPE_TRY(check_padded(options.padded, options.params));
  SLABSCOPE_TRY_ASSIGN(input, open_input(options, RowsDocuments::no, host));
  SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options, host, std::move(input.dump)));
  for (const Layout& each : slabs->layouts()) tell_warnings(each, host);
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  NotedSlabs noted(*slabs, host);
  SLABSCOPE_TRY(format == "table" ? write_tables(options, noted, text)
                : format == "hex"
                    ? write_hex(options, output->is_terminal(), noted, text)
                    : write_documents(options, format == "ndjson", jobs, noted, text));
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
