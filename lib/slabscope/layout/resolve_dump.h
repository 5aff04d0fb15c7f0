// The layout of a slab that is already there: what was given, and what follows from its bytes and
// from how many of its rows are asked for.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstdint>
#include <optional>
#include <string>

namespace slabscope {

struct DumpLayout {
  Layout layout;
  std::string note;  // which parameter was solved, if one was
};

// With `live_rows`, the first so many rows are asked for. Without, all rows of capacity: then
// parameters that follow the row count (padded_rows among them) are set as if all of them had been
// given. One unset parameter is solved from `window_bytes`, if those are known. Errors:
// param_missing with all names, param_unsolved, those of resolve() and check_rows().
Result<DumpLayout> resolve_dump(const DescriptionPtr& description, const Assignments& given,
                                std::optional<std::uint64_t> live_rows,
                                std::optional<std::uint64_t> window_bytes);

// Does resolve_dump need `window_bytes`?
bool needs_window(const Description& description, const Assignments& given, bool row_count_known);

}  // namespace slabscope
