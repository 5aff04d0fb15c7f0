// Bytes of tests: owned, compared, and written as hex.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

using Bytes = std::vector<std::byte>;

inline bool same(std::span<const std::byte> left, std::span<const std::byte> right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

inline bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte each) { return each == value; });
}

inline std::string to_hex(std::span<const std::byte> bytes) {
  std::string hex;
  for (const std::byte each : bytes) {
    hex += "0123456789abcdef"[std::to_integer<unsigned>(each) >> 4U];
    hex += "0123456789abcdef"[std::to_integer<unsigned>(each) & 15U];
  }
  return hex;
}

// Pairs of hex digits, lower case; blanks between them are passed over.
inline Bytes from_hex(std::string_view hex) {
  Bytes bytes;
  unsigned high = 16;
  for (const char each : hex) {
    if (each == ' ' || each == '\n') continue;
    const unsigned digit = static_cast<unsigned>(each <= '9' ? each - '0' : each - 'a' + 10);
    if (high < 16) bytes.push_back(static_cast<std::byte>(high << 4U | digit));
    high = high < 16 ? 16 : digit;
  }
  return bytes;
}

// "at 0x12: 05, not 00": where two slabs first differ.
inline std::string difference(std::span<const std::byte> got, std::span<const std::byte> wanted) {
  if (got.size() != wanted.size())
    return std::to_string(got.size()) + " B, not " + std::to_string(wanted.size()) + " B";
  for (std::size_t index = 0; index < got.size(); ++index)
    if (got[index] != wanted[index])
      return "at " + std::to_string(index) + ": " + to_hex(got.subspan(index, 1)) + ", not " +
             to_hex(wanted.subspan(index, 1));
  return "no difference";
}

}  // namespace slabscope::tests
