// Pseudo-random numbers that are the same on every machine (splitmix64); each test has its own
// fixed seed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace slabscope::tests {

class PseudoRandom {
 public:
  explicit PseudoRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  // 0 .. count-1.
  std::uint64_t below(std::uint64_t count) noexcept { return bits() % count; }
  bool one_in(std::uint64_t count) noexcept { return below(count) == 0; }
  // A number of a random width: small ones, large ones and those next to a power of two.
  std::uint64_t of_any_width() noexcept {
    const std::uint64_t value = bits() >> below(64);
    return one_in(4) ? (std::uint64_t{1} << below(64)) - 1 + below(3) : value;
  }
  template <class T, std::size_t N>
  const T& pick(const T (&from)[N]) noexcept {
    return from[below(N)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace slabscope::tests
