#include <slabscope/dump/container.h>
#include <slabscope/dump/text_lines.h>
#include <slabscope/dump/text_prose.h>
#include <slabscope/dump/text_row.h>

#include <algorithm>

namespace slabscope {
namespace {

bool is_hexadecimal(std::string_view word) noexcept {
  return !word.empty() && leading_hex_digits(word) == word.size();
}

// An offset, or what is left of a row that was cut: digits, or characters of bytes that have none.
bool is_of_row(std::string_view word) noexcept {
  constexpr std::size_t whole_digits = 8;
  if (word.starts_with("..")) return true;
  if (word.ends_with(':')) word.remove_suffix(1);
  // Short words of letters alone are words.
  return is_hexadecimal(word) && (word.size() >= whole_digits ||
                                  word.find_first_of("0123456789") != std::string_view::npos);
}

bool is_of_word(char character) noexcept {
  return leading_hex_digits({&character, 1}) == 1 || (character >= 'A' && character <= 'Z') ||
         (character >= 'a' && character <= 'z') || character == '_';
}

constexpr std::string_view between = " \t|";  // words of a row

// Do the numbers of a row begin here? The end of a line is one of a row, too, where the offset is
// marked: "slab.txt:00000030", "at 00000030:", but not "job 12345678".
bool may_follow_offset(char before, std::string_view rest) noexcept {
  const std::size_t begin = rest.find_first_not_of(" \t|:");
  if (begin == std::string_view::npos)
    return rest.find_first_of("|:") != begin || between.find(before) == between.npos;
  rest.remove_prefix(begin);
  const std::size_t digits = leading_hex_digits(rest);
  return digits >= 2 && (digits == rest.size() || between.find(rest[digits]) != between.npos);
}

// Where 8 to 16 digits stand as a word, or behind what ends one, and bytes behind them:
// "[12:00] 00000002: 37", "slab.txt:00000002  37". Digits behind "0x", and the last ones of a UUID,
// are none.
std::optional<std::size_t> find_offset(std::string_view line) noexcept {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t digits = leading_hex_digits(line.substr(at));
    const std::size_t end = at + digits;
    const char before = at == 0 ? ' ' : line[at - 1];
    const char behind = end == line.size() ? ' ' : line[end];
    if (digits >= 8 && digits <= 16 && !is_of_word(before) && (before != '-' || behind == ':') &&
        std::string_view(" \t|:").find(behind) != std::string_view::npos &&
        may_follow_offset(before, line.substr(end)))
      return at;
    at = end + (digits == 0 ? 1 : 0);
  }
  return std::nullopt;
}

// Is the first word none that a row begins with?
bool begins_otherwise(std::string_view line) noexcept {
  const std::string_view rest = line.substr(quote_bytes(line));
  const std::string_view first = rest.substr(0, rest.find_first_of(between));
  return !first.empty() && first != "*" && !is_of_row(first) && !is_console_row(line);
}

}  // namespace

std::size_t quote_bytes(std::string_view line) noexcept {
  return std::min(line.find_first_not_of(" \t>|"), line.size());
}

bool is_console_row(std::string_view line) noexcept {
  LineCursor cursor{line, quote_bytes(line)};
  if (!cursor.take("0x") || cursor.hex_digits() == 0) return false;
  cursor.at += cursor.hex_digits();
  return cursor.take(":") || cursor.take(" <");
}

std::optional<std::size_t> offset_behind_words(std::string_view line) noexcept {
  if (!begins_otherwise(line)) return std::nullopt;
  const std::size_t quoted = quote_bytes(line);
  const auto at = find_offset(line.substr(quoted));
  return at ? std::optional(quoted + *at) : std::nullopt;
}

bool is_prose(std::string_view line) noexcept {
  constexpr std::size_t long_digits = 16;
  if (!begins_otherwise(line) || offset_behind_words(line)) return false;
  std::string_view rest = line.substr(quote_bytes(line));
  std::size_t before = 0;  // digits of the word before, if it could be a number
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(between));
    const bool is_number = word.size() % 2 == 0 && is_hexadecimal(word);
    if (is_number && (word.size() == before || word.size() >= long_digits)) return false;
    before = is_number ? word.size() : 0;
    rest.remove_prefix(std::min(rest.find_first_not_of(between, word.size()), rest.size()));
  }
  return true;
}

bool shows_rows(std::span<const std::byte> first,
                bool (*is_row)(std::string_view line) noexcept) noexcept {
  const auto is_quoted_row = [&](std::string_view line) {
    return is_row(line.substr(quote_bytes(line)));
  };
  if (is_quoted_row(first_text_line(first))) return true;
  if (has_zero(first)) return false;
  const bool is_utf8 = is_utf8_text(first, first.size() >= container_magic_bytes);
  std::string_view rest(reinterpret_cast<const char*>(first.data()), first.size());
  for (rest = without_utf8_mark(rest); !rest.empty();) {
    const std::string_view line = take_text_line(rest);
    if (!is_utf8 && !is_ascii_text(line)) continue;
    if (is_console_row(line)) return false;
    if (is_quoted_row(line)) return true;
  }
  return false;
}

}  // namespace slabscope
