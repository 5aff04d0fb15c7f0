#include "pack.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <array>

namespace slabscope::app {
namespace {

Result<void> write_zeros(Sink& sink, std::uint64_t bytes) {
  static constexpr std::array<std::byte, 65536> zeros{};
  while (bytes != 0) {
    const auto part = (std::min<std::uint64_t>(bytes, zeros.size()));
    SLABSCOPE_TRY(sink.write(std::span(zeros).first(part)));
    bytes -= part;
  }
  return {};
}

// Slab after slab, each at a multiple of the stride when there is one.
Result<ExitCode> pack_to_output(RowsReader& reader, std::optional<std::uint64_t> stride,
                                const std::string& path, Host& host) {
  SLABSCOPE_TRY_ASSIGN(output, host.create(path, Content::binary));
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(document, reader.next());
    if (!document) break;
    tell_warnings(document->layout, host);
    const RowsViewOf rows(document->rows);
    SLABSCOPE_TRY(write_slab(document->layout, rows.view(), document->residue, *output));
    if (stride) SLABSCOPE_TRY(write_zeros(*output, *stride - document->layout.size));
  }
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

// Everything is packed and checked before the first byte of the dump is touched.
Result<ExitCode> pack_into_dump(RowsReader& reader, std::optional<std::uint64_t> stride,
                                const std::string& path, std::uint64_t offset, Host& host) {
  SLABSCOPE_TRY_ASSIGN(dump, host.open_in_place(path));
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
  SLABSCOPE_TRY_ASSIGN(offset, parse_size(options.offset));
  const std::optional<std::uint64_t> stride = rows.stride;
  SLABSCOPE_TRY_ASSIGN(source, host.open(options.rows));
  RowsReader reader(*source, options.rows, std::move(rows));
  if (options.into) return pack_into_dump(reader, stride, *options.into, offset.value_or(0), host);
  return pack_to_output(reader, stride, options.output.value_or("-"), host);
}

}  // namespace slabscope::app
