// Inputs of the targets that read slabs: a header of one byte each says the layout, the rows that
// are asked for, parameters, region and groups; the slab's bytes follow. seeds.py writes the same
// form.
#pragma once

#include "layouts.h"

#include <slabscope/layout/resolve_dump.h>

#include <tests/support/bytes.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slabscope::fuzz {

struct SlabCase {
  const FuzzLayout* origin = nullptr;
  Layout layout{};
  std::optional<std::uint64_t> region_bytes{};
  std::vector<std::int64_t> groups{};
  std::vector<std::byte> slab{};  // exactly layout.size bytes; zeros behind those of the input
  std::size_t header_bytes = 0;   // of the input, before the slab
};

// Header bytes that are no small number.
inline constexpr std::uint8_t header_none = 0xFF;      // not set
inline constexpr std::uint8_t header_boundary = 0xEC;  // and above: boundaries[byte - this]

// Nothing when the parameters are refused, or the slab would pass max_slab_bytes.
std::optional<SlabCase> read_slab_case(std::span<const std::uint8_t> input);

}  // namespace slabscope::fuzz
