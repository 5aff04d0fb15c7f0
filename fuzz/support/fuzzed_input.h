// The bytes of an input as numbers and choices. Reads what clang's FuzzedDataProvider would offer,
// but is here with every compiler, so that inputs mean the same to the replay binaries. All from
// the front; at the end everything is zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace slabscope::fuzz {

// Where widths, signs and sizes end, and the numbers beside them.
inline constexpr std::uint64_t boundaries[] = {0,
                                               1,
                                               2,
                                               127,
                                               128,
                                               255,
                                               256,
                                               65535,
                                               65536,
                                               (std::uint64_t{1} << 30) - 1,
                                               std::uint64_t{1} << 30,
                                               (std::uint64_t{1} << 31) - 1,
                                               std::uint64_t{1} << 31,
                                               (std::uint64_t{1} << 32) - 1,
                                               std::uint64_t{1} << 32,
                                               std::uint64_t{1} << 61,
                                               (std::uint64_t{1} << 63) - 1,
                                               std::uint64_t{1} << 63,
                                               ~std::uint64_t{0} - 1,
                                               ~std::uint64_t{0}};

class FuzzedInput {
 public:
  FuzzedInput(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  [[nodiscard]] std::uint8_t byte() noexcept {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  // `width` bytes, little-endian.
  [[nodiscard]] std::uint64_t integer(unsigned width) noexcept {
    std::uint64_t value = 0;
    for (unsigned index = 0; index < width; ++index) value |= std::uint64_t{byte()} << (8 * index);
    return value;
  }
  // 0 .. count-1; count is at most 256.
  [[nodiscard]] std::size_t below(std::size_t count) noexcept { return byte() % count; }
  [[nodiscard]] bool one_in(std::size_t count) noexcept { return below(count) == count - 1; }
  // Mostly small, else near a boundary, else any.
  [[nodiscard]] std::uint64_t number() noexcept {
    const std::uint8_t kind = byte();
    if (kind < 0xC0) return kind & 0x1FU;
    if (kind < 0xF0) return boundaries[byte() % std::size(boundaries)] + (kind & 3U) - 1;
    return integer(8);
  }
  template <class T, std::size_t N>
  [[nodiscard]] const T& pick(const T (&from)[N]) noexcept {
    return from[below(N)];
  }
  [[nodiscard]] bool is_empty() const noexcept { return rest_.empty(); }
  [[nodiscard]] std::span<const std::byte> rest() const noexcept { return std::as_bytes(rest_); }
  [[nodiscard]] std::string_view rest_text() const noexcept {
    return {reinterpret_cast<const char*>(rest_.data()), rest_.size()};
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace slabscope::fuzz
