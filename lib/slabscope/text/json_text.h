// JSON as text, out: strings, and a buffer in front of a sink.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/base/stream.h>

#include <string>
#include <string_view>

namespace slabscope {

// `text` in double quotes. What is not valid UTF-8 becomes U+FFFD, so that the result is JSON
// whatever comes in.
std::string json_string(std::string_view text);

// Collects text and hands it on in large pieces. A failed write is kept and told by finish().
class TextWriter {
 public:
  explicit TextWriter(Sink& sink) : sink_(sink) {}

  void put(std::string_view text) {
    text_ += text;
    if (text_.size() >= flush_bytes) flush();
  }
  void put(int128 value);
  // Bytes as lower-case hex digits.
  void put_hex(std::span<const std::byte> bytes);
  [[nodiscard]] bool failed() const noexcept { return !outcome_; }
  [[nodiscard]] Result<void> finish() {
    flush();
    return outcome_;
  }

 private:
  static constexpr std::size_t flush_bytes = std::size_t{1} << 16;
  void flush();

  Sink& sink_;
  std::string text_;
  Result<void> outcome_;
};

}  // namespace slabscope
