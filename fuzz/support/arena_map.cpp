#include "arena_map.h"

#include "property.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace slabscope::fuzz {

void check_arena_map(const PlacedArena& placed) {
  std::map<std::uint64_t, std::vector<std::size_t>> takers;  // slabs, by byte
  for (std::size_t index = 0; index < placed.slabs.size(); ++index) {
    const PlacedSlab& each = placed.slabs[index];
    if (!each.layout || each.layout->size > 4096) return;
    for (std::uint64_t at = 0; at < each.layout->size; ++at)
      takers[each.begin() + at].push_back(index);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> shared;
  for (const auto& [at, slabs] : takers)
    for (std::size_t one = 0; one < slabs.size(); ++one)
      for (std::size_t other = one + 1; other < slabs.size(); ++other)
        ++shared[{slabs[one], slabs[other]}];
  require(shared.size() == placed.overlaps.size(), "slabs overlap that share a byte");
  for (const SlabOverlap& each : placed.overlaps) {
    const auto found = shared.find(std::minmax(each.first, each.second));
    require(found != shared.end() && each.bytes <= found->second &&
                (each.is_uploaded || each.bytes == found->second),
            "an overlap counts the bytes that are shared");
  }
  for (const ByteRange& gap : placed.gaps()) {
    const auto taken = takers.lower_bound(gap.begin);
    require(gap.begin < gap.end && (taken == takers.end() || taken->first >= gap.end),
            "nothing lies in a gap");
  }
}

}  // namespace slabscope::fuzz
