#include <slabscope/json/document_pieces.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace slabscope {
namespace {

std::string_view text_of(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

std::size_t copy_some(const Buffer& from, std::size_t at, std::span<std::byte> into) {
  const std::size_t count = std::min(into.size(), from.size() - at);
  if (count != 0) std::memcpy(into.data(), from.data() + at, count);
  return count;
}

// Behind the last newline from `from` on that a '{' follows; 0 where there is none.
std::size_t last_cut(std::string_view text, std::size_t from) {
  std::size_t cut = 0;
  for (;;) {
    const std::size_t newline = text.find('\n', from);
    if (newline == std::string_view::npos || newline + 1 == text.size()) return cut;
    from = newline + 1;
    if (text[from] == '{') cut = from;
  }
}

}  // namespace

// False at the end of the source, and when it fails.
bool DocumentPieces::fill(std::size_t bytes) {
  while (held_.size() < bytes) {
    const std::size_t before = held_.size();
    std::byte* const room = held_.extend(bytes - before);
    auto count = source_.read({room, bytes - before});
    held_.resize_uninitialised(before + count.value_or(0));
    if (!count) failed_ = std::move(count).error();
    if (!count || *count == 0) return false;
  }
  return true;
}

bool DocumentPieces::begins_with_document() const {
  const std::string_view text = text_of(held_);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

bool DocumentPieces::next(Buffer& text) {
  while (!is_over_) {
    // What is held begins with a document, and there is no cut in it.
    const std::size_t searched = std::max<std::size_t>(held_.size(), 1) - 1;
    const bool is_end = !fill(held_.size() + step_);
    is_over_ = is_end || held_.size() >= 8 * step_;
    if (failed_ || (std::exchange(is_first_, false) && !begins_with_document())) {
      is_over_ = true;
      return false;
    }
    const std::size_t cut = is_end ? held_.size() : last_cut(text_of(held_), searched);
    if (cut == 0) continue;
    is_over_ = is_end;
    text.swap(held_);
    held_.clear();
    held_.append(std::as_const(text).bytes().subspan(cut));
    text.resize_uninitialised(cut);
    return true;
  }
  return false;
}

Result<std::size_t> DocumentPieces::read_rest(std::span<std::byte> into) {
  is_over_ = true;
  const std::size_t count = copy_some(held_, rest_read_, into);
  rest_read_ += count;
  if (count != 0) return count;
  if (failed_) return fail(*failed_);
  return source_.read(into);
}

Result<std::size_t> RestOfPieces::read(std::span<std::byte> into) {
  for (; piece_ != again_.size(); ++piece_, read_ = 0) {
    const std::size_t count = copy_some(again_[piece_], read_, into);
    read_ += count;
    if (count != 0) return count;
  }
  return pieces_.read_rest(into);
}

}  // namespace slabscope
