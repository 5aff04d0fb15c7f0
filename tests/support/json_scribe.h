// Writes pseudo-random JSON and, while it writes, notes every token with its place, its pointer and
// its meaning. It knows where everything stands because it put it there.
#pragma once

#include "pseudo_random.h"
#include "token_lines.h"

#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

class JsonScribe {
 public:
  explicit JsonScribe(PseudoRandom& random) : random_(random) {}

  // One value with blanks around it, and the end of the input.
  void document(int depth) {
    value("", depth);
    blanks();
    note(TokenKind::end_of_input, here_, "", {});
  }
  // A value at `pointer`, blanks before it. Depth 0 is a leaf.
  void value(const std::string& pointer, int depth) {
    blanks();
    if (depth == 0 || random_.one_in(4)) return leaf(pointer);
    if (random_.one_in(2)) return list(pointer, depth);
    object(pointer, depth);
  }
  void object(const std::string& pointer, int depth) {
    note(TokenKind::begin_object, here_, pointer, {});
    put("{");
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t index = 0; index < count; ++index) {
      blanks();
      if (index != 0) {
        put(",");
        blanks();
      }
      const TextPlace place = here_;
      const auto [decoded, plain] = quoted();
      const std::string member = pointer + "/" + escaped(decoded);
      note(TokenKind::key, place, member, text_payload(decoded, plain));
      blanks();
      put(":");
      value(member, depth - 1);
    }
    blanks();
    note(TokenKind::end_object, here_, pointer, {});
    put("}");
  }
  void put(std::string_view text) {
    text_ += text;
    for (const char each : text) {
      ++here_.column;
      if (each == '\n') here_ = {here_.line + 1, 1};
    }
  }
  void blanks() {
    constexpr std::string_view choices[] = {"", "", "", "", " ", "  ", "\n", "\r\n", "\t", " \n\t"};
    put(random_.pick(choices));
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::vector<std::string>& lines() const noexcept { return lines_; }
  [[nodiscard]] TextPlace here() const noexcept { return here_; }

 private:
  void note(TokenKind kind, TextPlace place, const std::string& pointer, std::string_view payload) {
    lines_.push_back(token_line(kind, place, pointer, payload));
  }

  void list(const std::string& pointer, int depth) {
    note(TokenKind::begin_array, here_, pointer, {});
    put("[");
    const std::uint64_t count = random_.below(4);
    for (std::uint64_t index = 0; index < count; ++index) {
      if (index != 0) {
        blanks();
        put(",");
      }
      value(pointer + "/" + std::to_string(index), depth - 1);
    }
    blanks();
    note(TokenKind::end_array, here_, pointer, {});
    put("]");
  }

  void leaf(const std::string& pointer) {
    const TextPlace place = here_;
    switch (random_.below(6)) {
      case 0: put("true"); return note(TokenKind::true_value, place, pointer, {});
      case 1: put("false"); return note(TokenKind::false_value, place, pointer, {});
      case 2: put("null"); return note(TokenKind::null_value, place, pointer, {});
      case 3: {
        const auto [decoded, plain] = quoted();
        return note(TokenKind::string, place, pointer, text_payload(decoded, plain));
      }
      case 4: {
        constexpr std::string_view reals[] = {"0.0",  "-0.5", "1e5",   "1E+5",     "12.5e-3",
                                              "-0e0", "0.10", "1e999", "3.14159",  "-1.0E-0",
                                              "1e05", "0E1",  "10.00", "1.5e+300", "9e00"};
        const std::string_view written = random_.pick(reals);
        put(written);
        return note(TokenKind::real, place, pointer, "written " + std::string(written));
      }
      default: return integer(pointer, place);
    }
  }

  void integer(const std::string& pointer, TextPlace place) {
    uint128 magnitude = random_.of_any_width();
    if (random_.one_in(8)) magnitude = magnitude * 16 + (uint128{1} << 64U);
    const bool negative = random_.one_in(3);
    const std::string written = (negative ? "-" : "") + to_text(static_cast<int128>(magnitude));
    put(written);
    const bool beyond = magnitude >= (uint128{1} << 64U);
    const std::string exact = beyond ? "beyond" : written == "-0" ? "0" : written;
    note(TokenKind::integer, place, pointer, integer_payload(written, exact));
  }

  struct Quoted {
    std::string decoded;
    bool plain;
  };
  Quoted quoted() {
    struct Piece {
      std::string_view written;
      std::string_view decoded;
    };
    constexpr Piece pieces[] = {
        {"a", "a"},
        {"name", "name"},
        {" ", " "},
        {"/", "/"},
        {"~", "~"},
        {"~1", "~1"},
        {"[{:,}]", "[{:,}]"},
        {"\x7f", "\x7f"},
        {"\xC3\xBC", "\xC3\xBC"},
        {"\xE2\x82\xAC", "\xE2\x82\xAC"},
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
        {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
        {"\\n", "\n"},
        {"\\\"", "\""},
        {"\\\\", "\\"},
        {"\\/", "/"},
        {"\\b\\f\\r\\t", "\b\f\r\t"},
        {"\\u0041", "A"},
        {"\\u0000", std::string_view("\0", 1)},
        {"\\u00e9", "\xC3\xA9"},
        {"\\u20AC", "\xE2\x82\xAC"},
        {"\\uFFFF", "\xEF\xBF\xBF"},
        {"\\uD83D\\uDE00", "\xF0\x9F\x98\x80"},
        {"\\uDBFF\\uDFFF", "\xF4\x8F\xBF\xBF"},
    };
    Quoted made{{}, true};
    std::string written = "\"";
    for (std::uint64_t count = random_.below(5); count != 0; --count) {
      const Piece& piece = random_.pick(pieces);
      written += piece.written;
      made.decoded += piece.decoded;
      made.plain = made.plain && piece.written.front() != '\\';
    }
    put(written + "\"");
    return made;
  }

  // As RFC 6901 writes a key in a pointer.
  static std::string escaped(std::string_view key) {
    std::string made;
    for (const char each : key)
      made += each == '~' ? "~0" : each == '/' ? "~1" : std::string(1, each);
    return made;
  }

  PseudoRandom& random_;
  std::string text_;
  std::vector<std::string> lines_;
  TextPlace here_{1, 1};
};

}  // namespace slabscope::tests
