// The changes that diff finds, byte by byte.
#pragma once

#include <slabscope/check/diff.h>

#include <span>
#include <vector>

namespace slabscope::fuzz {

// Which bytes differ in what the changes hold; each change and the report of all is checked.
std::vector<bool> changed_bytes(const SlabDiff& diff, std::span<const std::byte> before,
                                std::span<const std::byte> after);

}  // namespace slabscope::fuzz
