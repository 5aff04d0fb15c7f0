// The lines of a text that can be read at any place, from front to back.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/base/error.h>
#include <slabscope/dump/random_access.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slabscope {

// Far above any line of a dump: a folded row is 300 bytes, a plain one of a 64 KiB arena 128 KiB.
inline constexpr std::size_t max_text_line_bytes = std::size_t{1} << 20;

struct TextLine {
  std::uint64_t offset = 0;  // of its first byte in the file, behind a mark of UTF-8
  std::uint64_t next = 0;    // where the next line begins
  std::uint64_t number = 0;  // from 1
  std::string_view text;     // without its end; valid until the next line is asked for
};

// Error at `line`, where the error itself says no line, and at its beginning, where it says no
// column.
[[nodiscard]] Failure at_line(Error failed, const TextLine& line);

// What is said of `lines` of other text than rows; nothing of none.
[[nodiscard]] std::string other_text_remark(std::uint64_t lines);

class TextLines {
 public:
  explicit TextLines(std::shared_ptr<RandomAccess> from) : from_(std::move(from)) {}

  // The next line, or nothing at the end. Errors: limit_exceeded (a line of more than
  // max_text_line_bytes), those of reading.
  [[nodiscard]] Result<std::optional<TextLine>> next();

 private:
  [[nodiscard]] Result<bool> read_more();

  std::shared_ptr<RandomAccess> from_;
  Buffer held_;
  std::size_t begin_ = 0;     // in held_, of the next line
  std::uint64_t offset_ = 0;  // in the file, of the next line
  std::uint64_t number_ = 0;
  bool is_at_end_ = false;
};

// `text` without the mark of UTF-8 that it may begin with.
[[nodiscard]] std::string_view without_utf8_mark(std::string_view text) noexcept;

// Takes the first line off `rest`, which is not empty; the line comes without its end.
[[nodiscard]] std::string_view take_text_line(std::string_view& rest) noexcept;

// The first line of `first` that is not blank, without a mark of UTF-8 and without its end; as much
// of it as is there.
[[nodiscard]] std::string_view first_text_line(std::span<const std::byte> first) noexcept;

// Nothing but what text of some coding has: printable ASCII, blanks, ends of lines, and bytes above
// 0x7f.
[[nodiscard]] bool is_text(std::span<const std::byte> bytes) noexcept;
// The same in UTF-8; `is_cut`: the last character may be there in part.
[[nodiscard]] bool is_utf8_text(std::span<const std::byte> bytes, bool is_cut) noexcept;

// Is a byte 0 among them, as memory has and no text of one byte a character? Lines of text may
// stand in memory too, so that only the first one says what the bytes are.
[[nodiscard]] bool has_zero(std::span<const std::byte> bytes) noexcept;

// Nothing but printable ASCII, blanks and ends of lines.
[[nodiscard]] bool is_ascii_text(std::string_view text) noexcept;

// What `first` says if it is UTF-16: a byte for each character, those above U+00FF as 0xff, and no
// mark. Up to container_magic_bytes of `first`.
struct Utf16Text {
  Utf16Text(std::span<const std::byte> first, bool is_big_endian) noexcept;

  std::array<std::byte, 2048> bytes;
  std::size_t size = 0;
  bool has_mark = false;

  [[nodiscard]] std::span<const std::byte> narrow() const noexcept {
    return std::span(bytes).first(size);
  }
};

}  // namespace slabscope
