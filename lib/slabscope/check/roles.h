// What the fields and parameters of a layout mean to checks, whatever the bytes of a slab are.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slabscope {

// A parameter that a document, an option or the layout itself states; a default is not stated.
[[nodiscard]] std::optional<std::uint64_t> stated_param(const Layout& layout,
                                                        std::string_view param);

// Tokens per KV block, where stated. With it a slot, block * block_size + offset, fits 128 bits.
// Error: param_range (0, or more than a signed slot can count).
[[nodiscard]] Result<std::optional<std::uint64_t>> stated_block_size(const Layout& layout);

// Bits that the index of a kernel's loads can use: 31 and 63 of a signed one, else 32 and 64.
[[nodiscard]] constexpr bool is_index_width(std::uint64_t bits) noexcept {
  return bits == 31 || bits == 32 || bits == 63 || bits == 64;
}
inline constexpr std::string_view index_widths = "31, 32, 63, 64";
// Errors: param_range (kv_index_bits is none of them).
[[nodiscard]] Result<void> check_index_bits(const Layout& layout);

// The rows' own field of this role, with so many dimensions beside the rows; null where the layout
// has none.
[[nodiscard]] const ResolvedField* find_row_field(const Layout& layout, std::string_view role,
                                                  std::size_t dimensions);

// "144 (block 9 + 0)"; the number alone where it is negative or the block size is not known.
[[nodiscard]] std::string slot_text(int128 slot, std::optional<std::uint64_t> block_size);

}  // namespace slabscope
