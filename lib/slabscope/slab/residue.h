// What packing a dump's rows would not reproduce: runs of bytes laid over the packed slab.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/layout/layout.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace slabscope {

struct ResidueRun {
  std::uint64_t offset = 0;     // bytes from the slab's start
  std::uint64_t bytes = 0;      // never 0
  std::uint64_t stored_at = 0;  // where its bytes begin in Residue::bytes
};

// Runs in order of offset, not overlapping; their bytes back to back.
struct Residue {
  std::vector<ResidueRun> runs;
  Buffer bytes;
};

// Calls `take(offset, bytes)` for every longest run of bytes of `slab` (layout.size bytes) that
// packing the first layout.row_count rows of this slab would not give, in order of offset. The
// layout has passed check_pads().
void find_residue(
    const Layout& layout, std::span<const std::byte> slab,
    const std::function<void(std::uint64_t offset, std::span<const std::byte> bytes)>& take);

// Lays the runs that meet [offset, offset + window.size()) over `window`, which holds the slab's
// bytes from `offset` on.
void lay_over(const Residue& residue, std::uint64_t offset, std::span<std::byte> window);

}  // namespace slabscope
