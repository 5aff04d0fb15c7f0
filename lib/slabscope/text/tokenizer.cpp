#include <slabscope/text/tokenizer.h>

#include <slabscope/text/plain_integer.h>

#include <array>
#include <cstring>

namespace slabscope {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
constexpr std::size_t piece_bytes = 4096;
constexpr std::size_t kept_number_bytes = 80;  // what an error shows of a number

bool is_blank(int byte) noexcept {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}
bool is_digit(int byte) noexcept { return byte >= '0' && byte <= '9'; }
// Bytes that a string holds as they are: no control byte, quote, backslash, or part of a longer
// UTF-8 sequence.
bool is_plain(char character) noexcept {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

std::string quoted_byte(int byte) {
  if (byte < 0) return "the end of the input";
  const char character = static_cast<char>(byte);
  return byte < 0x80 ? "'" + printable(std::string_view(&character, 1)) + "'"
                     : "byte 0x" + std::string(1, "0123456789abcdef"[byte >> 4]) +
                           "0123456789abcdef"[byte & 15];
}

}  // namespace

std::string_view describe(TokenKind kind) noexcept {
  constexpr std::array<std::string_view, 12> names = {
      "an object",  "the end of an object",
      "a list",     "the end of a list",
      "a key",      "a string",
      "an integer", "a number with a fraction or exponent",
      "true",       "false",
      "null",       "the end of the input"};
  return names[static_cast<std::size_t>(kind)];
}

Tokenizer::Tokenizer(Source& source, std::string file, Documents documents)
    : source_(source),
      file_(std::move(file)),
      documents_(documents),
      chunk_(new char[chunk_bytes + plain_slack_bytes]) {
  here_ = end_ = chunk_.get();
}

Tokenizer::Tokenizer(Source& source, std::string file, TextPlace start, std::string pointer)
    : Tokenizer(source, std::move(file)) {
  line_ = start.line;
  line_offset_ = 1 - start.column;
  pointer_prefix_ = std::move(pointer);
}

Tokenizer::Tokenizer(Source& source, std::string file, std::uint64_t line)
    : Tokenizer(source, std::move(file), Documents::many) {
  line_ = line;
  any_document_ = true;
  newline_seen_ = true;
}

Error Tokenizer::error_at(TextPlace where, std::string pointer, ErrorCode code,
                          std::string message) const {
  Error made = error(code, std::move(message)).at(where, std::move(pointer));
  made.file = file_;
  return made;
}

Failure Tokenizer::syntax(std::string message, int got) const {
  return fail(error_at(place(), pointer(), ErrorCode::syntax, std::move(message))
                  .with(quoted_byte(got), {}));
}

TextPlace Tokenizer::place() const noexcept {
  const std::uint64_t offset = chunk_offset_ + static_cast<std::uint64_t>(here_ - chunk_.get());
  return {line_, offset - line_offset_ + 1};
}

Result<bool> Tokenizer::refill() {
  if (at_end_) return false;
  if (capture_ != nullptr) SLABSCOPE_TRY(capture_chunk());
  chunk_offset_ += static_cast<std::uint64_t>(end_ - chunk_.get());
  here_ = end_ = chunk_.get();
  auto count = source_.read(std::as_writable_bytes(std::span(chunk_.get(), chunk_bytes)));
  if (!count) {
    if (count.error().file.empty()) count.error().file = file_;
    return fail(std::move(count).error());
  }
  end_ += *count;
  std::memset(chunk_.get() + *count, 0, plain_slack_bytes);
  at_end_ = *count == 0;
  return !at_end_;
}

Result<void> Tokenizer::capture_chunk() {
  const auto count = static_cast<std::size_t>(here_ - capture_from_);
  if (count > capture_most_ - capture_->size())
    return fail(error_at(capture_place_, capture_pointer_, ErrorCode::limit_exceeded,
                         "too much text to keep; " + capture_advice_)
                    .with({}, "at most " + std::to_string(capture_most_) + " bytes"));
  capture_->append(capture_from_, count);
  capture_from_ = chunk_.get();
  return {};
}

Result<int> Tokenizer::peek_behind() {
  SLABSCOPE_TRY_ASSIGN(more, refill());
  return more ? static_cast<unsigned char>(*here_) : -1;
}

Result<void> Tokenizer::skip_blanks() {
  for (;;) {
    while (here_ != end_ && (*here_ == ' ' || *here_ == '\t' || *here_ == '\r')) advance();
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (!is_blank(byte)) return {};
    advance();
    if (byte != '\n') continue;
    ++line_;
    line_offset_ = chunk_offset_ + static_cast<std::uint64_t>(here_ - chunk_.get());
    newline_seen_ = true;
  }
}

Result<Token> Tokenizer::next() { return next(nullptr); }
Result<Token> Tokenizer::next(StringSink& pieces) { return next(&pieces); }

Result<Token> Tokenizer::next(StringSink* pieces) {
  for (;;) {
    SLABSCOPE_TRY(skip_blanks());
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    token_ = Token{};
    token_.place = place();
    switch (expect_) {
      case Expect::document:
        if (byte < 0 && (any_document_ || documents_ == Documents::many)) return token_;
        if (byte < 0) return syntax("the text is empty, a value was expected", byte);
        if (any_document_ && documents_ == Documents::one)
          return syntax("unexpected text after the document", byte);
        if (any_document_ && !newline_seen_)
          return syntax("a newline must stand between two documents", byte);
        any_document_ = true;
        return read_value(byte, pieces);
      case Expect::value_or_end:
        if (byte == ']') return close(false);
        begin_child();
        return read_value(byte, pieces);
      case Expect::value: return read_value(byte, pieces);
      case Expect::key_or_end:
        if (byte == '}') return close(true);
        [[fallthrough]];
      case Expect::key: return read_key();
      case Expect::colon:
        if (byte != ':') return syntax("expected ':' after a key", byte);
        advance();
        expect_ = Expect::value;
        break;
      case Expect::comma_or_end: {
        const bool is_object = frames_.back().is_object;
        if (byte == (is_object ? '}' : ']')) return close(is_object);
        if (byte != ',')
          return syntax(
              is_object ? "expected ',' or '}' in an object" : "expected ',' or ']' in a list",
              byte);
        advance();
        if (!is_object) begin_child();
        expect_ = is_object ? Expect::key : Expect::value;
        break;
      }
    }
  }
}

void Tokenizer::begin_child() {
  Frame& frame = frames_.back();
  frame.index = frame.has_child ? frame.index + 1 : 0;
  frame.has_child = true;
}

void Tokenizer::value_done() noexcept {
  expect_ = frames_.empty() ? Expect::document : Expect::comma_or_end;
  if (frames_.empty()) newline_seen_ = false;
}

Result<Token> Tokenizer::open(bool is_object) {
  if (frames_.size() == max_json_depth)
    return fail(
        error_at(place(), pointer(), ErrorCode::limit_exceeded, "the document is nested too deep")
            .with(std::to_string(frames_.size() + 1), "at most " + std::to_string(max_json_depth)));
  enter(is_object);
  token_.kind = is_object ? TokenKind::begin_object : TokenKind::begin_array;
  return token_;
}

void Tokenizer::enter(bool is_object) {
  advance();
  frames_.push_back({is_object, false, 0, keys_.size()});
  expect_ = is_object ? Expect::key_or_end : Expect::value_or_end;
}

void Tokenizer::leave() noexcept {
  advance();
  keys_.resize(frames_.back().key_begin);
  frames_.pop_back();
  value_done();
}

Result<Token> Tokenizer::close(bool is_object) {
  leave();
  token_.kind = is_object ? TokenKind::end_object : TokenKind::end_array;
  return token_;
}

Result<Token> Tokenizer::read_key() {
  SLABSCOPE_TRY_ASSIGN(byte, peek());
  if (byte != '"')
    return syntax(expect_ == Expect::key_or_end ? "expected a key in double quotes or '}'"
                                                : "expected a key in double quotes",
                  byte);
  SLABSCOPE_TRY(read_string(nullptr));
  Frame& frame = frames_.back();
  frame.has_child = true;
  keys_.resize(frame.key_begin);
  keys_ += text_;
  expect_ = Expect::colon;
  token_.kind = TokenKind::key;
  token_.text = text_;
  return token_;
}

Result<Token> Tokenizer::read_value(int first, StringSink* pieces) {
  if (first == '{') return open(true);
  if (first == '[') return open(false);
  if (first == '"') {
    token_.kind = TokenKind::string;
    SLABSCOPE_TRY(read_string(pieces));
    token_.text = text_;
  } else if (first == '-' || is_digit(first)) {
    SLABSCOPE_TRY(read_number());
    token_.text = text_;
  } else if (first == 't') {
    token_.kind = TokenKind::true_value;
    SLABSCOPE_TRY(read_word("true"));
  } else if (first == 'f') {
    token_.kind = TokenKind::false_value;
    SLABSCOPE_TRY(read_word("false"));
  } else if (first == 'n') {
    token_.kind = TokenKind::null_value;
    SLABSCOPE_TRY(read_word("null"));
  } else if (first == 0xEF) {
    return syntax("expected a value; a byte order mark is not allowed", first);
  } else {
    return syntax("expected a value", first);
  }
  value_done();
  return token_;
}

Result<void> Tokenizer::read_word(std::string_view word) {
  for (const char expected : word) {
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (byte != expected) return syntax("expected '" + std::string(word) + "'", byte);
    advance();
  }
  return {};
}

void Tokenizer::keep_number_byte(int byte) {
  if (text_.size() < kept_number_bytes) text_ += static_cast<char>(byte);
}

// One or more digits. The integer's magnitude is kept in the token.
Result<void> Tokenizer::read_digits() {
  SLABSCOPE_TRY_ASSIGN(first, peek());
  if (!is_digit(first)) return syntax("expected a digit", first);
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (!is_digit(byte)) return {};
    keep_number_byte(byte);
    if (!token_.beyond_64_bits) {
      token_.value = token_.value * 10 + (byte - '0');
      token_.beyond_64_bits = token_.value > int128{~std::uint64_t{0}};
    }
    advance();
  }
}

