// A map of every byte of an arena, made without its code.
#pragma once

#include <slabscope/arena/arena.h>

namespace slabscope::fuzz {

// The overlaps and gaps of an arena of small slabs are those of the map.
void check_arena_map(const PlacedArena& placed);

}  // namespace slabscope::fuzz
