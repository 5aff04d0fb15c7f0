// Integers as text: one parser for documents and the command line, one printer for 128 bits.
#pragma once

#include <slabscope/base/checked.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slabscope {

enum class IntegerTextFault : std::uint8_t { none, not_an_integer, beyond_64_bits };

struct IntegerText {
  int128 value = 0;  // within [-2^64+1, 2^64-1]
  IntegerTextFault fault = IntegerTextFault::none;
};

// `-?(0|[1-9][0-9]*)` or `-?0x[0-9a-fA-F]+`, nothing around it; a magnitude past 2^64-1 is beyond
// 64 bits.
IntegerText parse_integer(std::string_view text) noexcept;

// The same with an optional suffix KiB, MiB or GiB: bytes.
IntegerText parse_size(std::string_view text) noexcept;

std::string to_text(int128 value);
// "0x2a".
std::string hex_text(std::uint64_t value);

}  // namespace slabscope
