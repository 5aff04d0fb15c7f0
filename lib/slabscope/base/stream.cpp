#include <slabscope/base/stream.h>

#include <array>

namespace slabscope {

Result<std::uint64_t> Source::skip(std::uint64_t bytes) {
  std::array<std::byte, 16384> scratch;
  std::uint64_t skipped = 0;
  while (skipped < bytes) {
    const auto wanted = std::min<std::uint64_t>(scratch.size(), bytes - skipped);
    SLABSCOPE_TRY_ASSIGN(count, read(std::span(scratch).first(wanted)));
    if (count == 0) break;
    skipped += count;
  }
  return skipped;
}

Result<std::size_t> read_fully(Source& source, std::span<std::byte> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    SLABSCOPE_TRY_ASSIGN(count, source.read(into.subspan(filled)));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

Result<std::size_t> MemorySource::read(std::span<std::byte> into) {
  const std::size_t count = std::min(into.size(), bytes_.size());
  if (count != 0) std::memcpy(into.data(), bytes_.data(), count);
  bytes_ = bytes_.subspan(count);
  return count;
}

Result<std::uint64_t> MemorySource::skip(std::uint64_t bytes) {
  const auto count = std::min<std::uint64_t>(bytes, bytes_.size());
  bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
  return count;
}

Result<std::size_t> PeekedSource::read(std::span<std::byte> into) {
  if (at_ == first_.size()) return source_->read(into);
  const std::size_t count = std::min(into.size(), first_.size() - at_);
  if (count != 0) std::memcpy(into.data(), first_.data() + at_, count);
  at_ += count;
  return count;
}

Result<std::uint64_t> PeekedSource::skip(std::uint64_t bytes) {
  const std::uint64_t held = std::min<std::uint64_t>(bytes, first_.size() - at_);
  at_ += held;
  SLABSCOPE_TRY_ASSIGN(rest, source_->skip(bytes - held));
  return held + rest;
}

std::optional<std::uint64_t> PeekedSource::remaining() const {
  const auto rest = source_->remaining();
  return rest ? std::optional(*rest + (first_.size() - at_)) : std::nullopt;
}

}  // namespace slabscope
