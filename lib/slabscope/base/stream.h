// Bytes in and bytes out behind two small interfaces, so that files, memory and injected faults
// look alike.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/base/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace slabscope {

// Bytes read once, from front to back.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // Reads between 1 and into.size() bytes; 0 only at the end (or when `into` is empty).
  [[nodiscard]] virtual Result<std::size_t> read(std::span<std::byte> into) = 0;

  // Passes over up to `bytes` bytes and says how many there were. Files seek, others read.
  [[nodiscard]] virtual Result<std::uint64_t> skip(std::uint64_t bytes);

  // Bytes from here to the end where that is known without reading.
  [[nodiscard]] virtual std::optional<std::uint64_t> remaining() const { return std::nullopt; }
};

// Bytes written once, from front to back.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  [[nodiscard]] virtual Result<void> write(std::span<const std::byte> bytes) = 0;
};

// Reads until `into` is full or the source ends; the bytes read.
[[nodiscard]] Result<std::size_t> read_fully(Source& source, std::span<std::byte> into);

// A caller's bytes as a source. The bytes must outlive it.
class MemorySource final : public Source {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  explicit MemorySource(std::string_view text) : bytes_(std::as_bytes(std::span(text))) {}

  Result<std::size_t> read(std::span<std::byte> into) override;
  Result<std::uint64_t> skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> remaining() const override { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

// A source whose first bytes have been read ahead, from the first of them on.
class PeekedSource final : public Source {
 public:
  PeekedSource(std::unique_ptr<Source> source, Buffer first)
      : source_(std::move(source)), first_(std::move(first)) {}

  [[nodiscard]] std::span<const std::byte> first() const noexcept { return first_.bytes(); }
  Result<std::size_t> read(std::span<std::byte> into) override;
  Result<std::uint64_t> skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> remaining() const override;

 private:
  std::unique_ptr<Source> source_;
  Buffer first_;
  std::size_t at_ = 0;
};

// Appends to a buffer, which must outlive it.
class BufferSink final : public Sink {
 public:
  explicit BufferSink(Buffer& into) : into_(into) {}
  Result<void> write(std::span<const std::byte> bytes) override {
    into_.append(bytes);
    return {};
  }

 private:
  Buffer& into_;
};

}  // namespace slabscope
