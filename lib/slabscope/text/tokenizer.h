// One strict, streaming JSON tokenizer (RFC 8259) with exact places: every reader whose errors need
// one uses it. Holds one chunk of input and the current token, never the document. Duplicate and
// unknown keys, and what a value may be, are its users' business.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/base/element_type.h>
#include <slabscope/base/stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

enum class TokenKind : std::uint8_t {
  begin_object,
  end_object,
  begin_array,
  end_array,
  key,
  string,
  integer,  // no fraction, no exponent
  real,
  true_value,
  false_value,
  null_value,
  end_of_input,
};

std::string_view describe(TokenKind kind) noexcept;  // "an object", "a string", ...

struct Token {
  TokenKind kind = TokenKind::end_of_input;
  TextPlace place{};  // of the token's first byte
  std::string_view
      text{};  // key, string: decoded; number: as written, its first bytes; until the next call
  int128 value = 0;             // integer: exact when !beyond_64_bits
  bool beyond_64_bits = false;  // integer: the magnitude passes 2^64-1
  bool plain = true;  // key, string: written without escapes, so columns inside it are exact
};

// Takes a long string in pieces, so that it is never held whole.
class StringSink {
 public:
  virtual void take(std::string_view piece) = 0;

 protected:
  ~StringSink() = default;
};

// Nested deeper than any document of ours (rows, 8 dimensions, an array around them); stops stack
// exhaustion in what is built from the tokens.
inline constexpr std::size_t max_json_depth = 64;
// Keys and short strings; longer ones are only taken in pieces. Bounds what one token can hold.
inline constexpr std::size_t max_string_bytes = std::size_t{1} << 20;

enum class Documents : std::uint8_t { one, many };  // many: a newline must stand between two

class Tokenizer {
 public:
  // `file` is shown in errors. The source must outlive the tokenizer.
  Tokenizer(Source& source, std::string file, Documents documents = Documents::one);
  // Continues inside a larger text: `start` and `pointer` are those of the value that the source
  // begins with.
  Tokenizer(Source& source, std::string file, TextPlace start, std::string pointer);
  // Continues a stream of documents at the begin of the line `line`, where one may begin.
  Tokenizer(Source& source, std::string file, std::uint64_t line);

  // The next token. After an error the tokenizer must not be used any more.
  [[nodiscard]] Result<Token> next();
  // As next(), but a string value goes to `pieces` (at most a few KiB each) and leaves the token's
  // text empty.
  [[nodiscard]] Result<Token> next(StringSink& pieces);

  // Each takes what next() would give next where that is written plainly and is buffered, and then
  // stands where next() would. Whatever else comes, wrong or not, is left to next(): nothing is
  // taken, and nothing said.

  // The key `expected`, which has no byte that a string must escape.
  [[nodiscard]] bool take_key(std::string_view expected);
  // An integer from 0 to `most`.
  [[nodiscard]] std::optional<std::uint64_t> take_integer(std::uint64_t most) noexcept;
  // The next elements of a list as far as they are such integers and fit `type`, at most `room`;
  // their number. They are stored in host byte order, aligned as their type.
  [[nodiscard]] std::size_t take_integers(ElementType type, std::byte* to,
                                          std::size_t room) noexcept;
  // The begin of an object or a list; its place.
  [[nodiscard]] std::optional<TextPlace> take_begin(TokenKind container);
  // The end of the object or list that was begun last.
  [[nodiscard]] bool take_end() noexcept;

  // Reads to the end of the value that began with `first`.
  [[nodiscard]] Result<void> skip_rest(const Token& first);
  // Appends the text of the next value to `text`, checked but not interpreted; its place. More than
  // `most` bytes are refused (limit_exceeded, `advice` says what to do).
  [[nodiscard]] Result<TextPlace> capture_value(std::string& text, std::size_t most,
                                                std::string_view advice);

  // JSON pointer of the latest token's value (of the member, after a key; of the container, after
  // its end).
  [[nodiscard]] std::string pointer() const;
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  // Of the next byte.
  [[nodiscard]] TextPlace place() const noexcept;
  // An error at `where`, with this file and `pointer`.
  [[nodiscard]] Error error_at(TextPlace where, std::string pointer, ErrorCode code,
                               std::string message) const;

 private:
  enum class Expect : std::uint8_t {
    document,
    value,
    value_or_end,
    key_or_end,
    key,
    colon,
    comma_or_end
  };
  struct Frame {
    bool is_object;
    bool has_child;
    std::uint64_t index;    // of the current element
    std::size_t key_begin;  // of the current key in keys_
  };

  [[nodiscard]] Result<Token> next(StringSink* pieces);
  [[nodiscard]] Result<void> skip_blanks();
  [[nodiscard]] Result<int> peek() {  // the next byte, or -1 at the end
    return here_ != end_ ? Result<int>(static_cast<unsigned char>(*here_)) : peek_behind();
  }
  [[nodiscard]] Result<int> peek_behind();
  [[nodiscard]] Result<bool> refill();
  [[nodiscard]] Result<void> capture_chunk();
  void advance() noexcept { ++here_; }

  [[nodiscard]] Result<Token> read_value(int first, StringSink* pieces);
  [[nodiscard]] Result<Token> read_key();
  [[nodiscard]] Result<void> read_string(StringSink* pieces);
  [[nodiscard]] Result<void> read_escape();
  [[nodiscard]] Result<unsigned> read_hex4();
  [[nodiscard]] Result<void> read_utf8(unsigned lead);
  [[nodiscard]] Result<void> read_number();
  [[nodiscard]] Result<void> read_digits();
  [[nodiscard]] Result<void> read_word(std::string_view word);
  [[nodiscard]] Result<Token> open(bool is_object);
  [[nodiscard]] Result<Token> close(bool is_object);
  void enter(bool is_object);
  void leave() noexcept;
  [[nodiscard]] const char* plain_start(bool is_key, std::size_t bytes) const noexcept;
  void begin_child();
  void value_done() noexcept;
  void append_code_point(std::uint32_t code_point);
  void keep_number_byte(int byte);
  [[nodiscard]] Failure syntax(std::string message, int got) const;

  Source& source_;
  std::string file_;
  std::string pointer_prefix_;
  Documents documents_ = Documents::one;

  std::unique_ptr<char[]> chunk_;
  const char* here_ = nullptr;
  const char* end_ = nullptr;
  bool at_end_ = false;
  std::uint64_t chunk_offset_ = 0;  // of chunk_[0] in the text
  std::uint64_t line_ = 1;
  std::uint64_t line_offset_ =
      0;  // of the line's column 1; wraps on purpose when the text starts inside a line
  bool newline_seen_ = false;       // since the last document
  std::string* capture_ = nullptr;  // takes what is read from here on
  const char* capture_from_ = nullptr;
  std::size_t capture_most_ = 0;
  std::string capture_advice_;
  TextPlace capture_place_;  // where the captured value begins
  std::string capture_pointer_;

  Expect expect_ = Expect::document;
  bool any_document_ = false;
  std::vector<Frame> frames_;
  std::string keys_;
  Token token_;
  std::string text_;
};

}  // namespace slabscope
