#include <slabscope/dump/text_row.h>

namespace slabscope {
namespace {

int hex_value(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_printable(std::byte byte) noexcept {
  return byte >= std::byte{0x20} && byte < std::byte{0x7f};
}

}  // namespace

bool LineCursor::take(std::string_view text) noexcept {
  if (rest().substr(0, text.size()) != text) return false;
  at += text.size();
  return true;
}

std::size_t LineCursor::take_blanks() noexcept {
  const std::size_t before = at;
  while (peek() == ' ' || peek() == '\t') ++at;
  return at - before;
}

std::string_view LineCursor::take_word() noexcept {
  const std::string_view word = rest().substr(0, rest().find_first_of(" \t"));
  at += word.size();
  return word;
}

std::size_t LineCursor::hex_digits() const noexcept { return leading_hex_digits(rest()); }

std::uint64_t LineCursor::take_hex(std::size_t digits) noexcept {
  std::uint64_t value = 0;
  for (; digits > 0; --digits, ++at)
    value = value << 4U | static_cast<std::uint64_t>(hex_value(line[at]));
  return value;
}

Failure LineCursor::fault(std::string message, std::string allowed) const {
  const std::string_view here = rest();
  const std::size_t end = here.find_first_of(" \t", 1);
  return fail(error(ErrorCode::bad_container, std::move(message))
                  .with(is_at_end() ? "the end of the line" : printable(here.substr(0, end), 40),
                        std::move(allowed))
                  .at({0, at + 1}, {}));
}

std::size_t leading_hex_digits(std::string_view text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && hex_value(text[count]) >= 0) ++count;
  return count;
}

Result<void> check_characters(const TextRow& row, const LineCursor& cursor,
                              std::string_view characters, std::string_view instead) {
  bool agrees = characters.size() <= row.bytes.size();
  for (std::size_t index = 0; agrees && index < row.bytes.size(); ++index) {
    const char shown = index < characters.size() ? characters[index] : ' ';
    const bool is_character = is_printable(static_cast<std::byte>(shown)) && shown != '.';
    if (is_printable(row.bytes[index]) || is_character)
      agrees = static_cast<std::byte>(shown) == row.bytes[index];
  }
  if (agrees) return {};
  return cursor.fault("the characters at the right do not stand for these bytes" +
                      std::string(instead));
}

void append_little_endian(std::vector<std::byte>& bytes, std::uint64_t number, std::size_t unit) {
  for (; unit > 0; --unit, number >>= 8U) bytes.push_back(static_cast<std::byte>(number));
}

}  // namespace slabscope
