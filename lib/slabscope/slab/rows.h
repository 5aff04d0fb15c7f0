// Rows as columns: one column per field of the layout, elements in host byte order, lists back to
// back. Owns no layout figures: a list may be shorter than its dimension, and whether it is too
// long is for pack to say.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/layout/layout.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slabscope {

// How many entries each of a sequence of lists has. Costs no memory as long as all have the same
// number.
class ListCounts {
 public:
  // The bytes of memory that this took.
  std::size_t append(std::uint64_t count) {
    const std::size_t before = each_.size();
    if (lists_ == 0) uniform_ = count;
    if (each_.empty() && count != uniform_) each_.assign(lists_, uniform_);
    ++lists_;
    if (!each_.empty() || count != uniform_) each_.push_back(count);
    return (each_.size() - before) * sizeof(std::uint64_t);
  }
  // Its memory stays.
  void clear() noexcept {
    lists_ = uniform_ = 0;
    each_.clear();
  }
  [[nodiscard]] std::uint64_t lists() const noexcept { return lists_; }
  [[nodiscard]] bool is_uniform() const noexcept { return each_.empty(); }
  [[nodiscard]] std::uint64_t uniform() const noexcept { return uniform_; }
  [[nodiscard]] std::span<const std::uint64_t> each() const noexcept { return each_; }

 private:
  std::uint64_t lists_ = 0;
  std::uint64_t uniform_ = 0;
  std::vector<std::uint64_t> each_;  // empty while uniform
};

// A view of ListCounts, or of an engine's own numbers.
struct ListCountsView {
  std::uint64_t uniform = 0;                 // of every list, when `each` is empty
  std::span<const std::uint64_t> each = {};  // one a list

  [[nodiscard]] bool is_uniform() const noexcept { return each.empty(); }
  [[nodiscard]] std::uint64_t operator[](std::uint64_t list) const noexcept {
    return each.empty() ? uniform : each[list];
  }
};

// One field's values in all rows that the document gives. `counts[0]` are the entries of each row's
// value (0 or 1 for a scalar: a field left out has 0), `counts[1]` those of each inner list in
// order, and so on; the last level counts elements.
struct ColumnView {
  std::span<const std::byte> elements = {};  // of all lists, back to back
  std::span<const ListCountsView> counts = {};
  // Instead of `elements`, for one level of lists that lie apart: the elements of the list at
  // `row`.
  std::span<const std::byte> (*list_at)(const void* lists, std::uint64_t row) = nullptr;
  const void* lists = nullptr;
};

// All columns, in the order of the layout's fields.
struct RowsView {
  std::uint64_t row_count = 0;
  std::span<const ColumnView> columns = {};
};

// Rows that own their memory, filled front to back.
class Rows {
 public:
  explicit Rows(const Description& description);

  struct Column {
    Buffer elements;
    std::vector<ListCounts> counts;  // at least one level
  };

  [[nodiscard]] std::size_t column_count() const noexcept { return columns_.size(); }
  [[nodiscard]] Column& column(std::size_t field) noexcept { return columns_[field]; }
  [[nodiscard]] const Column& column(std::size_t field) const noexcept { return columns_[field]; }
  void add_row() noexcept { ++row_count_; }
  // No rows, but the memory of those that were there.
  void clear() noexcept;
  [[nodiscard]] std::uint64_t row_count() const noexcept { return row_count_; }

 private:
  std::uint64_t row_count_ = 0;
  std::vector<Column> columns_;
};

// A RowsView of owned rows and the small arrays that it points to.
class RowsViewOf {
 public:
  explicit RowsViewOf(const Rows& rows);
  [[nodiscard]] const RowsView& view() const noexcept { return view_; }

 private:
  std::vector<std::vector<ListCountsView>> counts_;
  std::vector<ColumnView> columns_;
  RowsView view_;
};

}  // namespace slabscope
