#include <slabscope/text/json_text.h>

#include <algorithm>
#include <charconv>

namespace slabscope {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// Bytes of the valid UTF-8 sequence (RFC 3629) that `text` begins with; 0 when it begins with none.
std::size_t utf8_sequence(std::string_view text) noexcept {
  const auto byte = [&](std::size_t index) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[index]));
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (text.size() < length) return 0;
  const unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t index = 2; index < length; ++index)
    if (byte(index) < 0x80 || byte(index) > 0xBF) return 0;
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0) {
      quoted += "\xEF\xBF\xBD";
    } else if (byte == '"' || byte == '\\') {
      quoted += '\\';
      quoted += text.front();
    } else if (byte < 0x20) {
      quoted += "\\u00";
      quoted += hex_digits[byte >> 4U];
      quoted += hex_digits[byte & 15U];
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  quoted += '"';
  return quoted;
}

void TextWriter::put(int128 value) {
  char digits[24];  // an element has 64 bits
  const bool is_unsigned = value > 0;
  const auto end =
      is_unsigned
          ? std::to_chars(digits, digits + sizeof digits, static_cast<std::uint64_t>(value)).ptr
          : std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(value)).ptr;
  put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

void TextWriter::put_hex(std::span<const std::byte> bytes) {
  for (const std::byte each : bytes) {
    const char pair[2] = {hex_digits[std::to_integer<unsigned>(each) >> 4U],
                          hex_digits[std::to_integer<unsigned>(each) & 15U]};
    put(std::string_view(pair, 2));
  }
}

void TextWriter::flush() {
  if (!text_.empty() && outcome_) outcome_ = sink_.write(std::as_bytes(std::span(text_)));
  text_.clear();
}

}  // namespace slabscope
