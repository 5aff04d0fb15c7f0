// device_view.h alone, as C++17: what a kernel's compiler may be limited to. Compiled, never run.
#include <slabscope/slab/device_view.h>

#include <type_traits>

static_assert(__cplusplus == 201703L, "this file shows that the header is no newer than C++17");

namespace slabscope {

// Handed to kernels by value.
static_assert(std::is_trivially_copyable<DeviceView>::value, "");
static_assert(std::is_standard_layout<DeviceView>::value, "");
static_assert(sizeof(DeviceView) == 8 * 8 + 2 * 4,
              "no padding that host and device could differ in");

std::int64_t sum_of_row(const DeviceView& view, std::uint64_t row, std::uint64_t blocks_per_row) {
  std::int64_t sum = std::int64_t{position_at(view, row)} + slot_at(view, row) +
                     seq_len_at(view, row) + seq_slot_at(view, row);
  for (std::uint64_t column = 0; column < blocks_per_row; ++column)
    sum += block_at(view, row, column, blocks_per_row);
  return sum;
}

}  // namespace slabscope
