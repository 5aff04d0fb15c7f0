#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slabscope {
namespace {

// -1 when `character` is no digit of `base`.
int digit_value(char character, unsigned base) noexcept {
  unsigned value = 99;
  if (character >= '0' && character <= '9') value = static_cast<unsigned>(character - '0');
  if (character >= 'a' && character <= 'f') value = static_cast<unsigned>(character - 'a') + 10;
  if (character >= 'A' && character <= 'F') value = static_cast<unsigned>(character - 'A') + 10;
  return value < base ? static_cast<int>(value) : -1;
}

}  // namespace

IntegerText parse_integer(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const unsigned base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  if (text.empty() || (base == 10 && text.size() > 1 && text.front() == '0'))
    return {0, IntegerTextFault::not_an_integer};
  if (!std::all_of(text.begin(), text.end(),
                   [&](char each) { return digit_value(each, base) >= 0; }))
    return {0, IntegerTextFault::not_an_integer};
  std::optional<std::uint64_t> magnitude = 0;
  for (const char each : text) {
    magnitude = checked_multiply<std::uint64_t>(*magnitude, base);
    if (magnitude)
      magnitude = checked_add<std::uint64_t>(*magnitude,
                                             static_cast<std::uint64_t>(digit_value(each, base)));
    if (!magnitude) return {0, IntegerTextFault::beyond_64_bits};
  }
  return {negative ? -int128{*magnitude} : int128{*magnitude}, IntegerTextFault::none};
}

IntegerText parse_size(std::string_view text) noexcept {
  constexpr std::array<std::pair<std::string_view, unsigned>, 3> suffixes = {
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  unsigned shift = 0;
  for (const auto& [suffix, bits] : suffixes) {
    if (!text.ends_with(suffix)) continue;
    shift = bits;
    text.remove_suffix(suffix.size());
    break;
  }
  IntegerText parsed = parse_integer(text);
  if (parsed.fault != IntegerTextFault::none) return parsed;
  parsed.value *= int128{1} << shift;  // 64 bits and at most 30 more
  constexpr int128 most = ~std::uint64_t{0};
  if (parsed.value > most || parsed.value < -most) return {0, IntegerTextFault::beyond_64_bits};
  return parsed;
}

std::string hex_text(std::uint64_t value) {
  std::string text;
  for (std::uint64_t rest = value; rest != 0 || text.empty(); rest >>= 4U)
    text.insert(0, 1, "0123456789abcdef"[rest & 15U]);
  return "0x" + text;
}

std::string to_text(int128 value) {
  const bool negative = value < 0;
  uint128 rest = negative ? -static_cast<uint128>(value) : static_cast<uint128>(value);
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace slabscope