Result<void> Tokenizer::read_number() {
  text_.clear();
  SLABSCOPE_TRY_ASSIGN(first, peek());
  const bool negative = first == '-';
  if (negative) {
    keep_number_byte(first);
    advance();
  }
  SLABSCOPE_TRY_ASSIGN(leading, peek());
  if (leading == '0') {
    keep_number_byte(leading);
    advance();
    SLABSCOPE_TRY_ASSIGN(after, peek());
    if (is_digit(after)) return syntax("a number must not begin with 0", after);
  } else {
    SLABSCOPE_TRY(read_digits());
  }
  token_.kind = TokenKind::integer;
  if (negative) token_.value = -token_.value;

  SLABSCOPE_TRY_ASSIGN(point, peek());
  if (point == '.') {
    token_.kind = TokenKind::real;
    keep_number_byte(point);
    advance();
    SLABSCOPE_TRY(read_digits());
  }
  SLABSCOPE_TRY_ASSIGN(exponent, peek());
  if (exponent == 'e' || exponent == 'E') {
    token_.kind = TokenKind::real;
    keep_number_byte(exponent);
    advance();
    SLABSCOPE_TRY_ASSIGN(sign, peek());
    if (sign == '+' || sign == '-') {
      keep_number_byte(sign);
      advance();
    }
    SLABSCOPE_TRY(read_digits());
  }
  return {};
}

