// Rows documents or bytes? What several commands take as either.
#pragma once

#include <slabscope/base/stream.h>

#include <memory>

namespace slabscope::app {

struct Peeked {
  std::unique_ptr<Source> source;  // from its first byte on
  bool is_document = false;
};

// Looks at the first bytes that are no blanks. Errors: read_failed.
[[nodiscard]] Result<Peeked> peek(std::unique_ptr<Source> source);

}  // namespace slabscope::app
