// Output that is held in memory until it is its turn to be written, as far as that is not too much.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/base/stream.h>

namespace slabscope::app {

class HeldOutput final : public Sink {
 public:
  static constexpr std::size_t most_bytes = std::size_t{1} << 24;

  explicit HeldOutput(Buffer& into) : into_(into) { into.clear(); }

  // Error limit_exceeded: more than `most_bytes` in all.
  Result<void> write(std::span<const std::byte> bytes) override {
    if (!contains(most_bytes, into_.size(), bytes.size()))
      return fail(ErrorCode::limit_exceeded, "more bytes than are to be held in memory");
    into_.append(bytes);
    return {};
  }

 private:
  Buffer& into_;
};

}  // namespace slabscope::app
