// Dumps that say themselves which slab they hold.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// Where neither a layout nor an arena is given, and the dump describes its slab: sets the options
// that this stands for, as far as they are not given, and tells the host. Gives back the dump, to
// be opened by these options; `file`, where it has been opened already. Errors: those of
// open_dump() and self_description().
[[nodiscard]] Result<DumpFile> take_self_description(DumpOptions& options, Host& host,
                                                     DumpFile file = {});

}  // namespace slabscope::app
