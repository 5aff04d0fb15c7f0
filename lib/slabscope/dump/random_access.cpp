#include <slabscope/dump/random_access.h>

#include <algorithm>
#include <utility>

namespace slabscope {

Result<void> read_exactly_at(RandomAccess& from, std::uint64_t offset, std::span<std::byte> into,
                             std::string_view what) {
  const std::uint64_t wanted = into.size();
  std::uint64_t done = 0;
  while (!into.empty()) {
    SLABSCOPE_TRY_ASSIGN(count, from.read_at(offset + done, into));
    if (count == 0)
      return fail(error(ErrorCode::bad_container, "the file ends inside " + std::string(what))
                      .with(std::to_string(done) + " B", std::to_string(wanted) + " B")
                      .at_offset(offset));
    done += count;
    into = into.subspan(count);
  }
  return {};
}

Result<std::size_t> MemoryAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset >= bytes_.size()) return 0;
  const auto from = bytes_.subspan(offset);
  const std::size_t count = std::min(from.size(), into.size());
  std::copy_n(from.begin(), count, into.begin());
  return count;
}

SliceAccess::SliceAccess(std::shared_ptr<RandomAccess> from, std::uint64_t offset,
                         std::uint64_t bytes)
    : from_(std::move(from)), offset_(offset), bytes_(std::min(bytes, ~offset)) {
  if (const auto size = from_->known_size())
    bytes_ = offset < *size ? std::min(bytes, *size - offset) : 0;
}

Result<std::size_t> SliceAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset >= bytes_) return 0;
  const auto most = std::min<std::uint64_t>(bytes_ - offset, into.size());
  SLABSCOPE_TRY_ASSIGN(count, from_->read_at(offset_ + offset, into.first(most)));
  if (count != 0 || most == 0) return count;
  // No place in the file: these bytes come out of a compressed one.
  const std::uint64_t end = from_->size();
  return fail(error(ErrorCode::bad_container, "the bytes end before the region does")
                  .with(std::to_string(end - std::min(end, offset_)) + " B",
                        std::to_string(bytes_) + " B"));
}

WindowSource::WindowSource(std::shared_ptr<RandomAccess> from, std::uint64_t offset,
                           std::uint64_t length)
    : from_(std::move(from)), at_(offset), left_(std::min(length, ~offset)) {}

std::uint64_t WindowSource::left(std::uint64_t size) const noexcept {
  return at_ < size ? std::min(left_, size - at_) : 0;
}

Result<std::size_t> WindowSource::read(std::span<std::byte> into) {
  const std::size_t most = std::min<std::uint64_t>(into.size(), left_);
  SLABSCOPE_TRY_ASSIGN(count, from_->read_at(at_, into.first(most)));
  at_ += count;
  left_ -= count;
  return count;
}

Result<std::uint64_t> WindowSource::skip(std::uint64_t bytes) {
  const std::uint64_t most = std::min(bytes, left_);
  std::uint64_t count = most;
  if (!from_->known_size() && most != 0) {
    // The last byte tells whether all of them are there, and none is read twice.
    std::byte last{};
    SLABSCOPE_TRY_ASSIGN(there, from_->read_at(at_ + most - 1, std::span(&last, 1)));
    if (there == 0) count = std::min(most, left(from_->size()));
  } else if (const auto size = from_->known_size()) {
    count = std::min(most, left(*size));
  }
  at_ += count;
  left_ -= count;
  return count;
}

std::optional<std::uint64_t> WindowSource::remaining() const {
  const auto size = from_->known_size();
  if (size) return left(*size);
  return left_ == 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
}

}  // namespace slabscope
