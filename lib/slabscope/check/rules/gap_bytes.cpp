#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <vector>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const Layout& layout = batch.layout();
  if (!layout.description->gaps_are_zero) return;
  for (const Tile& tile : layout.tiles) {
    if (!tile.is_gap()) continue;
    const auto bytes = batch.view().bytes().subspan(tile.offset, tile.bytes);
    const auto is_set = [](std::byte each) { return each != std::byte{0}; };
    const auto first = std::find_if(bytes.begin(), bytes.end(), is_set);
    if (first == bytes.end()) continue;
    const auto count = std::count_if(bytes.begin(), bytes.end(), is_set);
    Finding& found = report.slab(counted(static_cast<std::uint64_t>(count), "byte") +
                                 " in a gap of " + std::to_string(tile.bytes) + " B " +
                                 (count == 1 ? "is not zero" : "are not zero"));
    found.offset = tile.offset + static_cast<std::uint64_t>(first - bytes.begin());
    found.bytes = tile.offset + tile.bytes - *found.offset;
    found.value = std::to_string(std::to_integer<unsigned>(*first));
    found.expected = "0";
  }
}

Result<void> plan(FaultPlan& plan) {
  if (plan.description().gaps_are_zero) return {};
  return impossible("the layout '" + plan.description().name + "' does not say that gaps are zero");
}

Result<void> put(FaultSlab& slab) {
  PseudoRandom& random = slab.random();
  std::vector<Tile> gaps;
  for (const Tile& tile : slab.batch().layout().tiles)
    if (tile.is_gap()) gaps.push_back(tile);
  if (gaps.empty()) return impossible("the slab has no gaps at these parameters");
  const Tile& gap = gaps[random.between(0, gaps.size() - 1)];
  const std::uint64_t last = gap.offset + gap.bytes - 1;
  const std::uint64_t first = random.one_in(3) ? gap.offset : random.between(gap.offset, last);
  const std::uint64_t end = random.one_in(2) ? first + 1 : random.between(first, last) + 1;
  for (std::uint64_t offset = first; offset < end; ++offset)
    slab.bytes()[offset] = static_cast<std::byte>(random.between(1, 255));
  return {};
}

}  // namespace

extern const Rule gap_bytes;
const Rule gap_bytes{
    .id = "gap-bytes",
    .severity = FindingSeverity::warning,
    .fires_when = "a byte of a gap is not zero, where the layout says that gaps are",
    .explanation =
        "The packer writes zeros there. What else stands there came from a writer with another "
        "layout, or nobody wrote this slab.",
    .check = check,
    .fault = {.least_rows = 0, .plan = plan, .put = put}};

}  // namespace slabscope
