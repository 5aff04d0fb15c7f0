#include <slabscope/layout/owner.h>

#include <algorithm>

namespace slabscope {

std::optional<Owner> owner_of(const Layout& layout, std::uint64_t offset) noexcept {
  if (offset >= layout.size) return std::nullopt;
  // The last tile that begins at or before the byte.
  const auto behind = std::partition_point(layout.tiles.begin(), layout.tiles.end(),
                                           [&](const Tile& each) { return each.offset <= offset; });
  const Tile& tile = *(behind - 1);
  if (tile.is_gap()) return Owner{nullptr, 0, 0, tile.offset, tile.bytes};
  const ResolvedField& field = layout.fields[tile.field];
  const std::uint64_t element = (offset - tile.offset) / field.element_bytes();
  return owner_at(field, element / field.item_elements, element % field.item_elements);
}

Owner owner_at(const ResolvedField& field, std::uint64_t item, std::uint64_t element) noexcept {
  return {&field, item, element, field.item_offset(item) + element * field.element_bytes(),
          field.element_bytes()};
}

std::optional<std::uint64_t> row_of(const Layout& layout, const Owner& owner) noexcept {
  if (owner.is_gap() || !layout.description->is_of_rows(*owner.field->description))
    return std::nullopt;
  return owner.item;
}

std::string to_text(const Owner& owner) {
  if (owner.is_gap()) return std::string(gap_name);
  std::string indices;
  std::uint64_t rest = owner.element;
  const std::span<const std::uint64_t> shape = owner.field->item_shape();
  for (auto dimension = shape.rbegin(); dimension != shape.rend(); ++dimension) {
    indices.insert(0, "[" + std::to_string(rest % *dimension) + "]");
    rest /= *dimension;
  }
  if (owner.field->description->per_row) indices.insert(0, "[" + std::to_string(owner.item) + "]");
  return owner.field->name() + indices;
}

std::size_t longest_text(const Layout& layout) {
  std::size_t longest = 0;
  for (const ResolvedField& each : layout.fields)
    if (each.bytes != 0)
      longest =
          std::max(longest, to_text(owner_at(each, each.items - 1, each.item_elements - 1)).size());
  return longest;
}

}  // namespace slabscope
