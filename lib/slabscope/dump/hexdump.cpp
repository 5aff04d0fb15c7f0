// `hexdump -C`, as hd, busybox and BSD write it too.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>
#include <slabscope/dump/text_prose.h>

namespace slabscope {
namespace {

constexpr std::size_t max_row_bytes = 16;

// "|....|" to the end of the line.
Result<void> take_characters(LineCursor& cursor, const TextRow& row) {
  const LineCursor begin = cursor;
  if (!cursor.take("|")) return cursor.fault("the characters at the right are missing", "|...|");
  std::string_view characters = cursor.rest();
  const std::size_t end = characters.find_last_not_of(" \t");
  if (end == std::string_view::npos || characters[end] != '|' || end != row.bytes.size())
    return begin.fault("the characters at the right are not as many as the bytes",
                       std::to_string(row.bytes.size()) + " and |");
  return check_characters(row, begin, characters.substr(0, end), "");
}

Result<void> parse_row(std::string_view line, unsigned /*unit*/, TextRow& row) {
  row = {};
  LineCursor cursor{line, quote_bytes(line)};
  const std::size_t digits = cursor.hex_digits();
  if (digits == 0) {
    const bool is_star = cursor.take("*");
    (void)cursor.take_blanks();
    if (!cursor.is_at_end())
      return cursor.fault("this is no row of hexdump -C: keep only whole rows");
    row.kind = is_star ? TextRowKind::repeat : TextRowKind::other;
    return {};
  }
  if (digits < 8 || digits > 16)
    return cursor.fault("this is no offset of hexdump -C: keep only whole rows", "8 to 16 digits");
  row.address = cursor.take_hex(digits);
  for (;;) {
    const std::size_t blanks = cursor.take_blanks();
    if (cursor.is_at_end() || cursor.peek() == '|') break;
    if (blanks == 0 || cursor.hex_digits() != 2 || row.bytes.size() == max_row_bytes)
      return cursor.fault("this is no byte of a row of hexdump -C", "2 digits, up to 16 times");
    row.bytes.push_back(static_cast<std::byte>(cursor.take_hex(2)));
  }
  row.kind = row.bytes.empty() ? TextRowKind::address : TextRowKind::bytes;
  if (row.bytes.empty() && cursor.is_at_end()) return {};
  return take_characters(cursor, row);
}

// "00000000  07 "
bool is_row(std::string_view line) noexcept {
  const std::size_t digits = leading_hex_digits(line);
  return digits >= 8 && digits <= 16 && line.substr(digits, 2) == "  " &&
         leading_hex_digits(line.substr(digits + 2)) == 2 &&
         line.substr(digits + 4, 1).find_first_not_of(" \t") == std::string_view::npos;
}

bool recognises(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return shows_rows(first, is_row);
}

Result<std::unique_ptr<Container>> open(std::shared_ptr<RandomAccess> file,
                                        const ContainerHints& hints) {
  TextFormat format{hexdump_kind, parse_row};
  format.has_end_line = true;
  format.may_have_prose = true;
  return open_text(format, std::move(file), hints);
}

}  // namespace

constinit const ContainerKind hexdump_kind = {"hexdump", "text of hexdump -C", recognises, open};

}  // namespace slabscope