Result<void> Tokenizer::read_string(StringSink* pieces) {
  text_.clear();
  advance();  // the opening quote
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (byte < 0) return syntax("the text ends inside a string", byte);
    if (pieces != nullptr && text_.size() >= piece_bytes) {
      pieces->take(text_);
      text_.clear();
    }
    if (text_.size() > max_string_bytes)
      return fail(
          error_at(token_.place, pointer(), ErrorCode::limit_exceeded, "a string is too long")
              .with("more than " + std::to_string(max_string_bytes) + " bytes", {}));
    if (byte == '"') {
      advance();
      if (pieces != nullptr) {
        pieces->take(text_);
        text_.clear();
      }
      return {};
    }
    if (byte == '\\') {
      advance();
      SLABSCOPE_TRY(read_escape());
    } else if (byte < 0x20) {
      return syntax("a control byte in a string must be escaped", byte);
    } else if (byte >= 0x80) {
      SLABSCOPE_TRY(read_utf8(static_cast<unsigned>(byte)));
    } else {
      const char* const from = here_;
      const char* const to =
          end_ - from > static_cast<std::ptrdiff_t>(piece_bytes) ? from + piece_bytes : end_;
      while (here_ != to && is_plain(*here_)) advance();
      text_.append(from, here_);
    }
  }
}

Result<void> Tokenizer::read_escape() {
  token_.plain = false;
  SLABSCOPE_TRY_ASSIGN(byte, peek());
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (byte == 'u') {
    advance();
    SLABSCOPE_TRY_ASSIGN(high, read_hex4());
    if (high < 0xD800 || high > 0xDFFF) {
      append_code_point(high);
      return {};
    }
    if (high > 0xDBFF) return syntax("a low surrogate without a high one before it", byte);
    for (const char expected : {'\\', 'u'}) {
      SLABSCOPE_TRY_ASSIGN(found, peek());
      if (found != expected) return syntax("a high surrogate must be followed by a low one", found);
      advance();
    }
    SLABSCOPE_TRY_ASSIGN(low, read_hex4());
    if (low < 0xDC00 || low > 0xDFFF)
      return syntax("a high surrogate must be followed by a low one", byte);
    append_code_point(0x10000 + ((high - 0xD800) << 10U) + (low - 0xDC00));
    return {};
  }
  const auto known = byte < 0 ? std::string_view::npos : letters.find(static_cast<char>(byte));
  if (known == std::string_view::npos) return syntax("unknown escape in a string", byte);
  text_ += meanings[known];
  advance();
  return {};
}

