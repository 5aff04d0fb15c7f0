#include "peek.h"

#include <algorithm>
#include <string_view>

namespace slabscope::app {
namespace {

// A source whose first bytes have been looked at.
class PeekedSource final : public Source {
 public:
  PeekedSource(std::unique_ptr<Source> source, Buffer first)
      : source_(std::move(source)), first_(std::move(first)) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    if (at_ == first_.size()) return source_->read(into);
    const std::size_t count = std::min(into.size(), first_.size() - at_);
    const auto bytes = std::as_const(first_).bytes().subspan(at_, count);
    std::copy(bytes.begin(), bytes.end(), into.begin());
    at_ += count;
    return count;
  }
  Result<std::uint64_t> skip(std::uint64_t bytes) override {
    const std::uint64_t held = std::min<std::uint64_t>(bytes, first_.size() - at_);
    at_ += held;
    SLABSCOPE_TRY_ASSIGN(rest, source_->skip(bytes - held));
    return held + rest;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    const auto rest = source_->remaining();
    return rest ? std::optional(*rest + (first_.size() - at_)) : std::nullopt;
  }

 private:
  std::unique_ptr<Source> source_;
  Buffer first_;
  std::size_t at_ = 0;
};

// Looks for a document's first two characters that are no blanks: '{' and a key or its end, or '['
// and a document or its end. A dump may begin with the byte of a bracket, or of both.
class DocumentSniffer {
 public:
  // Nothing: more bytes are needed.
  std::optional<bool> take(char each) {
    if (each == ' ' || each == '\t' || each == '\n' || each == '\r') return std::nullopt;
    if (first_ == 0) {
      first_ = each;
      return each == '{' || each == '[' ? std::nullopt : std::optional(false);
    }
    return first_ == '{' ? each == '"' || each == '}' : each == '{' || each == ']';
  }

 private:
  char first_ = 0;
};

// A text in another coding, or behind a mark of its coding, is no slab.
bool begins_with_mark(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (const std::string_view mark : {"\xEF\xBB\xBF"sv, "\xFF\xFE"sv, "\xFE\xFF\0"sv})
    if (bytes.starts_with(mark) && bytes.size() > mark.size() &&
        (bytes[mark.size()] == '{' || bytes[mark.size()] == '['))
      return true;
  return false;
}

// A slab has bytes that no text has; one that is filled with a letter has no brace.
bool is_ascii_with_brace(std::string_view bytes) {
  const auto is_text = [](char each) {
    return (each >= ' ' && each <= '~') || each == '\t' || each == '\n' || each == '\r';
  };
  return std::all_of(bytes.begin(), bytes.end(), is_text) &&
         bytes.find('{') != std::string_view::npos;
}

// A number may be the bytes of a document's beginning, but a slab goes on with zeros.
bool is_document(bool begins_as_one, std::string_view bytes) {
  return (begins_as_one && bytes.find('\0') == std::string_view::npos) || begins_with_mark(bytes) ||
         is_ascii_with_brace(bytes);
}

}  // namespace

Result<Peeked> peek(std::unique_ptr<Source> source) {
  constexpr std::size_t step = 4096;
  constexpr std::size_t most = std::size_t{1} << 20;  // of blanks
  Buffer first;
  DocumentSniffer sniffer;
  std::optional<bool> begins_as_document;
  while (!begins_as_document && first.size() < most) {
    const std::size_t before = first.size();
    std::byte* const room = first.extend(step);
    SLABSCOPE_TRY_ASSIGN(count, source->read(std::span(room, step)));
    first.resize_uninitialised(before + count);
    if (count == 0) break;
    for (std::size_t at = before; at < first.size() && !begins_as_document; ++at)
      begins_as_document = sniffer.take(static_cast<char>(std::as_const(first).bytes()[at]));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(std::as_const(first).data()),
                               first.size());
  const bool found = is_document(begins_as_document.value_or(false), bytes);
  return Peeked{std::make_unique<PeekedSource>(std::move(source), std::move(first)), found};
}

}  // namespace slabscope::app
