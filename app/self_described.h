// Dumps that say themselves which slab they hold.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// Where neither a layout nor an arena is given, and the dump describes its slab: sets the options
// that this stands for, as far as they are not given. Gives back the dump, which is open then.
// Errors: those of open_dump() and self_description().
[[nodiscard]] Result<Dump> apply_self_description(DumpOptions& options, Host& host, Dump dump = {});

}  // namespace slabscope::app
