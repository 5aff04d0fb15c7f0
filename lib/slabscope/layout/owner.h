// Who owns a byte of a slab: an element of a field, or a gap. The one place that turns an offset
// into an element, and an element into text.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slabscope {

// How a gap is written where the name of a field would stand; no field has this name.
inline constexpr std::string_view gap_name = "(gap)";

struct Owner {
  const ResolvedField* field = nullptr;  // of the layout that was asked; null: a gap
  std::uint64_t item = 0;                // the row; 0 of a field that is no row's
  std::uint64_t element = 0;             // within the item, row-major
  std::uint64_t offset = 0;              // of its first byte, from the slab's start
  std::uint64_t bytes = 0;               // of the element, or of the whole gap

  [[nodiscard]] bool is_gap() const noexcept { return field == nullptr; }
};

// The owner of the byte at `offset`; nothing where the slab has no such byte. Cost: logarithmic in
// the number of fields.
[[nodiscard]] std::optional<Owner> owner_of(const Layout& layout, std::uint64_t offset) noexcept;

// The element number `element` of an item, row-major. Both exist.
[[nodiscard]] Owner owner_at(const ResolvedField& field, std::uint64_t item,
                             std::uint64_t element) noexcept;

// The row that an element belongs to; nothing for gaps and for fields that are no row's.
[[nodiscard]] std::optional<std::uint64_t> row_of(const Layout& layout,
                                                  const Owner& owner) noexcept;

// "block_table[3][0]": the field with one index for each of its dimensions, the row among them;
// "seq_len" for a scalar, "(gap)" for a gap.
[[nodiscard]] std::string to_text(const Owner& owner);
// Characters of the longest such text of an element of this layout.
[[nodiscard]] std::size_t longest_text(const Layout& layout);

}  // namespace slabscope
