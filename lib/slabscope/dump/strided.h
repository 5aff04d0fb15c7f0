// Parts of other bytes: a run of them, or elements at regular distances, as a tensor's view, a
// field of records or an array in Fortran order has them. Read on demand, in memory that does not
// depend on their number, but of compressed bytes that are read back and forth.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

// Where the elements of an array lie in other bytes. All figures but the shape are bytes.
struct StridedView {
  std::uint64_t offset = 0;  // of the first element
  std::uint64_t element_bytes = 1;
  std::uint64_t swap_bytes = 1;  // of a big-endian number; elements are whole numbers of them
  std::vector<std::uint64_t> shape = {};
  std::vector<std::uint64_t> strides = {};  // from one element to the next, by dimension
};

// A region whose bytes are a view of others.
struct ViewRegion {
  Region region;
  StridedView view;
};

// The product of the dimensions; nothing where it passes 64 bits. No dimension: one element.
[[nodiscard]] std::optional<std::uint64_t> element_count(
    std::span<const std::uint64_t> shape) noexcept;
// The strides of elements of `element_bytes` that lie without gaps, the last dimension the densest
// (C), or the first (Fortran). The bytes of them all must fit 64 bits.
[[nodiscard]] std::vector<std::uint64_t> c_strides(std::span<const std::uint64_t> shape,
                                                   std::uint64_t element_bytes);
[[nodiscard]] std::vector<std::uint64_t> fortran_strides(std::span<const std::uint64_t> shape,
                                                         std::uint64_t element_bytes);

// The bytes of all elements; nothing where they pass 64 bits.
[[nodiscard]] std::optional<std::uint64_t> view_bytes(const StridedView& view) noexcept;
// Where the last byte of the view ends, 0 when it has none; nothing where that passes 64 bits.
[[nodiscard]] std::optional<std::uint64_t> view_end(const StridedView& view) noexcept;
// Do the view's bytes stand in C order and little-endian, one after the other?
[[nodiscard]] bool is_one_run(const StridedView& view) noexcept;

// Do the elements of the view, in C order, lie each behind the one before, or on it? view_end() has
// a value.
[[nodiscard]] bool goes_forward(const StridedView& view) noexcept;

// As much of compressed bytes is held in memory where a view does not go forward in them.
inline constexpr std::uint64_t max_held_view_bytes = std::uint64_t{256} << 20;

// The bytes of `view`, in C order and little-endian. view_bytes() and view_end() have values, and
// the end lies inside `from`. Reading fails with limit_exceeded where more than `max_held` would
// have to be held.
[[nodiscard]] std::shared_ptr<RandomAccess> open_view(std::shared_ptr<RandomAccess> from,
                                                      const StridedView& view,
                                                      std::uint64_t max_held = max_held_view_bytes);

}  // namespace slabscope
