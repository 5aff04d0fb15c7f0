#include "arena_map.h"

#include "property.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace slabscope::fuzz {
namespace {

constexpr std::uint64_t max_mapped = std::uint64_t{1} << 14;  // bytes of a slab, and of an arena

// By the definition: fields, of rows the padded ones, and gaps that are zero.
bool is_written(const Layout& layout, std::uint64_t at) {
  for (const ResolvedField& field : layout.fields)
    if (at >= field.offset && at - field.offset < field.bytes)
      return !field.description->per_row ||
             (at - field.offset) / field.item_bytes() < layout.padded_rows;
  return layout.description->gaps_are_zero;
}

struct Shared {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t bytes = 0;
  void add(std::uint64_t at) {
    if (bytes++ == 0) first = at;
    last = at;
  }
};

void check_overlap(const SlabOverlap& overlap, const Shared& shared, const Shared& written) {
  const Shared& due = written.bytes != 0 ? written : shared;
  require(overlap.is_uploaded == (written.bytes != 0) && overlap.offset == due.first &&
              overlap.end == due.last + 1 && overlap.bytes == due.bytes,
          "an overlap tells the bytes that are shared");
}

}  // namespace

void check_arena_map(const PlacedArena& placed) {
  std::map<std::uint64_t, std::vector<std::size_t>> takers;  // slabs, by byte
  std::uint64_t known = max_mapped;                          // bytes, before a slab of unknown size
  for (std::size_t index = 0; index < placed.slabs.size(); ++index) {
    const PlacedSlab& each = placed.slabs[index];
    if (!each.layout) {
      known = std::min(known, each.begin());
      continue;
    }
    if (each.layout->size > max_mapped) return;
    for (std::uint64_t at = 0; at < each.layout->size; ++at)
      takers[each.begin() + at].push_back(index);
    const auto room = placed.arena.room(*each.slab);
    require(placed.is_past_room(each) == (room && each.layout->size > *room),
            "a slab is past its room when it is longer");
  }
  std::map<std::pair<std::size_t, std::size_t>, std::pair<Shared, Shared>> pairs;
  for (const auto& [at, slabs] : takers)
    for (std::size_t one = 0; one < slabs.size(); ++one)
      for (std::size_t other = one + 1; other < slabs.size(); ++other) {
        auto& [shared, written] = pairs[{slabs[one], slabs[other]}];
        shared.add(at);
        const auto writes = [&, byte = at](std::size_t slab) {
          return is_written(*placed.slabs[slab].layout, byte - placed.slabs[slab].begin());
        };
        if (writes(slabs[one]) && writes(slabs[other])) written.add(at);
      }
  require(pairs.size() == placed.overlaps.size(), "slabs overlap that share a byte");
  for (const SlabOverlap& each : placed.overlaps) {
    const auto found = pairs.find(std::minmax(each.first, each.second));
    require(found != pairs.end(), "slabs overlap that share a byte");
    check_overlap(each, found->second.first, found->second.second);
  }
  std::vector<bool> is_free(known);
  for (const ByteRange& gap : placed.gaps()) {
    require(gap.begin < gap.end, "a gap has bytes");
    const auto taken = takers.lower_bound(gap.begin);
    require(taken == takers.end() || taken->first >= gap.end, "nothing lies in a gap");
    for (std::uint64_t at = gap.begin; at < std::min(gap.end, known); ++at) is_free[at] = true;
  }
  const std::uint64_t end =
      placed.arena.bytes.value_or(takers.empty() ? 0 : takers.rbegin()->first);
  for (std::uint64_t at = 0; at < std::min(end, known); ++at)
    require(is_free[at] || takers.contains(at), "what no slab takes is a gap");
}

}  // namespace slabscope::fuzz
