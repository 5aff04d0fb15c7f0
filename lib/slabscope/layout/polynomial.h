// Sums of products over names, as text that people can read and the layout language can evaluate:
// 8*rows, 24*rows + 4*rows*max_blocks. Only as clever as offsets of layouts need.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace slabscope {

class Polynomial {
 public:
  Polynomial() = default;  // zero
  static Polynomial constant(std::uint64_t value);
  // An expression that is not looked into; every value it can have is a multiple of `divisor`.
  static Polynomial opaque(std::string text, std::uint64_t divisor = 1);

  [[nodiscard]] std::optional<std::uint64_t> value() const;  // set when it is a constant
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::uint64_t divisor() const;

  // Nothing when a coefficient passes 64 bits.
  [[nodiscard]] std::optional<Polynomial> plus(const Polynomial& other) const;
  // Nothing when the difference is not surely a sum of products too.
  [[nodiscard]] std::optional<Polynomial> minus(const Polynomial& other) const;
  [[nodiscard]] std::optional<Polynomial> times(const Polynomial& other) const;
  [[nodiscard]] std::optional<Polynomial> aligned_up(std::uint64_t unit) const;
  [[nodiscard]] Polynomial larger(const Polynomial& other) const;

 private:
  struct Coefficient {
    std::uint64_t factor = 0;
    std::uint64_t divisor = 1;  // of the product of names behind it
  };
  [[nodiscard]] bool dominates(const Polynomial& other) const;
  // Itself, or what is not known when it is longer than anybody would read.
  [[nodiscard]] Polynomial shortened() const;
  static Polynomial unknown();

  bool is_unknown_ = false;  // too long to be kept; stays so whatever is done with it
  std::map<std::string, Coefficient>
      terms_;  // product of names -> coefficient; "" is the constant; none is zero
};

}  // namespace slabscope
