// Reads the objects and lists of a JSON document strictly, on the tokenizer: keys that are known,
// each at most once, all required ones there, lists no longer than they may be. What stands in them
// is read by the functions that the caller gives.
#pragma once

#include <slabscope/text/tokenizer.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

class ObjectReader {
 public:
  // At most so many bytes of `source` are read, more is refused: `what` is too long
  // (limit_exceeded). `file` is shown in errors.
  ObjectReader(Source& source, std::string file, std::string what, std::size_t max_bytes)
      : limited_(source, std::move(what), max_bytes), tokenizer_(limited_, std::move(file)) {}

  [[nodiscard]] Tokenizer& tokenizer() noexcept { return tokenizer_; }

  struct Member {
    std::string_view key;
    bool required;
    std::function<Result<void>()> read;
  };
  using ReadMember = std::function<Result<void>(const std::string& key, TextPlace place)>;
  using ReadElement = std::function<Result<void>(const Token&)>;

  // An object after its begin token. Errors: duplicate_key, and those of the function.
  [[nodiscard]] Result<void> any_members(const ReadMember& read_member);
  // As any_members(), with the keys that are known. `begin`: the object's place. Errors:
  // unknown_key, missing_key.
  [[nodiscard]] Result<void> members(TextPlace begin, const std::vector<Member>& known);
  // A list after its begin token. Errors: limit_exceeded, and those of the function.
  [[nodiscard]] Result<void> elements(std::size_t most, const ReadElement& read_element);

  // The next value: the begin of an object or a list, or a text on one line. Errors: wrong_type,
  // limit_exceeded, bad_layout (control characters).
  [[nodiscard]] Result<TextPlace> begin_object(std::string_view what);
  [[nodiscard]] Result<TextPlace> begin_array(std::string_view what);
  [[nodiscard]] Result<TextPlace> text(std::string& into);
  // An unsigned integer of 64 bits; `what` it is, for errors: wrong_type, out_of_range.
  [[nodiscard]] Result<std::uint64_t> count(std::string_view what);
  // The end of the document, or an error.
  [[nodiscard]] Result<void> end();

  // Is `token` of this kind? Error wrong_type: expected `what`.
  [[nodiscard]] Result<void> require(const Token& token, TokenKind kind,
                                     std::string_view what) const;
  // An error at `place`, with the pointer of the latest value.
  [[nodiscard]] Error here(TextPlace place, ErrorCode code, std::string message) const {
    return tokenizer_.error_at(place, tokenizer_.pointer(), code, std::move(message));
  }

 private:
  // Ends the reading of a file that no person would write, whatever its parts are.
  class LimitedSource final : public Source {
   public:
    LimitedSource(Source& source, std::string what, std::size_t most)
        : source_(source), what_(std::move(what)), most_(most) {}
    Result<std::size_t> read(std::span<std::byte> into) override;

   private:
    Source& source_;
    std::string what_;
    std::size_t most_;
    std::size_t bytes_ = 0;
  };

  LimitedSource limited_;
  Tokenizer tokenizer_;
};

// Names, docs and subjects.
inline constexpr std::size_t max_text_bytes = 4096;

}  // namespace slabscope
