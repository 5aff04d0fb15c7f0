#include <slabscope/dump/text_lines.h>
#include <slabscope/text/json_text.h>

#include <algorithm>
#include <cstring>

namespace slabscope {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view without_end(std::string_view line) noexcept {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool is_plain(unsigned code) noexcept {
  return (code >= 0x20 && code < 0x7f) || (code >= 9 && code <= 13) || code == 0x1b;
}

// U+0080 to U+009F.
bool is_control(std::string_view sequence) noexcept {
  return sequence.size() == 2 && sequence[0] == '\xc2' && sequence[1] < '\xa0';
}

}  // namespace

Failure at_line(Error failed, const TextLine& line) {
  if (failed.place.line == 0) failed.place.line = line.number;
  if (failed.place.column == 0) failed.place.column = 1;
  return fail(std::move(failed));
}

std::string other_text_remark(std::uint64_t lines) {
  return lines == 0 ? "" : counted(lines, "line") + " of other text passed over";
}

Result<bool> TextLines::read_more() {
  held_.drop_front(begin_);
  begin_ = 0;
  const std::size_t before = held_.size();
  std::byte* const room = held_.extend(piece_bytes);
  SLABSCOPE_TRY_ASSIGN(count, from_->read_at(offset_ + before, std::span(room, piece_bytes)));
  held_.resize_uninitialised(before + count);
  return count != 0;
}

Result<std::optional<TextLine>> TextLines::next() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view rest = as_text(std::as_const(held_).bytes()).substr(begin_);
    std::size_t end = rest.find('\n', searched);
    if (end == std::string_view::npos && rest.size() <= max_text_line_bytes && !is_at_end_) {
      searched = rest.size();
      SLABSCOPE_TRY_ASSIGN(is_more, read_more());
      is_at_end_ = !is_more;
      continue;
    }
    if (rest.empty()) return std::optional<TextLine>();
    end = std::min(end, rest.size() - 1) + 1;  // behind the line's end, if it has one
    ++number_;
    if (end > max_text_line_bytes) {
      return fail(error(ErrorCode::limit_exceeded, "a line of a text dump is too long")
                      .with("more than " + std::to_string(max_text_line_bytes) + " B",
                            "up to " + std::to_string(max_text_line_bytes) + " B; fold -w 64 folds")
                      .at({number_, 1}, {}));
    }
    const std::string_view whole = rest.substr(0, end);
    const std::string_view text = number_ == 1 ? without_utf8_mark(whole) : whole;
    const TextLine line{offset_ + (end - text.size()), offset_ + end, number_, without_end(text)};
    begin_ += end;
    offset_ += end;
    return std::optional(line);
  }
}

std::string_view without_utf8_mark(std::string_view text) noexcept {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::string_view take_text_line(std::string_view& rest) noexcept {
  const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
  const std::string_view line = without_end(rest.substr(0, end));
  rest.remove_prefix(end);
  return line;
}

std::string_view first_text_line(std::span<const std::byte> first) noexcept {
  for (std::string_view rest = without_utf8_mark(as_text(first)); !rest.empty();) {
    const std::string_view line = take_text_line(rest);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return line;
  }
  return {};
}

bool has_zero(std::span<const std::byte> bytes) noexcept {
  return std::ranges::find(bytes, std::byte{0}) != bytes.end();
}

bool is_text(std::span<const std::byte> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte each) {
    const auto code = std::to_integer<unsigned>(each);
    return is_plain(code) || code >= 0x80;
  });
}

bool is_ascii_text(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char each) { return is_plain(static_cast<unsigned char>(each)); });
}

Utf16Text::Utf16Text(std::span<const std::byte> first, bool is_big_endian) noexcept {
  constexpr unsigned mark = 0xfeff;
  constexpr unsigned narrowest = 0xff;
  const std::size_t end = std::min(first.size() / 2, bytes.size()) * 2;
  for (std::size_t at = 0; at < end; at += 2) {
    const auto high = std::to_integer<unsigned>(first[is_big_endian ? at : at + 1]);
    const auto low = std::to_integer<unsigned>(first[is_big_endian ? at + 1 : at]);
    const unsigned code = high << 8U | low;
    if (at == 0 && code == mark)
      has_mark = true;
    else
      bytes[size++] = static_cast<std::byte>(std::min(code, narrowest));
  }
}

bool is_utf8_text(std::span<const std::byte> bytes, bool is_cut) noexcept {
  constexpr std::size_t longest = 4;
  for (std::string_view rest = as_text(bytes); !rest.empty();) {
    const std::size_t length = utf8_sequence(rest);
    if (length == 0) return is_cut && rest.size() < longest;
    if (length == 1 && !is_plain(static_cast<unsigned char>(rest.front()))) return false;
    if (is_control(rest.substr(0, length))) return false;
    rest.remove_prefix(length);
  }
  return true;
}

}  // namespace slabscope
