// The map of an arena: slabs, gaps, overlaps; for people, and as JSON.
#pragma once

#include <slabscope/arena/arena.h>

#include <string>

namespace slabscope {

// At most 80 columns wide, but for names and figures that are longer.
std::string arena_table(const PlacedArena& placed);
std::string arena_json(const PlacedArena& placed);

}  // namespace slabscope
