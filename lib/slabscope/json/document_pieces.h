// A stream of rows documents cut into pieces of whole documents, so that several threads may read
// them. Where a document ends is only known by reading it: a cut is made where the next one is
// likely to begin, at a '{' that begins a line (no string holds a newline), and is right when the
// piece before it, which begins at a right one, reads to its end without an error.
#pragma once

#include <slabscope/base/stream.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace slabscope {

class DocumentPieces {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{1} << 19;

  // Reads about `step` bytes for a piece; eight times as many without a cut are not made one. The
  // source must outlive this.
  explicit DocumentPieces(Source& source, std::size_t step = usual_bytes)
      : source_(source), step_(step) {}

  // Replaces `text` by the next piece, which begins a line. False where there is none: at the end,
  // before what is no stream of documents, cannot be cut or cannot be read.
  [[nodiscard]] bool next(Buffer& text);
  // Is the piece given last known to be the last one?
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

  // What has not been given out, and the error of the source if there was one.
  [[nodiscard]] Result<std::size_t> read_rest(std::span<std::byte> into);

 private:
  [[nodiscard]] bool fill(std::size_t bytes);
  [[nodiscard]] bool begins_with_document() const;

  Source& source_;
  std::size_t step_;
  Buffer held_;  // read, and not given out
  std::size_t rest_read_ = 0;
  std::optional<Error> failed_;
  bool is_first_ = true;
  bool is_over_ = false;
};

// Pieces that were given out, again, and then the rest.
class RestOfPieces final : public Source {
 public:
  RestOfPieces(std::vector<Buffer> again, DocumentPieces& pieces)
      : again_(std::move(again)), pieces_(pieces) {}
  Result<std::size_t> read(std::span<std::byte> into) override;

 private:
  std::vector<Buffer> again_;
  std::size_t piece_ = 0;  // of again_
  std::size_t read_ = 0;   // of that piece
  DocumentPieces& pieces_;
};

}  // namespace slabscope
