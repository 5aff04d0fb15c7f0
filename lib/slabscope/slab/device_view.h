// What an attention kernel is given: addresses of the slab's fields and two counts. For host code
// and kernels alike: C++17, no dependency, no CUDA needed to include it.
#pragma once

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define SLABSCOPE_HOST_DEVICE __host__ __device__
#else
#define SLABSCOPE_HOST_DEVICE
#endif

namespace slabscope {

// Addresses as numbers: of device memory, of host memory, or made up (a base of 0x1000 is a fine
// test). 0: none.
struct DeviceView {
  std::uint64_t positions = 0;    // u32[num_seqs]
  std::uint64_t positions_h = 0;  // the same address as positions
  std::uint64_t positions_w = 0;  // the same address as positions
  std::uint64_t slot = 0;         // i64[num_seqs]
  std::uint64_t seq_len = 0;      // i32[num_seqs]
  std::uint64_t block_table = 0;  // i32[num_seqs][entries of a row]
  std::uint64_t seq_slot = 0;     // i32[num_seqs], none without an adapter
  std::uint64_t moe_row_adapter = 0;
  std::uint32_t max_blocks_per_seq = 0;
  std::uint32_t num_seqs = 0;
};

// The element `index` of an array of T at `address`, which is aligned for T.
template <class T>
SLABSCOPE_HOST_DEVICE inline T load_at(std::uint64_t address, std::uint64_t index) {
  return reinterpret_cast<const T*>(address)[index];  // NOLINT(performance-no-int-to-ptr)
}

SLABSCOPE_HOST_DEVICE inline std::uint32_t position_at(const DeviceView& view, std::uint64_t row) {
  return load_at<std::uint32_t>(view.positions, row);
}
SLABSCOPE_HOST_DEVICE inline std::int64_t slot_at(const DeviceView& view, std::uint64_t row) {
  return load_at<std::int64_t>(view.slot, row);
}
SLABSCOPE_HOST_DEVICE inline std::int32_t seq_len_at(const DeviceView& view, std::uint64_t row) {
  return load_at<std::int32_t>(view.seq_len, row);
}
// -1 when no adapter is loaded.
SLABSCOPE_HOST_DEVICE inline std::int32_t seq_slot_at(const DeviceView& view, std::uint64_t row) {
  return view.seq_slot == 0 ? -1 : load_at<std::int32_t>(view.seq_slot, row);
}
// `blocks_per_row`: entries from one row's table to the next.
SLABSCOPE_HOST_DEVICE inline std::int32_t block_at(const DeviceView& view, std::uint64_t row,
                                                   std::uint64_t column,
                                                   std::uint64_t blocks_per_row) {
  return load_at<std::int32_t>(view.block_table, row * blocks_per_row + column);
}

}  // namespace slabscope
