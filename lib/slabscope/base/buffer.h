// A growable run of uninitialised bytes: a column while it is read, a slab before it is packed.
// Unlike std::vector it never writes zeros that are about to be overwritten, and large ones grow in
// place (realloc moves pages, it does not copy them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace slabscope {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize_uninitialised(size); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  [[nodiscard]] std::byte* data() noexcept { return data_; }
  [[nodiscard]] const std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

  void clear() noexcept { size_ = 0; }

  // New bytes hold whatever was there. Throws std::bad_alloc.
  void resize_uninitialised(std::size_t size) {
    if (size > capacity_) reallocate(size);
    size_ = size;
  }

  // Room for `count` more bytes at the end, which the caller writes. Throws std::bad_alloc.
  [[nodiscard]] std::byte* extend(std::size_t count) {
    if (count > capacity_ - size_) reallocate_for(count);
    std::byte* const room = data_ + size_;
    size_ += count;
    return room;
  }

  void append(std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(extend(bytes.size()), bytes.data(), bytes.size());
  }

  // Gives up the first `count` bytes, at most size(); what is behind them moves.
  void drop_front(std::size_t count) noexcept {
    if (count == 0) return;
    std::memmove(data_, data_ + count, size_ - count);
    size_ -= count;
  }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void reallocate_for(std::size_t count) {
    if (count > SIZE_MAX / 2 - size_) throw std::bad_alloc();
    const std::size_t needed = size_ + count;
    const std::size_t grown = capacity_ + capacity_ / 2;
    reallocate(needed > grown ? needed : grown);
  }
  void reallocate(std::size_t capacity) {
    void* const moved = std::realloc(data_, capacity);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(moved);
    capacity_ = capacity;
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace slabscope
