#include "input.h"

#include "peek.h"
#include "self_described.h"
#include "tensors.h"

#include <utility>

namespace slabscope::app {

std::unique_ptr<Source> Input::documents() {
  DumpFile& file = dump.file;
  if (file.stream != nullptr) return std::move(file.stream);
  const std::uint64_t size = file.access->size();
  return std::make_unique<WindowSource>(std::move(file.access), 0, size);
}

Result<Input> open_input(DumpOptions& options, RowsDocuments documents, Host& host) {
  Input made;
  if (options.tensors) {
    SLABSCOPE_TRY_ASSIGN(assembled, open_tensors(options, host));
    made.dump.file = std::move(assembled);
    return made;
  }
  // Whoever says what a dump is says that it is one.
  if (documents == RowsDocuments::yes && !options.container) {
    SLABSCOPE_TRY_ASSIGN(file, host.open_dump(options.dump));
    SLABSCOPE_TRY_ASSIGN(is_document, holds_documents(file));
    made = {{std::move(file), nullptr}, is_document};
    if (is_document) return made;
  }
  SLABSCOPE_TRY_ASSIGN(dump, apply_self_description(options, host, std::move(made.dump)));
  made.dump = std::move(dump);
  return made;
}

Result<RowsOptions> document_options(const InputOptions& options, Host& host) {
  if (const auto option = options.for_dumps_alone())
    return fail(ErrorCode::usage, *option + " is for dumps, and this is a rows document");
  if (options.arena)
    return fail(ErrorCode::usage,
                "--arena is for dumps, and this is a rows document (--raw: bytes)");
  SLABSCOPE_TRY_ASSIGN(padded, parse_count(options.padded));
  SLABSCOPE_TRY_ASSIGN(
      rows,
      rows_options({options.params, options.region_bytes, options.stride, options.max_slab_bytes,
                    options.layout.empty() ? std::nullopt : std::optional(options.layout)},
                   host));
  if (padded) assign(rows.params, {"padded_rows", *padded, {{}, {}, "--padded", true}});
  rows.take_partial = true;
  return rows;
}

}  // namespace slabscope::app
