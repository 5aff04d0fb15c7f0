// A text as a source that delivers few bytes at a time, or fails, so that tests see what readers
// make of every way that bytes may arrive.
#pragma once

#include <slabscope/base/stream.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace slabscope::tests {

// Deliver as much as is asked for.
inline constexpr std::size_t all_at_once = std::numeric_limits<std::size_t>::max();
inline constexpr std::size_t paces[] = {1, 2, 3, 7, all_at_once};

class PacedSource final : public Source {
 public:
  // At most `most` bytes a read; fails with read_failed once `fails_at` bytes were delivered.
  explicit PacedSource(std::string_view text, std::size_t most,
                       std::optional<std::size_t> fails_at = std::nullopt)
      : text_(text), most_(most), fails_at_(fails_at) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    std::size_t count = std::min({into.size(), most_, text_.size() - position_});
    if (fails_at_) {
      count = std::min(count, *fails_at_ - position_);
      if (position_ == *fails_at_) return fail(ErrorCode::read_failed, "the source fails here");
    }
    if (count != 0) std::memcpy(into.data(), text_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  std::string_view text_;
  std::size_t most_;
  std::optional<std::size_t> fails_at_;
  std::size_t position_ = 0;
};

// Keeps what is written; fails with write_failed once more than `most` bytes come.
class KeepingSink final : public Sink {
 public:
  explicit KeepingSink(std::size_t most = all_at_once) : most_(most) {}
  Result<void> write(std::span<const std::byte> bytes) override {
    ++writes;
    if (bytes.size() > most_ - text.size())
      return fail(ErrorCode::write_failed, "the sink is full");
    for (const std::byte each : bytes) text += static_cast<char>(each);
    return {};
  }

  std::string text;
  std::size_t writes = 0;

 private:
  std::size_t most_;
};

}  // namespace slabscope::tests
