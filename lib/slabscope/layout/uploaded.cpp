#include <slabscope/layout/uploaded.h>

#include <algorithm>

namespace slabscope {

std::vector<ByteRange> uploaded_ranges(const Layout& layout) {
  std::vector<ByteRange> ranges;
  for (const Tile& tile : layout.tiles) {
    std::uint64_t bytes = tile.bytes;
    if (tile.is_gap()) {
      if (!layout.description->gaps_are_zero) continue;
    } else if (const ResolvedField& field = layout.fields[tile.field]; field.description->per_row) {
      bytes = std::min(layout.padded_rows, field.items) * field.item_bytes();
    }
    if (bytes == 0) continue;
    if (!ranges.empty() && ranges.back().end == tile.offset)
      ranges.back().end += bytes;
    else
      ranges.push_back({tile.offset, tile.offset + bytes});
  }
  return ranges;
}

std::uint64_t uploaded_bytes(const Layout& layout) {
  std::uint64_t bytes = 0;
  for (const ByteRange& each : uploaded_ranges(layout)) bytes += each.end - each.begin;
  return bytes;
}

std::uint64_t uploaded_end(const Layout& layout) {
  const std::vector<ByteRange> ranges = uploaded_ranges(layout);
  return ranges.empty() ? 0 : ranges.back().end;
}

bool is_uploaded(const Layout& layout, const Owner& owner) noexcept {
  if (owner.is_gap()) return layout.description->gaps_are_zero;
  return !owner.field->description->per_row || owner.item < layout.padded_rows;
}

}  // namespace slabscope
