// What of a document is written as nearly all are, taken without looking at it byte by byte. Either
// all of it is taken, and the tokenizer stands where next() would have left it, or nothing.
#include <slabscope/base/element_type.h>
#include <slabscope/text/plain_integer.h>
#include <slabscope/text/tokenizer.h>

#include <cstring>

namespace slabscope {

// Where a key or a value begins that comes next, past the comma or colon that has to stand before
// it, when at least `bytes` bytes of it are buffered; null where that is not plain.
const char* Tokenizer::plain_start(bool is_key, std::size_t bytes) const noexcept {
  constexpr std::size_t before = 2;  // a comma or colon, and a space
  if (static_cast<std::size_t>(end_ - here_) < before + bytes) return nullptr;
  const char* at = here_;
  const bool is_inside = expect_ == Expect::comma_or_end || expect_ == Expect::key_or_end ||
                         expect_ == Expect::value_or_end;
  if (is_inside ? frames_.back().is_object != is_key : expect_ != Expect::colon || is_key)
    return nullptr;
  if (expect_ == Expect::comma_or_end && *at++ != ',') return nullptr;
  if (expect_ == Expect::colon && *at++ != ':') return nullptr;
  return at + (*at == ' ' ? 1 : 0);
}

bool Tokenizer::take_key(std::string_view expected) {
  const char* const at = plain_start(true, expected.size() + 2);
  if (at == nullptr || at[0] != '"' || at[expected.size() + 1] != '"' ||
      std::memcmp(at + 1, expected.data(), expected.size()) != 0)
    return false;
  here_ = at + expected.size() + 2;
  Frame& frame = frames_.back();
  frame.has_child = true;
  keys_.resize(frame.key_begin);
  keys_ += expected;
  expect_ = Expect::colon;
  return true;
}

std::optional<std::uint64_t> Tokenizer::take_integer(std::uint64_t most) noexcept {
  const char* const at = plain_start(false, 1);
  if (at == nullptr) return std::nullopt;
  const PlainInteger integer = plain_integer(at, end_, most);
  if (integer.digits == 0) return std::nullopt;
  here_ = at + integer.digits;
  if (!frames_.back().is_object) begin_child();
  value_done();
  return integer.value;
}

std::size_t Tokenizer::take_integers(ElementType type, std::byte* to, std::size_t room) noexcept {
  const char* const at = plain_start(false, 1);
  if (at == nullptr || expect_ == Expect::colon) return 0;
  const std::size_t count = visit_type(type, [&](auto zero) {
    PlainIntegers integers(reinterpret_cast<decltype(zero)*>(to), room);
    const char* const end = integers.read(at, end_);
    const std::size_t taken = room - integers.left();
    if (taken != 0) here_ = end;
    return taken;
  });
  if (count == 0) return 0;
  begin_child();
  frames_.back().index += count - 1;
  value_done();
  return count;
}

std::optional<TextPlace> Tokenizer::take_begin(TokenKind container) {
  const bool is_object = container == TokenKind::begin_object;
  const char* const at = plain_start(false, 1);
  if (at == nullptr || *at != (is_object ? '{' : '[') || frames_.size() == max_json_depth)
    return std::nullopt;
  here_ = at;
  const TextPlace begin = place();
  if (!frames_.back().is_object) begin_child();
  enter(is_object);
  return begin;
}

bool Tokenizer::take_end() noexcept {
  const bool may_end = expect_ == Expect::comma_or_end || expect_ == Expect::value_or_end ||
                       expect_ == Expect::key_or_end;
  if (!may_end || here_ == end_ || *here_ != (frames_.back().is_object ? '}' : ']')) return false;
  leave();
  return true;
}

}  // namespace slabscope
