// The slabs of a dump to a stream of rows documents, on one thread or on several.
#pragma once

#include "decode.h"

#include <slabscope/text/json_text.h>

namespace slabscope::app {

// All slabs, a document a line or an array of documents, written on up to `threads` threads: the
// same text and errors on any number of them. Errors: those of the reader; those of the writer's
// sink are told by its finish().
[[nodiscard]] Result<void> write_documents(const DecodeOptions& options, bool one_line,
                                           unsigned threads, SlabReader& slabs, TextWriter& text);

}  // namespace slabscope::app
