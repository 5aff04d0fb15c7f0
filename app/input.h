// What decode, lint and verify read: the bytes of a dump, tensors, or rows documents.
#pragma once

#include "dump_slabs.h"

#include <memory>

namespace slabscope::app {

// Of a command that takes rows documents as well as dumps. Documents may bring their layout.
struct InputOptions : DumpOptions {
  NumberOption region_bytes{"--region-bytes", {}};
  bool raw = false;  // bytes, whatever they begin with
};

enum class RowsDocuments : std::uint8_t { no, yes };

struct Input {
  Dump dump;  // as far as it had to be opened
  bool is_document = false;

  // The documents from the first byte on. Gives up `dump`.
  [[nodiscard]] std::unique_ptr<Source> documents();
};

// Finds out what the options name. A dump that describes its slab, where neither a layout nor an
// arena is given, and tensors set the options that they stand for. Errors: those of open_tensors(),
// open_dump(), holds_documents() and self_description().
[[nodiscard]] Result<Input> open_input(DumpOptions& options, RowsDocuments documents, Host& host);

// How documents are read by these options. Errors: usage, where one is for dumps alone; those of
// rows_options().
[[nodiscard]] Result<RowsOptions> document_options(const InputOptions& options, Host& host);

}  // namespace slabscope::app
