// Numbers in hexadecimal, little-endian in memory, as `od -Ax -tx4` and plain `hexdump` write them.
// Read when --unit says how wide they are; their look leaves it open whether they are bytes.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>

#include <algorithm>

namespace slabscope {
namespace {

constexpr std::size_t max_row_bytes = 256;

bool ends_numbers(const LineCursor& cursor) noexcept {
  return cursor.is_at_end() || cursor.peek() == '>';
}

Result<void> parse_row(std::string_view line, unsigned unit, TextRow& row) {
  row = {};
  LineCursor cursor{line};
  const std::size_t digits = cursor.hex_digits();
  if (digits == 0) {
    const bool is_star = cursor.take("*");
    (void)cursor.take_blanks();
    if (!cursor.is_at_end()) return cursor.fault("this is no row of od or hexdump");
    row.kind = is_star ? TextRowKind::repeat : TextRowKind::other;
    return {};
  }
  if (digits > 16) return cursor.fault("this is no offset", "up to 16 digits");
  row.address = cursor.take_hex(digits);
  for (;;) {
    const std::size_t blanks = cursor.take_blanks();
    if (ends_numbers(cursor)) break;
    if (blanks == 0 || cursor.hex_digits() != std::size_t{2} * unit ||
        row.bytes.size() >= max_row_bytes)
      return cursor.fault("this is no number of --unit " + std::to_string(unit),
                          std::to_string(2 * unit) + " hexadecimal digits");
    append_little_endian(row.bytes, cursor.take_hex(std::size_t{2} * unit), unit);
  }
  row.kind = row.bytes.empty() ? TextRowKind::address : TextRowKind::bytes;
  if (cursor.is_at_end()) return {};
  // od's "z": >....<
  const LineCursor begin = cursor;
  const std::string_view characters = cursor.rest();
  if (characters.size() != row.bytes.size() + 2 || characters.back() != '<')
    return cursor.fault("the characters at the right are not as many as the bytes",
                        std::to_string(row.bytes.size()) + " between > and <");
  return check_characters(row, begin, characters.substr(1, row.bytes.size()), "");
}

// "0000000 0700 0000", "000000 07 00", "0000000    0007    0000"
bool recognises(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  LineCursor cursor{first_text_line(first)};
  if (cursor.hex_digits() < 6 || cursor.hex_digits() > 16) return false;
  (void)cursor.take_hex(cursor.hex_digits());
  if (cursor.take_blanks() == 0) return false;
  const std::size_t width = cursor.hex_digits();
  if (width != 2 && width != 4 && width != 8 && width != 16) return false;
  (void)cursor.take_hex(width);
  return cursor.is_at_end() || cursor.peek() == ' ';
}

Result<std::unique_ptr<Container>> open(std::shared_ptr<RandomAccess> file,
                                        const ContainerHints& hints) {
  if (!hints.unit)
    return fail(ErrorCode::unsupported_container,
                "this looks like numbers that od or hexdump wrote, and nothing says whether they "
                "are bytes or little-endian words; give --unit 1, 2, 4 or 8, or take the text "
                "with hexdump -C or xxd");
  TextFormat format{hex_words_kind, parse_row};
  format.has_end_line = true;
  format.is_contiguous = true;
  format.other_bases = {8, 10};  // od, od -Ad: 7 digits
  format.hex_offset_digits = 6;
  format.hole_advice = " (offsets are read as hexadecimal: od -Ax)";
  return open_text(format, std::move(file), hints);
}

}  // namespace

constinit const ContainerKind hex_words_kind = {
    "words", "text of od -Ax -tx1, -tx2, -tx4, -tx8 or of plain hexdump, with --unit", recognises,
    open};

}  // namespace slabscope
