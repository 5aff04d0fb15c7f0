// What is taken because it is written plainly is what next() would have given, at every place where
// the text may be cut, and leaves the tokenizer as next() does: the two are mixed and compared.
#include "../support/pseudo_random.h"
#include "../support/token_lines.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace slabscope {
namespace {

// A text in two pieces: what a reader has in hand ends after `first` bytes.
class CutSource final : public Source {
 public:
  CutSource(std::string_view text, std::size_t first) : text_(text), first_(first) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::string_view piece = text_.substr(0, first_ != 0 ? first_ : text_.npos);
    if (!piece.empty()) std::memcpy(into.data(), piece.data(), piece.size());
    text_.remove_prefix(piece.size());
    first_ = 0;
    return piece.size();
  }

 private:
  std::string_view text_;
  std::size_t first_;
};

// All tokens by next() alone. The source gives byte after byte, so that nothing is ever plain.
struct Reading {
  std::vector<std::string> lines;
  std::vector<int128> values;
  std::vector<std::string> pointers;
  std::vector<TextPlace> places;
};

Reading read_by_next(std::string_view text) {
  Reading reading;
  tests::PacedSource source(text, 1);
  Tokenizer tokenizer(source, "text.json");
  for (;;) {
    const Result<Token> token = tokenizer.next();
    reading.lines.push_back(token ? tests::token_line(*token, tokenizer.pointer())
                                  : tests::error_line(token.error()));
    if (!token || token->kind == TokenKind::end_of_input) return reading;
    reading.values.push_back(token->value);
    reading.pointers.push_back(tokenizer.pointer());
    reading.places.push_back(token->place);
  }
}

// Takes what is plain, and has next() read the rest; each step is held against `wanted`.
class MixedReading {
 public:
  MixedReading(std::string_view text, std::size_t cut, ElementType type, std::size_t room,
               const Reading& wanted)
      : source_(text, cut),
        tokenizer_(source_, "text.json"),
        type_(type),
        room_(room),
        wanted_(wanted) {}

  // The number of integers that were taken. `difference`: the first step that went wrong.
  std::size_t read(std::string& difference) {
    while (difference.empty() && read_step(difference)) {
    }
    return taken_;
  }

 private:
  bool is(std::string_view kind) const {
    return at_ < wanted_.lines.size() && wanted_.lines[at_].starts_with(kind);
  }
  void check(bool holds, std::string_view what, std::string& difference) const {
    if (!holds) difference = std::string(what) + " where next() gives " + wanted_.lines[at_];
  }
  void check_pointer(std::string& difference) const {
    if (!difference.empty()) return;
    if (at_ > wanted_.pointers.size() || tokenizer_.pointer() != wanted_.pointers[at_ - 1])
      difference = "the pointer is " + tokenizer_.pointer() + " after " + wanted_.lines[at_ - 1];
  }

  bool read_step(std::string& difference) {
    if (take_integers(difference) || take_others(difference)) {
      check_pointer(difference);
      return true;
    }
    const Result<Token> token = tokenizer_.next();
    const std::string line =
        token ? tests::token_line(*token, tokenizer_.pointer()) : tests::error_line(token.error());
    check(at_ < wanted_.lines.size() && line == wanted_.lines[at_], line, difference);
    ++at_;
    return token && token->kind != TokenKind::end_of_input;
  }

  bool take_integers(std::string& difference) {
    std::array<std::uint64_t, 8> elements;
    const auto to = std::as_writable_bytes(std::span(elements));
    const std::size_t count = tokenizer_.take_integers(type_, to.data(), room_);
    taken_ += count;
    check(count <= room_, "more elements than there is room for", difference);
    for (std::size_t index = 0; index < count && difference.empty(); ++index, ++at_) {
      int128 value = 0;
      visit_type(type_, [&](auto zero) {
        std::memcpy(&zero, to.data() + index * sizeof zero, sizeof zero);
        value = zero;
      });
      check(is("integer ") && wanted_.values[at_] == value, "an element", difference);
    }
    return count != 0;
  }

