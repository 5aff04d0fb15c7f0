#include "documents.h"

#include <slabscope/layout/catalog.h>
#include <slabscope/layout/description_reader.h>

#include <doctest/doctest.h>

namespace slabscope::tests {

Assignments given(const Params& params) {
  Assignments made;
  for (const auto& [name, value] : params) made.push_back({name, value, {}});
  return made;
}

DescriptionPtr builtin(std::string_view name) {
  auto read = builtin_layout(name);
  REQUIRE(read.has_value());
  return *read;
}

DescriptionPtr description_of(std::string_view text) {
  MemorySource source(text);
  auto read = read_description(source, "layout.json");
  INFO((read ? std::string() : to_line(read.error(), "test")));
  REQUIRE(read.has_value());
  return *read;
}

Layout resolved(const DescriptionPtr& description, const Params& params, RowNumbers rows) {
  auto layout = resolve(description, given(params), rows);
  INFO((layout ? std::string() : shown_failure(layout.error())));
  REQUIRE(layout.has_value());
  return std::move(*layout);
}

Result<std::vector<RowsDocument>> read_documents(std::string_view text,
                                                 const RowsOptions& options) {
  MemorySource source(text);
  RowsReader reader(source, "rows.json", options);
  std::vector<RowsDocument> documents;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(document, reader.next());
    if (!document) return documents;
    documents.push_back(std::move(*document));
  }
}

Result<RowsDocument> read_document(std::string_view text, const RowsOptions& options) {
  SLABSCOPE_TRY_ASSIGN(documents, read_documents(text, options));
  REQUIRE(documents.size() == 1);
  return std::move(documents.front());
}

Bytes packed(const RowsDocument& document) {
  const RowsViewOf rows(document.rows);
  const auto slab = pack(document.layout, rows.view());
  INFO((slab ? std::string() : shown_failure(slab.error())));
  REQUIRE(slab.has_value());
  Bytes bytes(slab->bytes().begin(), slab->bytes().end());
  lay_over(document.residue, 0, bytes);
  return bytes;
}

Bytes streamed(const RowsDocument& document) {
  const RowsViewOf rows(document.rows);
  ByteSink sink;
  REQUIRE(write_slab(document.layout, rows.view(), document.residue, sink).has_value());
  return std::move(sink.bytes);
}

std::string decoded(const Layout& layout, std::span<const std::byte> slab, const RowsStyle& style) {
  const auto view = SlabView::of(layout, slab);
  REQUIRE(view.has_value());
  ByteSink sink;
  TextWriter text(sink);
  const SlabSource source{"dump.bin", "raw", {}, 0, {}, layout.size};
  const auto written = write_rows(*view, source, style, text);
  INFO((written ? std::string() : shown_failure(written.error())));
  REQUIRE(written.has_value());
  REQUIRE(text.finish().has_value());
  return {reinterpret_cast<const char*>(sink.bytes.data()), sink.bytes.size()};
}

std::string shown_failure(const Error& failed) {
  return std::string(info(failed.code).name) + ": " + failed.message;
}

}  // namespace slabscope::tests
