// Rows documents or bytes? What several commands take as either.
#pragma once

#include <slabscope/dump/file_access.h>

namespace slabscope::app {

struct Peeked {
  DumpFile file;
  bool is_document = false;

  // From the first byte on. Gives up `file`.
  [[nodiscard]] std::unique_ptr<Source> source();
};

// Looks at the first bytes that are no blanks. Errors: read_failed.
[[nodiscard]] Result<Peeked> peek(DumpFile file);

}  // namespace slabscope::app
