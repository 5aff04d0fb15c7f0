// Counts what is taken from the heap, by new or malloc, while a counter is alive.
#pragma once

#include <cstdint>

namespace slabscope::tests {

// One at a time, for the thread that made it.
class AllocationCount {
 public:
  AllocationCount() noexcept;
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  [[nodiscard]] std::uint64_t so_far() const noexcept;
};

}  // namespace slabscope::tests
