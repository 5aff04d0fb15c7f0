#include <slabscope/text/object_reader.h>

#include <slabscope/text/integer_token.h>

#include <algorithm>

namespace slabscope {

Result<std::size_t> ObjectReader::LimitedSource::read(std::span<std::byte> into) {
  SLABSCOPE_TRY_ASSIGN(count, source_.read(into));
  bytes_ += count;
  if (bytes_ <= most_) return count;
  return fail(error(ErrorCode::limit_exceeded, what_ + " is too long")
                  .with({}, "at most " + std::to_string(most_) + " bytes"));
}

Result<void> ObjectReader::any_members(const ReadMember& read_member) {
  std::vector<std::string> seen;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    if (token.kind == TokenKind::end_object) return {};
    const std::string key(token.text);
    const TextPlace place = token.place;
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      return fail(here(place, ErrorCode::duplicate_key,
                       "the key '" + printable(key) + "' stands here twice"));
    seen.push_back(key);
    SLABSCOPE_TRY(read_member(key, place));
  }
}

Result<void> ObjectReader::members(TextPlace begin, const std::vector<Member>& known) {
  const std::string object = tokenizer_.pointer();
  std::vector<bool> seen(known.size());
  const ReadMember read_known = [&](const std::string& key, TextPlace place) -> Result<void> {
    for (std::size_t index = 0; index < known.size(); ++index) {
      if (known[index].key != key) continue;
      seen[index] = true;
      return known[index].read();
    }
    std::string keys;
    for (const Member& each : known) keys.append(keys.empty() ? "" : ", ").append(each.key);
    return fail(here(place, ErrorCode::unknown_key, "unknown key '" + printable(key, 80) + "'")
                    .with({}, keys));
  };
  SLABSCOPE_TRY(any_members(read_known));
  for (std::size_t index = 0; index < known.size(); ++index)
    if (known[index].required && !seen[index])
      return fail(
          tokenizer_.error_at(begin, object, ErrorCode::missing_key,
                              "the key '" + std::string(known[index].key) + "' is missing"));
  return {};
}

Result<void> ObjectReader::elements(std::size_t most, const ReadElement& read_element) {
  for (std::size_t count = 0;; ++count) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    if (token.kind == TokenKind::end_array) return {};
    if (count == most)
      return fail(here(token.place, ErrorCode::limit_exceeded, "the list is too long")
                      .with({}, "at most " + std::to_string(most) + " entries"));
    SLABSCOPE_TRY(read_element(token));
  }
}

Result<TextPlace> ObjectReader::begin_object(std::string_view what) {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  SLABSCOPE_TRY(require(first, TokenKind::begin_object, what));
  return first.place;
}

Result<TextPlace> ObjectReader::begin_array(std::string_view what) {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  SLABSCOPE_TRY(require(first, TokenKind::begin_array, what));
  return first.place;
}

Result<TextPlace> ObjectReader::text(std::string& into) {
  SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
  const TextPlace place = token.place;
  SLABSCOPE_TRY(require(token, TokenKind::string, "a text"));
  into = token.text;
  if (into.size() > max_text_bytes)
    return fail(here(place, ErrorCode::limit_exceeded, "the text is too long")
                    .with(std::to_string(into.size()) + " bytes",
                          "at most " + std::to_string(max_text_bytes)));
  // These texts stand in tables and in one-line errors.
  const auto is_control = [](char each) {
    return static_cast<unsigned char>(each) < 0x20 || each == 0x7f;
  };
  if (std::any_of(into.begin(), into.end(), is_control))
    return fail(here(place, ErrorCode::bad_layout, "a text has no control characters"));
  return place;
}

Result<std::uint64_t> ObjectReader::count(std::string_view what) {
  SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
  const IntegerToken integer = as_integer(token);
  if (!integer.is_integer)
    return fail(here(token.place, ErrorCode::wrong_type, std::string(what) + " is an integer")
                    .with(shown(token), "an integer"));
  if (integer.beyond_64_bits || integer.value < 0)
    return fail(here(token.place, ErrorCode::out_of_range,
                     std::string(what) + " is an unsigned 64-bit integer")
                    .with(shown(token), "0..18446744073709551615"));
  return static_cast<std::uint64_t>(integer.value);
}

Result<void> ObjectReader::end() {
  SLABSCOPE_TRY(tokenizer_.next());
  return {};
}

Result<void> ObjectReader::require(const Token& token, TokenKind kind,
                                   std::string_view what) const {
  if (token.kind == kind) return {};
  std::string_view wanted = describe(kind);
  if (kind == TokenKind::string && what.starts_with("an integer"))
    wanted = "an integer or a string";
  return fail(here(token.place, ErrorCode::wrong_type, "expected " + std::string(what))
                  .with(std::string(describe(token.kind)), std::string(wanted)));
}

}  // namespace slabscope
