// Property: checking any slab, and any rows document that is accepted, at any parameters, groups
// and region, ends in linear time with findings that lie inside the slab, stand behind what they
// follow from, and are counted and printed by every report. Input: a rows document, or a slab case
// (support/slab_case.h) whose first byte begins none.
#include "support/check_lint.h"
#include "support/limits.h"
#include "support/mutation.h"
#include "support/slab_case.h"

#include <slabscope/json/rows_reader.h>
#include <slabscope/slab/pack.h>

namespace {

using namespace slabscope;

void check_documents(std::string_view text) {
  MemorySource source(text);
  RowsOptions options;
  options.max_slab_bytes = fuzz::max_slab_bytes;
  options.take_partial = true;
  options.any_region = true;
  RowsReader reader(source, "rows.json", std::move(options));
  for (auto next = reader.next(); next && *next; next = reader.next()) {
    const RowsDocument& document = **next;
    const RowsViewOf rows(document.rows);
    Buffer slab;
    BufferSink sink(slab);
    if (!write_slab(document.layout, rows.view(), document.residue, sink)) return;
    fuzz::check_lint({document.layout, std::as_const(slab).bytes(), document.region_bytes,
                      document.groups, &rows.view()});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::max_input_bytes) return 0;
  if (fuzz::is_document({data, size})) {
    check_documents({reinterpret_cast<const char*>(data), size});
  } else if (const auto made = fuzz::read_slab_case({data, size})) {
    fuzz::check_lint({made->layout, made->slab, made->region_bytes, made->groups});
  }
  return 0;
}
