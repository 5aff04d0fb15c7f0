// Integers as most of them are written, eight digits a step: no sign, no leading zero, no fraction,
// and in lists a comma with at most one space between two. What is written in another way, or
// wrong, is left for the tokenizer to read byte by byte. Internal to the tokenizer.
#pragma once

#include <slabscope/base/little_endian.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace slabscope {

// Bytes behind a text that may be read, whatever they hold.
inline constexpr std::size_t plain_slack_bytes = 32;

namespace plain {

inline constexpr std::uint64_t zeros = 0x3030303030303030;  // eight times '0'

inline std::uint64_t load_word(const char* from) noexcept {
  return load_little_endian<std::uint64_t>(reinterpret_cast<const std::byte*>(from));
}

// Bits in the bytes that are no digits, of a word in which digits have become 0 to 9. A carry out
// of a byte that is far from one may add to those behind it.
inline std::uint64_t others(std::uint64_t word) noexcept {
  return ((word + 0x0606060606060606) | word) & 0xF0F0F0F0F0F0F0F0;
}

// 8 for every byte before the first one with a bit.
inline unsigned bits_before(std::uint64_t others) noexcept {
  return static_cast<unsigned>(std::countr_zero(others)) & ~7U;
}

// Eight digits, the first one in the lowest byte: pairs, then all four of them.
inline std::uint64_t value_of_digits(std::uint64_t word) noexcept {
  constexpr std::uint64_t pair = 0x000000FF000000FF;
  word = word * 10 + (word >> 8U);
  return ((word & pair) * (100 + (std::uint64_t{1'000'000} << 32U)) +
          ((word >> 16U) & pair) * (1 + (std::uint64_t{10'000} << 32U))) >>
         32U;
}

// The value of the first `bits` / 8 digits, which are one at least.
inline std::uint64_t value_of_first(std::uint64_t word, unsigned bits) noexcept {
  return value_of_digits(word << (64U - bits));
}

}  // namespace plain

struct PlainInteger {
  std::uint64_t value = 0;
  std::size_t digits = 0;  // 0: it is not plain
};

// The integer that `at` begins with, when it is plain, at most `most`, has at most 15 digits, and
// ends before `end`. `plain_slack_bytes` behind `at` and `end` are readable.
inline PlainInteger plain_integer(const char* at, const char* end, std::uint64_t most) noexcept {
  const std::uint64_t word = plain::load_word(at) ^ plain::zeros;
  unsigned bits = plain::bits_before(plain::others(word));
  if (bits == 0) return {};
  std::uint64_t value = plain::value_of_first(word, bits);
  if (bits == 64) {
    constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};
    const std::uint64_t second = plain::load_word(at + 8) ^ plain::zeros;
    const unsigned more = plain::bits_before(plain::others(second));
    if (more == 64) return {};
    bits += more;
    if (more != 0) value = value * powers[more / 8] + plain::value_of_first(second, more);
  }
  const std::size_t digits = bits / 8;
  if (at + digits >= end || value > most) return {};
  if ((word & 0xFF) == 0 && digits != 1) return {};
  const char after = at[digits];
  if (after == '.' || after == 'e' || after == 'E') return {};
  return {value, digits};
}

// Reads a list's elements one after the other into the typed elements of a column.
template <class Element>
class PlainIntegers {
 public:
  // At most `room` elements.
  PlainIntegers(Element* to, std::size_t room) noexcept : to_(to), left_(room) {}

  // From `from`, where an element begins; where the last one taken ends. Bytes behind `end` are
  // none of a list's.
  const char* read(const char* from, const char* end) noexcept {
    const char* end_of_last = from;
    // Which of the two gaps comes is known before it is seen: the next element does not wait for
    // it.
    while (read_with_gap<1>(from, end, end_of_last) && read_with_gap<2>(from, end, end_of_last)) {
    }
    return end_of_last;
  }
  [[nodiscard]] std::size_t left() const noexcept { return left_; }

 private:
  static constexpr std::uint64_t most = std::numeric_limits<Element>::max();

  // False at the end; true when another gap than `gap` bytes comes, with `from` behind it.
  template <std::size_t gap>
  bool read_with_gap(const char*& from, const char* end, const char*& end_of_last) noexcept {
    for (const char* at = from;;) {
      const char* after = take_pair<gap>(at);
      if (after == nullptr) after = take_one(at, end);
      if (after == nullptr) return false;
      end_of_last = after;
      if (after[0] != ',') return false;
      const bool has_space = after[1] == ' ';
      at = after + gap;
      if (has_space == (gap == 2)) continue;
      from = after + (has_space ? 2 : 1);
      return true;
    }
  }

  // Where the element ends; null: it is not plain, or there is no room.
  const char* take_one(const char* at, const char* end) noexcept {
    const PlainInteger each = left_ == 0 ? PlainInteger() : plain_integer(at, end, most);
    if (each.digits == 0) return nullptr;
    *to_++ = static_cast<Element>(each.value);
    --left_;
    return at + each.digits;
  }

  // Two elements of a few digits with a comma behind each, by one look at 16 bytes: most of the
  // time goes by until it is known where an element ends. Where the second ends; null: not so.
  template <std::size_t gap>
  const char* take_pair(const char* at) noexcept {
    const std::uint64_t first = plain::load_word(at) ^ plain::zeros;
    const std::uint64_t behind = plain::others(plain::load_word(at + 8) ^ plain::zeros);
    const std::uint64_t others = plain::others(first);
    const unsigned first_bits = plain::bits_before(others);
    const unsigned skipped = first_bits + 8 * gap;
    if (left_ < 2 || first_bits - 8 > 48 - 8 * gap) return nullptr;
    const unsigned second_bits = plain::bits_before(others >> skipped | behind << (64U - skipped));
    if (second_bits - 8 > 48) return nullptr;
    const char* const comma = at + first_bits / 8;
    const char* const start = comma + gap;
    const char* const after = start + second_bits / 8;
    const std::uint64_t second = plain::load_word(start) ^ plain::zeros;
    if ((first & 0xFF) == 0 || (second & 0xFF) == 0) return nullptr;
    if (*comma != ',' || (gap == 2 && comma[1] != ' ') || *after != ',') return nullptr;
    const std::uint64_t values[] = {plain::value_of_first(first, first_bits),
                                    plain::value_of_first(second, second_bits)};
    if (most < 9'999'999 && (values[0] > most || values[1] > most)) return nullptr;
    to_[0] = static_cast<Element>(values[0]);
    to_[1] = static_cast<Element>(values[1]);
    to_ += 2;
    left_ -= 2;
    return after;
  }

  Element* to_;
  std::size_t left_;
};

}  // namespace slabscope
