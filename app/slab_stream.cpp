#include "slab_stream.h"

#include "command.h"
#include "held_output.h"

#include <slabscope/base/ordered_work.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

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

// A piece of the stream, and what it packs to.
struct Piece {
  struct Warned {
    std::size_t at;  // of the slab in `slabs`
    std::vector<Error> warnings;
  };

  Buffer text;
  Buffer slabs;
  std::vector<Warned> warned;
  std::uint64_t lines = 0;
  bool is_whole = false;  // read to its end without an error, and held as a whole
};

// The piece is read as if it began the text: only where it is not whole, or warns, does its place
// matter.
void pack_piece(Piece& piece, const std::string& file, const RowsOptions& options) {
  MemorySource source(std::as_const(piece.text).bytes());
  RowsReader reader(source, file, options, 1);
  piece.warned.clear();
  HeldOutput sink(piece.slabs);
  piece.is_whole = write_slabs(reader, options.stride, sink, [&](const Layout& layout) {
                     if (!layout.warnings.empty())
                       piece.warned.push_back({piece.slabs.size(), layout.warnings});
                   }).has_value();
  piece.lines = reader.place().line - 1;
}

// `line`: where the piece begins.
Result<void> write_piece(Piece& piece, std::uint64_t line, Sink& output, Host& host) {
  const std::span<const std::byte> slabs = std::as_const(piece.slabs).bytes();
  std::size_t written = 0;
  for (Piece::Warned& each : piece.warned) {
    SLABSCOPE_TRY(output.write(slabs.subspan(written, each.at - written)));
    written = each.at;
    for (Error& warning : each.warnings) {
      warning.place.line += line - 1;
      host.tell(Severity::warning, warning);
    }
  }
  return output.write(slabs.subspan(written));
}

// The pieces of a stream, packed on threads, in order.
class PackedPieces {
 public:
  PackedPieces(unsigned threads, DocumentPieces& pieces, const std::string& file,
               const RowsOptions& options)
      : pieces_(pieces),
        threads_(threads),
        pack_([&file, &options](Piece& piece) { pack_piece(piece, file, options); }) {}

  // Nothing when all pieces have been given; the rest is for one thread. A piece that is all there
  // is, is no work for threads.
  std::optional<Piece> next() {
    if (!work_) {
      Piece first;
      if (!pieces_.next(first.text)) return std::nullopt;
      if (pieces_.is_over()) return first;
      work_.emplace(threads_, pack_);
      work_->put(std::move(first));
    }
    while (!work_->is_full()) {
      Piece piece;
      if (!unused_.empty()) {
        piece = std::move(unused_.back());
        unused_.pop_back();
      }
      if (!pieces_.next(piece.text)) break;
      work_->put(std::move(piece));
    }
    return work_->is_empty() ? std::nullopt : std::optional<Piece>(work_->take());
  }

  void reuse(Piece piece) { unused_.push_back(std::move(piece)); }

  // The text of this piece and of all behind it that have been read.
  std::vector<Buffer> give_back(Piece piece) {
    std::vector<Buffer> texts;
    texts.push_back(std::move(piece.text));
    while (work_ && !work_->is_empty()) texts.push_back(std::move(work_->take().text));
    return texts;
  }

 private:
  DocumentPieces& pieces_;
  unsigned threads_;
  std::function<void(Piece&)> pack_;
  std::vector<Piece> unused_;
  std::optional<OrderedWork<Piece>> work_;
};

}  // namespace

Result<void> write_slabs(RowsReader& reader, std::optional<std::uint64_t> stride, Sink& output,
                         const TellLayout& tell) {
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(document, reader.next());
    if (!document) return {};
    tell(document->layout);
    const RowsViewOf rows(document->rows);
    SLABSCOPE_TRY(write_slab(document->layout, rows.view(), document->residue, output));
    if (stride) SLABSCOPE_TRY(write_zeros(output, *stride - document->layout.size));
    reader.reuse(std::move(*document));
  }
}

Result<void> write_slabs_on_threads(unsigned threads, Source& source, const std::string& file,
                                    const RowsOptions& options, Sink& output, Host& host,
                                    std::size_t piece_bytes) {
  DocumentPieces pieces(source, piece_bytes);
  PackedPieces packed(threads, pieces, file, options);
  std::uint64_t line = 1;
  bool is_first = true;
  std::vector<Buffer> again;  // pieces that one thread is to read, and all behind them
  while (again.empty()) {
    std::optional<Piece> piece = packed.next();
    if (!piece) break;
    if (!piece->is_whole) {
      again = packed.give_back(std::move(*piece));
      break;
    }
    SLABSCOPE_TRY(write_piece(*piece, line, output, host));
    line += piece->lines;
    is_first = false;
    packed.reuse(std::move(*piece));
  }
  RestOfPieces rest(std::move(again), pieces);
  RowsReader reader =
      is_first ? RowsReader(rest, file, options) : RowsReader(rest, file, options, line);
  return write_slabs(reader, options.stride, output,
                     [&](const Layout& layout) { tell_warnings(layout, host); });
}

}  // namespace slabscope::app
