// The changes that diff finds, byte by byte.
#pragma once

#include <slabscope/check/diff.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slabscope::fuzz {

// Which bytes differ in what the changes hold; each change and the report of all is checked.
std::vector<bool> changed_bytes(const SlabDiff& diff, std::span<const std::byte> before,
                                std::span<const std::byte> after);

// Must a difference at this byte be told? Nothing: of a block table the entries in use decide.
std::optional<bool> is_looked_at(const Layout& layout, const DiffRules& rules, std::uint64_t at);

}  // namespace slabscope::fuzz
