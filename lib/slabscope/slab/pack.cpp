#include <slabscope/slab/pack.h>

#include <slabscope/slab/walk.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace slabscope {
namespace {

void copy_elements(ElementType type, std::byte* to, const std::byte* from,
                   std::size_t count) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, from, count * element_bytes(type));
  } else {
    visit_type(type, [&](auto zero) {
      for (std::size_t index = 0; index < count; ++index) {
        auto value = zero;
        std::memcpy(&value, from + index * sizeof value, sizeof value);
        store_little_endian(to + index * sizeof value, value);
      }
    });
  }
}

void fill_elements(ElementType type, std::byte* to, int128 value, std::size_t count) noexcept {
  const std::size_t width = element_bytes(type);
  std::byte pattern[8];
  store_element(type, pattern, value);
  if (std::all_of(pattern, pattern + width, [&](std::byte each) { return each == pattern[0]; })) {
    std::memset(to, std::to_integer<int>(pattern[0]), count * width);
    return;
  }
  visit_type(type, [&](auto zero) {
    const auto element = static_cast<decltype(zero)>(value);
    for (std::size_t index = 0; index < count; ++index)
      store_little_endian(to + index * sizeof element, element);
  });
}

// Where the rows' elements are read from, field by field.
class GivenElements {
 public:
  explicit GivenElements(const RowsView& rows) : rows_(rows) {}
  void begin_field(std::size_t index) noexcept {
    const ColumnView& column = rows_.columns[index];
    list_at_ = column.list_at;
    lists_ = column.lists;
    next_ = column.elements.data();
  }
  void begin_list(std::uint64_t row) noexcept { next_ = list_at_(lists_, row).data(); }
  const std::byte* take(std::size_t bytes) noexcept { return std::exchange(next_, next_ + bytes); }

 private:
  const RowsView& rows_;
  std::span<const std::byte> (*list_at_)(const void* lists, std::uint64_t row) = nullptr;
  const void* lists_ = nullptr;
  const std::byte* next_ = nullptr;
};

class SpanWriter {
 public:
  SpanWriter(const RowsView& rows, std::byte* to) : elements_(rows), to_(to) {}
  void begin_field(std::size_t index) noexcept { elements_.begin_field(index); }
  void begin_list(std::uint64_t row) noexcept { elements_.begin_list(row); }
  void given(const ResolvedField& field, std::uint64_t count) noexcept {
    const auto bytes = (count * field.element_bytes());
    if (bytes == 0) return;
    copy_elements(field.type(), to_, elements_.take(bytes), count);
    to_ += bytes;
  }
  void repeat(const ResolvedField& field, int128 value, std::uint64_t count) noexcept {
    fill_elements(field.type(), to_, value, count);
    to_ += count * field.element_bytes();
  }
  void zeros(std::uint64_t bytes) noexcept {
    if (bytes != 0) std::memset(to_, 0, bytes);
    to_ += bytes;
  }

 private:
  GivenElements elements_;
  std::byte* to_;
};

// As SpanWriter, a chunk at a time. After a failed write the rest is passed over.
class ChunkWriter {
 public:
  ChunkWriter(const RowsView& rows, const Residue& residue, Sink& sink)
      : elements_(rows), residue_(residue), sink_(sink), chunk_(chunk_bytes) {}

  void begin_field(std::size_t index) noexcept { elements_.begin_field(index); }
  void begin_list(std::uint64_t row) noexcept { elements_.begin_list(row); }
  void given(const ResolvedField& field, std::uint64_t count) {
    in_chunks(field.element_bytes(), count, [&](std::byte* to, std::size_t elements) {
      copy_elements(field.type(), to, elements_.take(elements * field.element_bytes()), elements);
    });
  }
  void repeat(const ResolvedField& field, int128 value, std::uint64_t count) {
    in_chunks(field.element_bytes(), count, [&](std::byte* to, std::size_t elements) {
      fill_elements(field.type(), to, value, elements);
    });
  }
  void zeros(std::uint64_t bytes) {
    in_chunks(1, bytes, [&](std::byte* to, std::size_t count) { std::memset(to, 0, count); });
  }

