// JSON as text, out: strings, and a buffer in front of a sink.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/base/element_type.h>
#include <slabscope/base/stream.h>

#include <cstring>
#include <string>
#include <string_view>

namespace slabscope {

// Bytes of the valid UTF-8 sequence (RFC 3629) that `text`, which is not empty, begins with; 0 when
// it begins with none.
[[nodiscard]] std::size_t utf8_sequence(std::string_view text) noexcept;

// `text` in double quotes. What is not valid UTF-8 becomes U+FFFD, so that the result is JSON
// whatever comes in.
std::string json_string(std::string_view text);

// Collects text and hands it on in large pieces. A failed write is kept and told by finish().
class TextWriter {
 public:
  explicit TextWriter(Sink& sink) : sink_(sink), buffer_(buffer_bytes) {}

  void put(std::string_view text) {
    // An empty text, which may lie nowhere, is the longest here.
    if (text.size() - 1 >= room()) return put_long(text);
    std::memcpy(end(), text.data(), text.size());
    used_ += text.size();
  }
  void put(int128 value);
  // The elements that stand in `bytes`, little-endian; the separator is one or two bytes.
  void put_numbers(ElementType type, std::span<const std::byte> bytes, std::string_view separator);
  // Bytes as lower-case hex digits.
  void put_hex(std::span<const std::byte> bytes);
  [[nodiscard]] bool failed() const noexcept { return !outcome_; }
  // May some of the text have been handed on? The same for the same text, whatever pieces it came
  // in.
  [[nodiscard]] bool may_be_out() const noexcept {
    return handed_on_ + used_ > buffer_bytes - most_unused_bytes;
  }
  [[nodiscard]] Result<void> finish() {
    flush();
    return outcome_;
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
  static constexpr std::size_t most_unused_bytes = 64;  // of a buffer that is handed on

  [[nodiscard]] std::size_t room() const noexcept { return buffer_bytes - used_; }
  [[nodiscard]] char* end() noexcept { return reinterpret_cast<char*>(buffer_.data()) + used_; }
  void end_at(const char* end) noexcept {
    used_ = static_cast<std::size_t>(end - reinterpret_cast<const char*>(buffer_.data()));
  }
  void put_long(std::string_view text);
  void flush();

  Sink& sink_;
  Buffer buffer_;
  std::size_t used_ = 0;
  std::uint64_t handed_on_ = 0;  // bytes, or lost to an error of the sink
  Result<void> outcome_;
};

}  // namespace slabscope
