// Rows documents and slabs, there and back in one step each.
#pragma once

#include "bytes.h"
#include "plain_rows.h"

#include <slabscope/base/stream.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/json/rows_writer.h>

#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

// Keeps the bytes that are written.
class ByteSink final : public Sink {
 public:
  Result<void> write(std::span<const std::byte> written) override {
    ++writes;
    bytes.insert(bytes.end(), written.begin(), written.end());
    return {};
  }
  Bytes bytes;
  std::size_t writes = 0;
};

Assignments given(const Params& params);
DescriptionPtr builtin(std::string_view name);
// Of a layout's JSON text; fails the test when it is refused.
DescriptionPtr description_of(std::string_view text);
// Fails the test when it is refused.
Layout resolved(const DescriptionPtr& description, const Params& params, RowNumbers rows = {});

// All documents of a text.
Result<std::vector<RowsDocument>> read_documents(std::string_view text,
                                                 const RowsOptions& options = {});
// The one document of a text.
Result<RowsDocument> read_document(std::string_view text, const RowsOptions& options = {});

// The slab of a document through pack(), its residue laid over it.
Bytes packed(const RowsDocument& document);
// The same through write_slab().
Bytes streamed(const RowsDocument& document);

// The document of a slab.
std::string decoded(const Layout& layout, std::span<const std::byte> slab, const RowsStyle& style);

// The code's stable name and the message, for what a failed check prints.
std::string shown_failure(const Error& failed);

}  // namespace slabscope::tests