  Result<void> finish() {
    flush();
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

  template <class Write>
  void in_chunks(std::uint64_t element_bytes, std::uint64_t count, Write&& write) {
    const auto width = element_bytes;
    while (count != 0) {
      if (chunk_bytes - filled_ < width) flush();
      const auto part = (std::min<std::uint64_t>(count, (chunk_bytes - filled_) / width));
      write(chunk_.data() + filled_, part);
      filled_ += part * width;
      count -= part;
    }
  }

  void flush() {
    if (filled_ != 0 && outcome_) {
      const std::span<std::byte> bytes = chunk_.bytes().first(filled_);
      lay_over(residue_, offset_, bytes);
      outcome_ = sink_.write(bytes);
    }
    offset_ += filled_;
    filled_ = 0;
  }

  GivenElements elements_;
  const Residue& residue_;
  Sink& sink_;
  Buffer chunk_;
  std::size_t filled_ = 0;
  std::uint64_t offset_ = 0;  // of the chunk in the slab
  Result<void> outcome_;
};

// What a list of `level` may hold: 1 for a scalar.
std::uint64_t entries_of_level(const ResolvedField& field, std::size_t level) {
  return field.item_shape().empty() ? 1 : field.item_shape()[level];
}

// The first entry of the first `lists` lists that is above `most`.
std::optional<std::uint64_t> first_above(const ListCountsView& counts, std::uint64_t lists,
                                         std::uint64_t most) {
  if (counts.is_uniform())
    return lists != 0 && counts.uniform > most ? std::optional<std::uint64_t>(0) : std::nullopt;
  for (std::uint64_t list = 0; list < lists; ++list)
    if (counts[list] > most) return list;
  return std::nullopt;
}

bool any_below(const ListCountsView& counts, std::uint64_t lists, std::uint64_t full) {
  if (counts.is_uniform()) return lists != 0 && counts.uniform < full;
  return std::any_of(counts.each.begin(), counts.each.end(),
                     [&](std::uint64_t count) { return count < full; });
}

bool are_full(const Layout& layout, const RowsView& rows) noexcept {
  for (std::size_t index = 0; index < layout.fields.size(); ++index)
    if (!is_full(layout.fields[index], rows.columns[index])) return false;
  return true;
}

std::uint64_t sum(const ListCountsView& counts, std::uint64_t lists) {
  if (counts.is_uniform()) return counts.uniform * lists;
  std::uint64_t total = 0;
  for (const std::uint64_t each : counts.each) total += each;
  return total;
}

// The row that the list `list` of `level` belongs to.
std::uint64_t row_of(const ColumnView& column, std::size_t level, std::uint64_t list) {
  for (; level != 0; --level) {
    std::uint64_t parent = 0;
    for (std::uint64_t end = column.counts[level - 1][0]; end <= list;
         end += column.counts[level - 1][parent])
      ++parent;
    list = parent;
  }
  return list;
}

}  // namespace

Error long_list_error(const Layout& layout, const LongList& list,
                      std::optional<std::uint64_t> region_bytes) {
  const ResolvedField& field = layout.fields[list.field];
  const std::size_t dimension = list.level + (field.description->per_row ? 1 : 0);
  const std::uint64_t most = entries_of_level(field, list.level);
  const std::string name =
      field.item_shape().empty() ? "1" : field.description->shape[dimension].text();
  const bool counts_blocks =
      field.description->role == "block_table" && list.level + 1 == field.item_shape().size();
  std::string text = refusal(*layout.description, layout.size, region_bytes) + "; ";
  if (field.description->per_row || !layout.description->row_param)
    text += "row " + std::to_string(list.row) + ": ";
  text += "'" + field.name() + "' has " +
          (counts_blocks ? counted(list.count, "block-table entry", "block-table entries")
                         : counted(list.count, "entry", "entries")) +
          ", its dimension " + name + " is " + std::to_string(most);
  return error(ErrorCode::list_too_long, std::move(text))
      .with(std::to_string(list.count), "up to " + std::to_string(most));
}

