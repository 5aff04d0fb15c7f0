#include "peek.h"

#include <slabscope/dump/container.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace slabscope::app {
namespace {

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

// A slab has bytes that no text has; one that is filled with a letter has no brace. Texts of dumps
// have braces among the characters beside the bytes.
bool is_other_text_with_brace(std::string_view text, std::span<const std::byte> first) {
  const auto is_text = [](char each) {
    return (each >= ' ' && each <= '~') || each == '\t' || each == '\n' || each == '\r';
  };
  if (!std::all_of(text.begin(), text.end(), is_text) || text.find('{') == std::string_view::npos)
    return false;
  const ContainerKind& kind =
      recognise(first.first(std::min(first.size(), container_magic_bytes)), unknown_bytes);
  // A text's ninth character may be a brace, but no safetensors file begins with eight letters.
  return kind.name == "text" || kind.name == "safetensors" || kind.name == "raw";
}

// A number may be the bytes of a document's beginning, but a slab goes on with zeros.
bool is_document(bool begins_as_one, std::span<const std::byte> first) {
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  return (begins_as_one && text.find('\0') == std::string_view::npos) || begins_with_mark(text) ||
         is_other_text_with_brace(text, first);
}

// Is what `read` gives a document? It is asked for more until that is known.
template <class Read>
Result<bool> sniff(Buffer& first, Read read) {
  constexpr std::size_t step = 4096;
  constexpr std::size_t most = std::size_t{1} << 20;  // of blanks
  DocumentSniffer sniffer;
  std::optional<bool> begins_as_document;
  bool has_ended = false;
  while (!begins_as_document && !has_ended && first.size() < most) {
    const std::size_t before = first.size();
    // A whole step, in however many pieces it comes: what it is must not depend on that.
    while (!has_ended && first.size() < before + step) {
      const std::size_t held = first.size();
      const std::size_t wanted = before + step - held;
      std::byte* const room = first.extend(wanted);
      SLABSCOPE_TRY_ASSIGN(count, read(held, std::span(room, wanted)));
      first.resize_uninitialised(held + count);
      has_ended = count == 0;
    }
    for (std::size_t at = before; at < first.size() && !begins_as_document; ++at)
      begins_as_document = sniffer.take(static_cast<char>(std::as_const(first).bytes()[at]));
  }
  return is_document(begins_as_document.value_or(false), std::as_const(first).bytes());
}

}  // namespace

Result<bool> holds_documents(DumpFile& file) {
  Buffer first;
  if (file.access != nullptr)
    return sniff(first, [&](std::uint64_t at, std::span<std::byte> into) {
      return file.access->read_at(at, into);
    });
  SLABSCOPE_TRY_ASSIGN(is_document, sniff(first, [&](std::uint64_t, std::span<std::byte> into) {
                         return file.stream->read(into);
                       }));
  file.stream = std::make_unique<PeekedSource>(std::move(file.stream), std::move(first));
  return is_document;
}

}  // namespace slabscope::app
