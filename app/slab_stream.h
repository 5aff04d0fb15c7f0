// Rows documents to a stream of slabs, one after the other, on one thread or on several.
#pragma once

#include "host.h"

#include <slabscope/json/document_pieces.h>
#include <slabscope/json/rows_reader.h>

#include <functional>
#include <string>

namespace slabscope::app {

// What is told of a slab's layout before the slab is written.
using TellLayout = std::function<void(const Layout& layout)>;

// All of the reader's documents, each slab at a multiple of `stride` when there is one. Errors:
// those of the reader and the sink.
[[nodiscard]] Result<void> write_slabs(RowsReader& reader, std::optional<std::uint64_t> stride,
                                       Sink& output, const TellLayout& tell);

// As write_slabs() of all documents of `source`, read and packed on `threads` threads: the same
// bytes, warnings and errors. One piece of about `piece_bytes`, and what is no stream of documents
// or cannot be cut into pieces, is read on one.
[[nodiscard]] Result<void> write_slabs_on_threads(
    unsigned threads, Source& source, const std::string& file, const RowsOptions& options,
    Sink& output, Host& host, std::size_t piece_bytes = DocumentPieces::usual_bytes);

}  // namespace slabscope::app
