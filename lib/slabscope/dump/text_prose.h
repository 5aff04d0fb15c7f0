// Other text around the rows of a dump that was pasted: quotation marks before them, lines above
// and below.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace slabscope {

// Bytes of what a quotation or an indented block puts before a row: blanks, '>' and '|'.
[[nodiscard]] std::size_t quote_bytes(std::string_view line) noexcept;

// Does a line begin with an address as gdb prints it: "0x7f32a0008000:", "0x7f32a0008000 <"?
[[nodiscard]] bool is_console_row(std::string_view line) noexcept;

// Where the offset of a row stands behind other words of the line, if one does.
[[nodiscard]] std::optional<std::size_t> offset_behind_words(std::string_view line) noexcept;

// Is a line among rows of hexadecimal numbers none of them, and no part of one? It begins with no
// number and no "..", no offset stands in it, and neither a long word nor two words one after the
// other could be numbers.
[[nodiscard]] bool is_prose(std::string_view line) noexcept;

// Does `first`, up to container_magic_bytes of a file, show rows? The first line that is not blank
// is one, or a row stands behind lines of which none is one of a console, and no byte is 0. Rows
// may be quoted. Where not all is UTF-8, a row is ASCII all the same.
[[nodiscard]] bool shows_rows(std::span<const std::byte> first,
                              bool (*is_row)(std::string_view line) noexcept) noexcept;

}  // namespace slabscope
