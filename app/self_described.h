// Dumps that say themselves which slab they hold.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// Where neither an arena nor tensors are given, and the dump describes its slab: sets the options
// that this stands for, as far as they are not given; a layout that is given has to be the one that
// the dump names. Gives back the dump, which is open then. Errors: those of open_dump() and
// self_description(), whose places are the dump's.
[[nodiscard]] Result<Dump> apply_self_description(DumpOptions& options, Host& host, Dump dump = {});

}  // namespace slabscope::app
