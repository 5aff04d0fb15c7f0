// Any way of packing, held against the naive packer in regions of every size around the slab's.
#pragma once

#include "naive_pack.h"

#include <slabscope/slab/pack.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

// Packs into the first bytes of a region; their number.
using Pack = std::function<Result<std::size_t>(std::span<std::byte>)>;

// The layout and the rows must outlive what is returned.
Pack pack_columns(const Layout& layout, const RowsViewOf& rows);
// A rows document with the region's size in it, packed and streamed.
Pack pack_document(std::string_view layout, const Params& params,
                   const std::vector<PlainRow>& rows);

class PackComparison {
 public:
  // In regions of 0 bytes, and of up to two fewer and two more than the slab has: the same bytes
  // and no other written, or a refusal of the same kind and nothing written. Fails the test with
  // `what` otherwise.
  void check(const NaiveSlab& naive, const Pack& pack, const std::function<std::string()>& what);

  [[nodiscard]] std::uint64_t cases() const noexcept { return cases_; }

 private:
  std::string fault_in(const NaiveSlab& naive, const Pack& pack, std::uint64_t region_bytes);

  Bytes region_;
  std::uint64_t cases_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace slabscope::tests
