#include <slabscope/text/json_text.h>

#include <slabscope/text/decimal.h>

#include <algorithm>
#include <utility>

namespace slabscope {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// Are the next bytes those that stand one element of `width` bytes further on?
template <std::size_t bytes>
bool repeats(const std::byte* from, std::size_t width) noexcept {
  std::uint64_t differing = 0;
  for (std::size_t at = 0; at < bytes; at += 8)
    differing |= load_little_endian<std::uint64_t>(from + at) ^
                 load_little_endian<std::uint64_t>(from + at + width);
  return differing == 0;
}

// Where the run of equal elements that begins at `from` ends.
template <class T>
const std::byte* end_of_run(const std::byte* from, const std::byte* end) noexcept {
  constexpr std::ptrdiff_t width = sizeof(T);
  while (end - from >= 64 + width && repeats<64>(from, width)) from += 64;
  while (end - from > width && std::memcmp(from, from + width, width) == 0) from += width;
  return from + width;
}

// The `bytes` before `to` again, `count` times, twice as many at each step.
char* repeat(char* to, std::size_t bytes, std::size_t count) noexcept {
  const char* const begin = to - bytes;
  for (std::size_t left = bytes * count; left != 0;) {
    const std::size_t part = std::min(left, static_cast<std::size_t>(to - begin));
    std::memcpy(to, begin, part);
    to += part;
    left -= part;
  }
  return to;
}

// Writes the elements, a separator of one or two bytes behind each; runs of one value, as behind
// short tables, are copied. There are decimal_room + 2 bytes for each.
template <class T>
char* write_numbers(char* to, const std::byte* from, const std::byte* end,
                    std::string_view separator) noexcept {
  const char first = separator.front();
  const char last = separator.back();
  while (from != end) {
    const T value = load_little_endian<T>(from);
    const char* const begin = to;
    to = write_decimal(to, value);
    to[0] = first;
    to[1] = last;
    to += separator.size();
    from += sizeof(T);
    if (from == end || load_little_endian<T>(from) != value) continue;
    const std::byte* const run_end = end_of_run<T>(from, end);
    to = repeat(to, static_cast<std::size_t>(to - begin),
                static_cast<std::size_t>(run_end - from) / sizeof(T));
    from = run_end;
  }
  return to;
}

}  // namespace

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

void TextWriter::put_long(std::string_view text) {
  if (text.size() > room()) flush();
  if (text.size() > room()) {  // longer than the buffer
    if (outcome_) outcome_ = sink_.write(std::as_bytes(std::span(text)));
    handed_on_ += text.size();
  } else if (!text.empty()) {
    std::memcpy(end(), text.data(), text.size());
    used_ += text.size();
  }
}

void TextWriter::put(int128 value) {
  if (room() < decimal_room) flush();
  // An element has 64 bits.
  end_at(value > 0 ? write_decimal(end(), static_cast<std::uint64_t>(value))
                   : write_decimal(end(), static_cast<std::int64_t>(value)));
}

void TextWriter::put_numbers(ElementType type, std::span<const std::byte> bytes,
                             std::string_view separator) {
  constexpr std::size_t room_of_one = decimal_room + 2;
  static_assert(room_of_one <= most_unused_bytes);
  while (!bytes.empty() && outcome_) {
    if (room() < room_of_one) flush();
    const std::size_t most = room() / room_of_one * element_bytes(type);
    const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), most));
    end_at(visit_type(type, [&](auto zero) {
      return write_numbers<decltype(zero)>(end(), part.data(), part.data() + part.size(),
                                           separator);
    }));
    bytes = bytes.subspan(part.size());
    if (bytes.empty()) used_ -= separator.size();  // behind the last one stands none
  }
}

void TextWriter::put_hex(std::span<const std::byte> bytes) {
  while (!bytes.empty() && outcome_) {
    if (room() < 2) flush();
    const std::size_t part = std::min(bytes.size(), room() / 2);
    char* to = end();
    for (const std::byte each : bytes.first(part)) {
      *to++ = hex_digits[std::to_integer<unsigned>(each) >> 4U];
      *to++ = hex_digits[std::to_integer<unsigned>(each) & 15U];
    }
    end_at(to);
    bytes = bytes.subspan(part);
  }
}

void TextWriter::flush() {
  if (used_ != 0 && outcome_) outcome_ = sink_.write(std::as_const(buffer_).bytes().first(used_));
  handed_on_ += used_;
  used_ = 0;
}

}  // namespace slabscope
