// How many threads a command may work on.
#pragma once

#include "arguments.h"

namespace slabscope::app {

// Errors: those of parse_count, out_of_range. Not given: as many as there are cores, at most 8.
[[nodiscard]] Result<unsigned> parse_jobs(const NumberOption& jobs);

}  // namespace slabscope::app
