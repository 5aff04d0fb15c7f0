#include <slabscope/check/rule.h>

#include <algorithm>

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

}  // namespace

extern const Rule gap_bytes;
const Rule gap_bytes{
    .id = "gap-bytes",
    .severity = FindingSeverity::warning,
    .fires_when = "a byte of a gap is not zero, where the layout says that gaps are",
    .explanation =
        "The packer writes zeros there. What else stands there came from a writer with another "
        "layout, or nobody wrote this slab.",
    .check = check};

}  // namespace slabscope