Result<void> check_pads(const Layout& layout) {
  for (const ResolvedField& field : layout.fields)
    if (!field.pad && field.bytes != 0) return fail(field.pad.error());
  return {};
}

Result<void> check_fills(const Layout& layout, const RowsView& rows) {
  SLABSCOPE_TRY(check_pads(layout));
  for (std::size_t index = 0; index < layout.fields.size(); ++index) {
    const ResolvedField& field = layout.fields[index];
    if (field.fill) continue;
    std::uint64_t lists = field.description->per_row ? rows.row_count : 1;
    for (std::size_t level = 0; level < rows.columns[index].counts.size(); ++level) {
      const ListCountsView& counts = rows.columns[index].counts[level];
      if (any_below(counts, lists, entries_of_level(field, level))) return fail(field.fill.error());
      lists = sum(counts, lists);
    }
  }
  return {};
}

Result<void> check_lists(const Layout& layout, const RowsView& rows,
                         std::optional<std::uint64_t> region_bytes) {
  SLABSCOPE_TRY(check_rows(layout, region_bytes));
  if (rows.row_count != layout.row_count)
    return fail(
        error(ErrorCode::row_count, "the rows are not as many as the layout was resolved for")
            .with(std::to_string(rows.row_count), std::to_string(layout.row_count)));
  SLABSCOPE_TRY(check_pads(layout));
  // Lists that are as long as their dimensions need no fill.
  if (are_full(layout, rows)) return {};
  SLABSCOPE_TRY(check_fills(layout, rows));
  std::optional<LongList> first;
  for (std::size_t index = 0; index < layout.fields.size(); ++index) {
    const ResolvedField& field = layout.fields[index];
    const ColumnView& column = rows.columns[index];
    std::uint64_t lists = field.description->per_row ? rows.row_count : 1;
    for (std::size_t level = 0; level < column.counts.size(); ++level) {
      if (const auto list =
              first_above(column.counts[level], lists, entries_of_level(field, level))) {
        const std::uint64_t row = row_of(column, level, *list);
        if (!first || row < first->row)
          first = LongList{index, row, level, column.counts[level][*list]};
      }
      lists = sum(column.counts[level], lists);
    }
  }
  if (first) return fail(long_list_error(layout, *first, region_bytes));
  return {};
}

Result<std::size_t> pack_into(std::span<std::byte> region, const Layout& layout,
                              const RowsView& rows, std::optional<std::uint64_t> region_bytes) {
  const std::uint64_t stated = region_bytes.value_or(region.size());
  SLABSCOPE_TRY(check_size(layout, max_slab_size, std::min<std::uint64_t>(stated, region.size())));
  SLABSCOPE_TRY(check_lists(layout, rows, stated));
  SpanWriter writer(rows, region.data());
  walk_slab(layout, rows, writer);
  return layout.size;
}

Result<Buffer> pack(const Layout& layout, const RowsView& rows,
                    std::optional<std::uint64_t> region_bytes, std::uint64_t max_slab_bytes) {
  SLABSCOPE_TRY(check_size(layout, max_slab_bytes, region_bytes));
  SLABSCOPE_TRY(check_lists(layout, rows, region_bytes));
  Buffer slab(layout.size);
  SLABSCOPE_TRY(pack_into(slab.bytes(), layout, rows, region_bytes));
  return slab;
}

Result<void> write_slab(const Layout& layout, const RowsView& rows, const Residue& residue,
                        Sink& sink) {
  ChunkWriter writer(rows, residue, sink);
  walk_slab(layout, rows, writer);
  return writer.finish();
}

}  // namespace slabscope
