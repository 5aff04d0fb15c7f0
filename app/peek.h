// Rows documents or bytes? What several commands take as either.
#pragma once

#include <slabscope/dump/file_access.h>

namespace slabscope::app {

// Looks at the first bytes from the first one that is no blank. A stream gives them again. Errors:
// read_failed.
[[nodiscard]] Result<bool> holds_documents(DumpFile& file);

}  // namespace slabscope::app
