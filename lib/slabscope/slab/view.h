// Typed reads of a slab through its layout: any bytes, any alignment, bounds known from the layout.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstddef>
#include <span>

namespace slabscope {

class SlabView {
 public:
  // `slab` holds at least layout.size bytes (Error short_dump otherwise). Both must outlive the
  // view.
  static Result<SlabView> of(const Layout& layout, std::span<const std::byte> slab) {
    if (slab.size() >= layout.size) return SlabView(layout, slab.first(layout.size));
    return fail(error(ErrorCode::short_dump, "the slab of the layout '" + layout.description->name +
                                                 "' is longer than the bytes that are there")
                    .with(std::to_string(slab.size()) + " B", std::to_string(layout.size) + " B"));
  }

  [[nodiscard]] const Layout& layout() const noexcept { return *layout_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return slab_; }

  // The bytes of one row's elements (item 0 of a field that is no row's).
  [[nodiscard]] std::span<const std::byte> item(const ResolvedField& field,
                                                std::uint64_t item) const noexcept {
    return slab_.subspan(field.item_offset(item), field.item_bytes());
  }
  // `element` counts within the item, row-major.
  [[nodiscard]] int128 element(const ResolvedField& field, std::uint64_t item,
                               std::uint64_t element) const noexcept {
    return load_element(field.type(),
                        slab_.data() + field.item_offset(item) + element * field.element_bytes());
  }

 private:
  SlabView(const Layout& layout, std::span<const std::byte> slab) : layout_(&layout), slab_(slab) {}
  const Layout* layout_;
  std::span<const std::byte> slab_;
};

}  // namespace slabscope
