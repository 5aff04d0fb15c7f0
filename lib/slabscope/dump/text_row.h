// One line of a text dump: what its numbers say, and the words that parsers of lines share.
#pragma once

#include <slabscope/base/error.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

enum class TextRowKind : std::uint8_t {
  other,    // nothing of the dump: a blank line, a prompt
  bytes,    // bytes, at an address where the format has them
  address,  // an address alone: what follows stands there, or the bytes end there
  repeat,   // "*": the row before again, up to the next address
};

struct TextRow {
  TextRowKind kind = TextRowKind::other;
  std::optional<std::uint64_t> address;
  std::vector<std::byte> bytes;
};

// Parses a line into `row`, of which all is set anew. `unit`: bytes of a number, where the format
// leaves that open. Errors: bad_container with the column.
using ParseTextRow = Result<void> (*)(std::string_view line, unsigned unit, TextRow& row);

// A place in a line that is being parsed.
struct LineCursor {
  std::string_view line;
  std::size_t at = 0;

  [[nodiscard]] std::string_view rest() const noexcept { return line.substr(at); }
  [[nodiscard]] bool is_at_end() const noexcept { return at == line.size(); }
  [[nodiscard]] char peek() const noexcept { return is_at_end() ? '\0' : line[at]; }
  // Passes over `text` if it stands here.
  [[nodiscard]] bool take(std::string_view text) noexcept;
  // Passes over blanks and says how many there were.
  std::size_t take_blanks() noexcept;
  // Passes over what stands here up to a blank, and gives it.
  std::string_view take_word() noexcept;
  // How many hexadecimal digits stand here.
  [[nodiscard]] std::size_t hex_digits() const noexcept;
  // Passes over `digits` hexadecimal digits, at most 16, that stand here.
  [[nodiscard]] std::uint64_t take_hex(std::size_t digits) noexcept;

  // Error bad_container here; what stands here is what came.
  [[nodiscard]] Failure fault(std::string message, std::string allowed = {}) const;
};

// How many hexadecimal digits `text` begins with.
[[nodiscard]] std::size_t leading_hex_digits(std::string_view text) noexcept;

// The column of characters beside a row's bytes says the same as the bytes: a character for each
// that is printable, anything that is no other character for the rest. Blanks at its end may have
// been cut off. Error: bad_container, which also tells of `instead`.
[[nodiscard]] Result<void> check_characters(const TextRow& row, const LineCursor& cursor,
                                            std::string_view characters, std::string_view instead);

// Appends a number's low `unit` bytes, little-endian.
void append_little_endian(std::vector<std::byte>& bytes, std::uint64_t number, std::size_t unit);

}  // namespace slabscope