  bool take_others(std::string& difference) {
    const auto most = static_cast<std::uint64_t>(maximum(type_));
    if (const auto value = tokenizer_.take_integer(most)) {
      check(is("integer ") && wanted_.values[at_] == int128{*value} && *value <= most, "an integer",
            difference);
      ++taken_;
    } else if (tokenizer_.take_key("key")) {
      check(is("key ") && wanted_.lines[at_].ends_with("<key>"), "a key", difference);
    } else if (const auto list = tokenizer_.take_begin(TokenKind::begin_array)) {
      check(is("[ " + tests::shown(*list) + " "), "the begin of a list", difference);
    } else if (const auto object = tokenizer_.take_begin(TokenKind::begin_object)) {
      check(is("{ " + tests::shown(*object) + " "), "the begin of an object", difference);
    } else if (tokenizer_.take_end()) {
      check(is("] ") || is("} "), "an end", difference);
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  CutSource source_;
  Tokenizer tokenizer_;
  ElementType type_;
  std::size_t room_;
  const Reading& wanted_;
  std::size_t at_ = 0;  // the next of wanted_.lines
  std::size_t taken_ = 0;
};

constexpr ElementType types[] = {ElementType::u8,  ElementType::i8,  ElementType::u16,
                                 ElementType::i16, ElementType::u32, ElementType::i32,
                                 ElementType::u64, ElementType::i64};

// Reads `text` cut at every place; the most integers that were taken in one reading.
std::size_t check_at_every_cut(const std::string& text, ElementType type, std::size_t room) {
  const Reading wanted = read_by_next(text);
  std::size_t most = 0;
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    std::string difference;
    const std::size_t taken = MixedReading(text, cut, type, room, wanted).read(difference);
    if (taken > most) most = taken;
    INFO(text, " of ", std::string(name(type)), " cut at ", cut, ", room for ", room);
    CHECK(difference == "");
    if (!difference.empty()) break;
  }
  return most;
}

TEST_CASE("lists of one length of digits") {
  const std::string digits = "9182736450918273645091827";
  for (const std::string_view gap : {",", ", ", ",  ", " ,", ",\n"})
    for (const std::string_view end : {"]", " ]", "\n]", ",]", "", "x]", ".5]", "e1]", "}"})
      for (std::size_t length = 1; length <= 21; ++length) {
        const std::string one = digits.substr(0, length);
        const std::string two = digits.substr(2, length);
        std::string text = "[" + one;
        text.append(gap).append(two).append(gap).append(one).append(end);
        check_at_every_cut(text, ElementType::u64, 1 + length % 4);
      }
}

TEST_CASE("both gaps in one list") {
  constexpr std::string_view elements[] = {"7", "12", "345", "67890", "123456"};
  for (unsigned spaces = 0; spaces < 32; ++spaces)
    for (unsigned first = 0; first < std::size(elements); ++first) {
      std::string text = "[";
      for (unsigned index = 0; index < 6; ++index) {
        if (index != 0) text += (spaces >> (index - 1) & 1U) != 0 ? ", " : ",";
        text += elements[(first + index * index) % std::size(elements)];
      }
      CHECK(check_at_every_cut(text + "]", ElementType::u32, 8) == 6);
    }
}

TEST_CASE("mixed lists, and what is none") {
  constexpr std::string_view elements[] = {"0",
                                           "1",
                                           "7",
                                           "12",
                                           "127",
                                           "128",
                                           "255",
                                           "256",
                                           "00",
                                           "01",
                                           "-1",
                                           "-0",
                                           "32767",
                                           "32768",
                                           "65535",
                                           "65536",
                                           "1234567",
                                           "12345678",
                                           "2147483647",
                                           "2147483648",
                                           "4294967295",
                                           "4294967296",
                                           "100000000000000",
                                           "999999999999999",
                                           "1000000000000000",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1.5",
                                           "1e3",
                                           "1E3",
                                           "\"7\"",
                                           "null",
                                           "[]",
                                           "{}",
                                           "{\"key\":1}",
                                           "",
                                           "x",
                                           "+1",
                                           "0x10"};
  constexpr std::string_view gaps[] = {",",   ",",   ",",   ", ", ", ", ", ", ",  ",
                                       " , ", ",\n", "\t,", ",,", " ",  ";"};
  constexpr std::string_view ends[] = {"]", "]", "]", " ]", "\n]", ",]", "}", "", "]]", "\f]"};
  tests::PseudoRandom random(8);
  for (int round = 0; round < 700; ++round) {
    // Mostly one way of writing, as texts are.
    const std::string_view usual_element = random.pick(elements);
    const std::string_view usual_gap = random.pick(gaps);
    std::string text = random.one_in(2) ? "[" : "[ ";
    for (std::uint64_t left = random.below(6); left != 0; --left)
      text.append(random.one_in(3) ? random.pick(elements) : usual_element)
          .append(random.one_in(4) ? random.pick(gaps) : usual_gap);
    text.append(random.pick(elements)).append(random.pick(ends));
    check_at_every_cut(text, random.pick(types), 1 + random.below(4));
  }
}

TEST_CASE("objects of keys, integers and lists") {
  constexpr std::string_view keys[] = {"\"key\"",       "\"key\"", "\"key\"", "\"ke\"", "\"keys\"",
                                       "\"k\\u0065y\"", "\"\"",    "key",     "\"key"};
  constexpr std::string_view colons[] = {":", ":", ": ", ": ", " :", ":  ", ":\n", "", ","};
  constexpr std::string_view values[] = {
      "1",  "12",  "[1,2]", "[1, 2]",         "[]", "{}", "[[1],[2]]", "-1", "\"1\"",
      "01", "1.0", "true",  "[{\"key\":5},7]"};
  constexpr std::string_view gaps[] = {",", ", ", ", ", ",\n", " ,", ""};
  tests::PseudoRandom random(9);
  for (int round = 0; round < 700; ++round) {
    std::string text = random.one_in(2) ? "{" : "[{";
    for (std::uint64_t left = 1 + random.below(3); left != 0; --left)
      text.append(random.pick(keys))
          .append(random.pick(colons))
          .append(random.pick(values))
          .append(left == 1 ? "}" : random.pick(gaps));
    check_at_every_cut(text, random.pick(types), 1 + random.below(4));
  }
}

TEST_CASE("what is plain is taken") {
  struct Row {
    std::string_view text;
    ElementType type;
    std::size_t taken;  // of its integers, when all of it is at hand
  };
  constexpr Row rows[] = {
      {"[1,2,3]", ElementType::u32, 3},
      {"[ 1, 22, 333 ]", ElementType::u32, 3},
      {"[1, 2,3, 4,5]", ElementType::u32, 5},
      {"[0,0, 10,0]", ElementType::u8, 4},
      {"[1,-2,3]", ElementType::i64, 2},
      {"[254,255,256,1]", ElementType::u8, 3},
      {"[127,128,1]", ElementType::i8, 2},
      {"[1,12345678,999999999999999,1000000000000000]", ElementType::u64, 3},
      {"[4294967295,4294967296,4294967295]", ElementType::u32, 2},
      {"[1,2\n,3,4]", ElementType::u32, 3},
      {"{\"key\": 7, \"key\":8}", ElementType::u32, 2},
      {"[[1,2], [3],[]]", ElementType::u32, 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string text(row.text);
    CHECK(check_at_every_cut(text, row.type, 8) == row.taken);
  }
}

TEST_CASE("nothing is taken past the depth limit") {
  std::string text(max_json_depth + 1, '[');
  text += "1, 2, 3";
  CHECK(check_at_every_cut(text, ElementType::u32, 4) == 0);
  text = std::string(max_json_depth, '[') + "1, 2" + std::string(max_json_depth, ']');
  CHECK(check_at_every_cut(text, ElementType::u32, 4) == 2);
}

}  // namespace
}  // namespace slabscope
