// Reads an arena document from JSON, strictly, and finds the built-in ones.
#pragma once

#include <slabscope/arena/arena.h>
#include <slabscope/base/stream.h>

#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// {"arena": name, "bytes", "slabs": [{"name", "layout", "params", "offset", "region_bytes",
// "phase", "live_rows"}]}. A slab's layout is the name of a built-in one, or a description in its
// place. `file` is shown in errors. Errors: syntax, duplicate_key, unknown_key, missing_key,
// wrong_type, out_of_range, bad_arena, duplicate_name, unknown_layout, limit_exceeded, those of
// read_description().
Result<Arena> read_arena(Source& source, std::string file);

// Sorted: the files of schemas/arenas.
std::vector<std::string_view> builtin_arena_names();
// Reads the built-in arena `name`. Errors: unknown_arena.
Result<Arena> builtin_arena(std::string_view name);

}  // namespace slabscope
