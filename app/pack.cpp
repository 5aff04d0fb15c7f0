#include "pack.h"

#include "jobs.h"
#include "progress.h"
#include "slab_stream.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/dump/kinds.h>
#include <slabscope/json/document_pieces.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <array>

namespace slabscope::app {
namespace {

// Reading ahead is for files that are there: what comes through a pipe may be waited for.
bool is_worth_threads(const Source& source) {
  constexpr std::uint64_t least_bytes = 2 * DocumentPieces::usual_bytes;
  return source.remaining().value_or(0) >= least_bytes;
}

Result<ExitCode> pack_to_output(const PackOptions& options, const RowsOptions& rows, Source& source,
                                unsigned jobs, Host& host) {
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output.value_or("-"), Content::binary));
  if (jobs > 1 && (options.jobs.text || is_worth_threads(source))) {
    SLABSCOPE_TRY(write_slabs_on_threads(jobs, source, options.rows, rows, *output, host));
  } else {
    RowsReader reader(source, options.rows, rows);
    SLABSCOPE_TRY(write_slabs(reader, rows.stride, *output,
                              [&](const Layout& layout) { tell_warnings(layout, host); }));
  }
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

// Memory may be filled with a letter, or with a word again and again; lines are text.
Result<bool> is_filled(const std::shared_ptr<RandomAccess>& file) {
  constexpr std::ptrdiff_t most_letters = 4;
  std::array<std::byte, container_magic_bytes> first;
  WindowSource source(file, 0, first.size());
  SLABSCOPE_TRY_ASSIGN(count, read_fully(source, first));
  std::sort(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count));
  const auto end = std::unique(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count));
  return end - first.begin() <= most_letters &&
         std::find(first.begin(), end, std::byte{'\n'}) == end;
}

// Offsets of --into are those of the file; a container has others, and may have checksums.
Result<void> require_memory(const std::string& path, Host& host) {
  SLABSCOPE_TRY_ASSIGN(file, host.open_dump(path));
  if (file.access == nullptr) return {};  // nothing can be looked at ahead
  SLABSCOPE_TRY_ASSIGN(kind, recognise(*file.access));
  if (kind == &raw_kind) return {};
  if (kind == &text_kind) {
    SLABSCOPE_TRY_ASSIGN(filled, is_filled(file.access));
    if (filled) return {};
  }
  Error made = error(ErrorCode::unsupported_container,
                     "--into writes into memory, and this file is none: write into the memory that "
                     "it was made from; --raw if it is memory");
  made.file = path;
  return fail(std::move(made).with(std::string(kind->name), "raw"));
}

// Everything is packed and checked before the first byte of the dump is touched.
Result<ExitCode> pack_into_dump(RowsReader& reader, const PackOptions& options,
                                std::optional<std::uint64_t> stride, std::uint64_t offset,
                                Host& host) {
  const std::string& path = *options.into;
  SLABSCOPE_TRY_ASSIGN(dump, host.open_in_place(path));
  if (!options.raw) SLABSCOPE_TRY(require_memory(path, host));
  struct Placed {
    std::uint64_t offset;
    std::size_t begin;
    std::size_t bytes;
  };
  std::vector<Placed> placed;
  Buffer slabs;
  std::uint64_t here = offset;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(document, reader.next());
    if (!document) break;
    tell_warnings(document->layout, host);
    const std::uint64_t size = document->layout.size;
    if (!contains(dump->size(), here, size)) {
      Error made =
          error(ErrorCode::outside_target,
                "the slab does not fit in the file that it is to be written into")
              .with("bytes " + std::to_string(here) + " to " + to_text(int128{here} + size),
                    "0 to " + std::to_string(dump->size()));
      made.file = path;
      return fail(std::move(made));
    }
    placed.push_back({here, slabs.size(), size});
    BufferSink sink(slabs);
    const RowsViewOf rows(document->rows);
    SLABSCOPE_TRY(write_slab(document->layout, rows.view(), document->residue, sink));
    here = checked_add(here, stride.value_or(size)).value_or(max_slab_size);
  }
  for (const Placed& each : placed)
    SLABSCOPE_TRY(
        dump->write_at(each.offset, std::as_const(slabs).bytes().subspan(each.begin, each.bytes)));
  SLABSCOPE_TRY(dump->commit());
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> run_pack(const PackOptions& options, Host& host) {
  if (options.into && options.output)
    return fail(ErrorCode::usage, "--into and --output exclude each other");
  if (options.into && *options.into == "-")
    return fail(ErrorCode::usage, "--into writes in place and needs a file");
  if (options.offset.text && !options.into)
    return fail(ErrorCode::usage,
                "--offset says where in the file of --into the slab goes, and there is no --into");
  if (options.layout == "-" && options.rows == "-")
    return fail(ErrorCode::usage, "the layout and the rows cannot both come from standard input");
  SLABSCOPE_TRY_ASSIGN(rows, rows_options({options.params, options.region_bytes, options.stride,
                                           options.max_slab_bytes, options.layout},
                                          host));
  rows.strict = options.strict;
  rows.take_partial = options.force;
  if (rows.stride.value_or(0) > rows.max_slab_bytes) {
    Error made = error(ErrorCode::slab_limit, "the stride is more than --max-slab-bytes");
    made.pointer = "--stride";
    return fail(std::move(made).with(std::to_string(*rows.stride),
                                     "up to " + std::to_string(rows.max_slab_bytes)));
  }
  if (options.raw && !options.into)
    return fail(ErrorCode::usage, "--raw is about the file of --into, and there is no --into");
  SLABSCOPE_TRY_ASSIGN(offset, parse_size(options.offset));
  SLABSCOPE_TRY_ASSIGN(jobs, parse_jobs(options.jobs));
  SLABSCOPE_TRY_ASSIGN(opened, host.open(options.rows));
  const std::unique_ptr<Source> source = watched(std::move(opened), host);
  if (!options.into) return pack_to_output(options, rows, *source, jobs, host);
  RowsReader reader(*source, options.rows, rows);
  return pack_into_dump(reader, options, rows.stride, offset.value_or(0), host);
}

}  // namespace slabscope::app
