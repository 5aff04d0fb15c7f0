// What is taken from the heap, by new or malloc: counted, or refused at a chosen moment.
#pragma once

#include <cstdint>

namespace slabscope::tests {

// Counts while it is alive. One at a time, for the thread that made it.
class AllocationCount {
 public:
  AllocationCount() noexcept;
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  [[nodiscard]] std::uint64_t so_far() const noexcept;
};

enum class Refusal : std::uint8_t { once, from_then_on };

// While it is alive, the `number`-th allocation (from 1) of the thread that made it is refused; 0
// refuses none. Under AddressSanitizer, which owns malloc, only those by new.
class AllocationRefusal {
 public:
  AllocationRefusal(std::uint64_t number, Refusal refusal) noexcept;
  ~AllocationRefusal();
  AllocationRefusal(const AllocationRefusal&) = delete;
  AllocationRefusal& operator=(const AllocationRefusal&) = delete;

  // Allocations that were asked for, those that were refused too.
  [[nodiscard]] std::uint64_t asked_for() const noexcept;
};

// Allocations of the whole program that were not given back: before and after something, the same
// number when nothing leaked. Always 0 under AddressSanitizer, which looks for leaks itself.
[[nodiscard]] std::int64_t live_allocations() noexcept;

}  // namespace slabscope::tests
