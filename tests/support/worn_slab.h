// Slabs as a dump may hold them: with none, a few, half or all of their bytes overwritten.
#pragma once

#include "bytes.h"
#include "pseudo_random.h"

#include <cstdint>

namespace slabscope::tests {

enum class Wear : std::uint8_t { none, few, half, all };
inline constexpr Wear wears[] = {Wear::none, Wear::few, Wear::half, Wear::all};

inline Bytes worn(Bytes slab, Wear wear, PseudoRandom& random) {
  const auto any = [&] { return static_cast<std::byte>(random.bits()); };
  if (slab.empty() || wear == Wear::none) return slab;
  if (wear == Wear::all) {
    for (std::byte& each : slab) each = any();
    return slab;
  }
  const std::uint64_t hits = wear == Wear::few ? 1 + random.below(8) : slab.size() / 2;
  for (std::uint64_t hit = 0; hit < hits; ++hit) slab[random.below(slab.size())] = any();
  return slab;
}

}  // namespace slabscope::tests
