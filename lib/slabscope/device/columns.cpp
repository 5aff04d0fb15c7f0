#include <slabscope/device/columns.h>

#include <slabscope/layout/owner.h>
#include <slabscope/slab/walk.h>

#include <cstring>

namespace slabscope {
namespace {

void put_element(ElementType type, std::byte* to, int128 value) {
  visit_type(type, [&](auto zero) {
    const auto element = static_cast<decltype(zero)>(value);
    std::memcpy(to, &element, sizeof element);
  });
}

// Takes what the walk gives, in its order; knows how long each field is, not where.
class ColumnWriter {
 public:
  ColumnWriter(const Layout& layout, const RowsView& rows, const ColumnPlaces& places,
               std::span<std::byte> columns)
      : layout_(layout), rows_(rows), places_(places), columns_(columns) {}

  void begin_field(std::size_t index) {
    to_ = columns_.subspan(places_.offsets[index], layout_.fields[index].bytes);
    column_ = &rows_.columns[index];
    next_ = column_->elements;
  }
  void begin_list(std::uint64_t row) { next_ = column_->list_at(column_->lists, row); }
  void given(const ResolvedField& field, std::uint64_t count) {
    const std::uint64_t bytes = count * field.element_bytes();
    if (bytes != 0) std::memcpy(to_.data(), next_.data(), bytes);
    next_ = next_.subspan(bytes);
    to_ = to_.subspan(bytes);
  }
  void repeat(const ResolvedField& field, int128 value, std::uint64_t count) {
    for (std::uint64_t element = 0; element < count; ++element) {
      put_element(field.type(), to_.data(), value);
      to_ = to_.subspan(field.element_bytes());
    }
  }
  // Rows that are not used, or a gap, which is behind a field that is complete.
  void zeros(std::uint64_t bytes) {
    if (to_.empty() || bytes == 0) return;
    std::memset(to_.data(), 0, bytes);
    to_ = to_.subspan(bytes);
  }

 private:
  const Layout& layout_;
  const RowsView& rows_;
  const ColumnPlaces& places_;
  std::span<std::byte> columns_;
  const ColumnView* column_ = nullptr;
  std::span<const std::byte> next_;
  std::span<std::byte> to_;
};

void take_from_slab(const SlabView& slab, const ResolvedField& field, std::uint64_t item,
                    std::uint64_t element, std::span<std::byte> column) {
  put_element(field.type(),
              column.data() + (item * field.item_elements + element) * field.element_bytes(),
              slab.element(field, item, element));
}

}  // namespace

ColumnPlaces column_places(const Layout& layout) {
  ColumnPlaces places;
  for (const ResolvedField& field : layout.fields) {
    places.offsets.push_back(places.bytes);
    places.bytes += (field.bytes + 7) / 8 * 8;
  }
  return places;
}

void columns_of_slab(const SlabView& slab, const ColumnPlaces& places,
                     std::span<std::byte> columns) {
  const Layout& layout = slab.layout();
  for (std::size_t index = 0; index < layout.fields.size(); ++index) {
    const ResolvedField& field = layout.fields[index];
    const auto column = columns.subspan(places.offsets[index], field.bytes);
    if (field.bytes == 0) continue;
    for (std::uint64_t item = 0; item < field.items; ++item)
      for (std::uint64_t element = 0; element < field.item_elements; ++element)
        take_from_slab(slab, field, item, element, column);
  }
}

void columns_of_rows(const SlabView& slab, const RowsView& rows, const Residue* residue,
                     const ColumnPlaces& places, std::span<std::byte> columns) {
  const Layout& layout = slab.layout();
  ColumnWriter writer(layout, rows, places, columns);
  walk_slab(layout, rows, writer);
  if (residue == nullptr) return;
  for (const ResidueRun& run : residue->runs) {
    const std::uint64_t end = run.offset + run.bytes;
    for (std::uint64_t offset = run.offset; offset < end;) {
      const Owner owner = *owner_of(layout, offset);
      if (!owner.is_gap()) {
        const auto index = static_cast<std::size_t>(owner.field - layout.fields.data());
        take_from_slab(slab, *owner.field, owner.item, owner.element,
                       columns.subspan(places.offsets[index], owner.field->bytes));
      }
      offset = owner.offset + owner.bytes;
    }
  }
}

}  // namespace slabscope