Result<unsigned> Tokenizer::read_hex4() {
  unsigned value = 0;
  for (int count = 0; count < 4; ++count) {
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    unsigned digit = 0;
    if (is_digit(byte))
      digit = static_cast<unsigned>(byte - '0');
    else if (byte >= 'a' && byte <= 'f')
      digit = static_cast<unsigned>(byte - 'a') + 10;
    else if (byte >= 'A' && byte <= 'F')
      digit = static_cast<unsigned>(byte - 'A') + 10;
    else
      return syntax("expected four hex digits after \\u", byte);
    value = value << 4U | digit;
    advance();
  }
  return value;
}

// A sequence of two to four bytes: no overlong form, no surrogate, nothing past U+10FFFF (RFC
// 3629).
Result<void> Tokenizer::read_utf8(unsigned lead) {
  const unsigned extra = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4) return syntax("not valid UTF-8", static_cast<int>(lead));
  unsigned lowest = 0x80;
  unsigned highest = 0xBF;
  if (lead == 0xE0) lowest = 0xA0;
  if (lead == 0xED) highest = 0x9F;
  if (lead == 0xF0) lowest = 0x90;
  if (lead == 0xF4) highest = 0x8F;
  text_ += static_cast<char>(lead);
  advance();
  for (unsigned count = 0; count < extra; ++count) {
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (byte < static_cast<int>(lowest) || byte > static_cast<int>(highest))
      return syntax("not valid UTF-8", byte);
    text_ += static_cast<char>(byte);
    advance();
    lowest = 0x80;
    highest = 0xBF;
  }
  return {};
}

void Tokenizer::append_code_point(std::uint32_t code_point) {
  const auto tail = [&](unsigned shift) {
    text_ += static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) {
    text_ += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text_ += static_cast<char>(0xC0U | code_point >> 6U);
    tail(0);
  } else if (code_point < 0x10000) {
    text_ += static_cast<char>(0xE0U | code_point >> 12U);
    tail(6);
    tail(0);
  } else {
    text_ += static_cast<char>(0xF0U | code_point >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

Result<void> Tokenizer::skip_rest(const Token& first) {
  if (first.kind != TokenKind::begin_object && first.kind != TokenKind::begin_array) return {};
  struct Discard final : StringSink {
    void take(std::string_view) override {}
  } discard;
  const std::size_t outside = frames_.size() - 1;
  while (frames_.size() > outside) SLABSCOPE_TRY(next(discard));
  return {};
}

Result<TextPlace> Tokenizer::capture_value(std::string& text, std::size_t most,
                                           std::string_view advice) {
  struct Discard final : StringSink {
    void take(std::string_view) override {}
  } discard;
  if (expect_ == Expect::colon) {
    SLABSCOPE_TRY(skip_blanks());
    SLABSCOPE_TRY_ASSIGN(byte, peek());
    if (byte != ':') return syntax("expected ':' after a key", byte);
    advance();
    expect_ = Expect::value;
  }
  SLABSCOPE_TRY(skip_blanks());
  SLABSCOPE_TRY(peek());
  const TextPlace begin = place();
  capture_ = &text;
  capture_from_ = here_;
  capture_most_ = most;
  capture_advice_ = advice;
  capture_place_ = begin;
  capture_pointer_ = pointer();
  SLABSCOPE_TRY_ASSIGN(first, next(discard));
  const Token value = first;
  SLABSCOPE_TRY(skip_rest(value));
  SLABSCOPE_TRY(capture_chunk());
  capture_ = nullptr;
  return begin;
}

std::string Tokenizer::pointer() const {
  std::string joined = pointer_prefix_;
  for (std::size_t depth = 0; depth < frames_.size(); ++depth) {
    const Frame& frame = frames_[depth];
    if (!frame.has_child) break;
    joined += '/';
    if (!frame.is_object) {
      joined += std::to_string(frame.index);
      continue;
    }
    const std::size_t key_end =
        depth + 1 < frames_.size() ? frames_[depth + 1].key_begin : keys_.size();
    for (const char character :
         std::string_view(keys_).substr(frame.key_begin, key_end - frame.key_begin)) {
      if (character == '~')
        joined += "~0";
      else if (character == '/')
        joined += "~1";
      else
        joined += character;
    }
  }
  return joined;
}

}  // namespace slabscope
