// What the regions of a file may take of memory, whatever makes them: a few bytes of a pickle or of
// a deflated header can stand for many. Counted over all of a file.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

class RegionBudget {
 public:
  explicit RegionBudget(const ContainerLimits& limits) : limits_(limits) {}

  // One tensor, array or field more, with a name and a shape. Error: limit_exceeded.
  [[nodiscard]] Result<void> take(std::string_view name, std::size_t dimensions);

 private:
  ContainerLimits limits_;
  std::uint64_t tensors_ = 0;
  std::uint64_t name_bytes_ = 0;
  std::uint64_t dimensions_ = 0;
};

}  // namespace slabscope
