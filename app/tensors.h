// --tensors: one slab out of columns that were dumped separately.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// Opens the tensors that `options.tensors` names ("slot=step.npz:slots,position=pos.npy"), and
// makes the slab of them: a raw dump, as `options` say afterwards, too, with the parameters that
// follow from the tensors' shapes. Errors: usage, unknown_region, those of open_dump(),
// params_of_columns(), resolve_dump() and assemble_slab().
[[nodiscard]] Result<DumpFile> open_tensors(DumpOptions& options, Host& host);

}  // namespace slabscope::app
