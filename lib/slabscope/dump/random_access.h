// Bytes that can be read at any place: a file, memory, or what a compressed file holds.
#pragma once

#include <slabscope/base/error.h>
#include <slabscope/base/stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace slabscope {

// Of bytes whose checksum is wrong, so many at their end are not given; that it is right is looked
// at whenever reading comes as near to the end. Which bytes are wrong, nobody knows.
inline constexpr std::uint64_t near_checksum_bytes = std::uint64_t{1} << 16;

class RandomAccess {
 public:
  RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;
  virtual ~RandomAccess() = default;

  // Bytes. Of what comes out of a compressed file all is read to know it; a file that turns out to
  // be damaged ends there, and reading at that place says how.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // The same, where it is known without that.
  [[nodiscard]] virtual std::optional<std::uint64_t> known_size() const { return size(); }

  // Does reading further back cost all that is before it, as of compressed bytes?
  [[nodiscard]] virtual bool goes_forward() const noexcept { return false; }

  // Is it known that the bytes are others than were written, so that none is given any more?
  [[nodiscard]] virtual bool is_checksum_wrong() const noexcept { return false; }

  // Reads between 1 and into.size() bytes from `offset` on; 0 only at and past the end (or when
  // `into` is empty). Error: read_failed, and what makes compressed bytes unreadable.
  [[nodiscard]] virtual Result<std::size_t> read_at(std::uint64_t offset,
                                                    std::span<std::byte> into) = 0;
};

// Fills `into`. Errors: those of read_at(); bad_container at the end of the bytes, where `what`
// says what was to be read ("the section table").
[[nodiscard]] Result<void> read_exactly_at(RandomAccess& from, std::uint64_t offset,
                                           std::span<std::byte> into, std::string_view what);

// A caller's bytes. They must outlive it.
class MemoryAccess final : public RandomAccess {
 public:
  explicit MemoryAccess(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  std::span<const std::byte> bytes_;
};

// Bytes of its own: those of a pipe.
class HeldAccess final : public RandomAccess {
 public:
  explicit HeldAccess(Buffer bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    return MemoryAccess(std::as_const(bytes_).bytes()).read_at(offset, into);
  }

 private:
  Buffer bytes_;
};

// `bytes` bytes of `from` from `offset` on, as a whole of their own; fewer where `from` ends. Where
// its size is not known the bytes are believed, and reading at its end is bad_container.
class SliceAccess final : public RandomAccess {
 public:
  SliceAccess(std::shared_ptr<RandomAccess> from, std::uint64_t offset, std::uint64_t bytes);
  std::uint64_t size() const override { return bytes_; }
  bool goes_forward() const noexcept override { return from_->goes_forward(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  std::shared_ptr<RandomAccess> from_;
  std::uint64_t offset_;
  std::uint64_t bytes_ = 0;
};

// `length` bytes from `offset` on, from front to back; the bytes end early where `from` does.
class WindowSource final : public Source {
 public:
  WindowSource(std::shared_ptr<RandomAccess> from, std::uint64_t offset, std::uint64_t length);

  Result<std::size_t> read(std::span<std::byte> into) override;
  Result<std::uint64_t> skip(std::uint64_t bytes) override;
  // Nothing where the size is not known and `length` may reach past it.
  std::optional<std::uint64_t> remaining() const override;

 private:
  [[nodiscard]] std::uint64_t left(std::uint64_t size) const noexcept;

  std::shared_ptr<RandomAccess> from_;
  std::uint64_t at_;
  std::uint64_t left_;  // of the length
};

}  // namespace slabscope
