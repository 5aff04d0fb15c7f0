#include <slabscope/slab/rows.h>

#include <algorithm>

namespace slabscope {

Rows::Rows(const Description& description) : columns_(description.fields.size()) {
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    const FieldDescription& field = description.fields[index];
    const std::size_t levels = field.shape.size() - (field.per_row ? 1 : 0);
    columns_[index].counts.resize(std::max<std::size_t>(levels, 1));
  }
}

void Rows::clear() noexcept {
  row_count_ = 0;
  for (Column& column : columns_) {
    column.elements.clear();
    for (ListCounts& each : column.counts) each.clear();
  }
}

RowsViewOf::RowsViewOf(const Rows& rows)
    : counts_(rows.column_count()), columns_(rows.column_count()) {
  for (std::size_t index = 0; index < rows.column_count(); ++index) {
    const Rows::Column& column = rows.column(index);
    for (const ListCounts& each : column.counts)
      counts_[index].push_back({each.uniform(), each.each()});
    columns_[index].elements = column.elements.bytes();
    columns_[index].counts = counts_[index];
  }
  view_ = {rows.row_count(), columns_};
}

}  // namespace slabscope
