// Slabs to rows documents: straight from the slab's bytes to text, nothing in between. `pack` of
// what is written gives back the same bytes.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/slab/rows.h>
#include <slabscope/slab/view.h>
#include <slabscope/text/json_text.h>

#include <cstdint>
#include <optional>
#include <string>

namespace slabscope {

struct RowsStyle {
  bool one_line = false;  // a document a line (NDJSON); else a row a line
  bool trim = false;      // lists lose trailing elements that equal the field's fill
  bool residue = true;    // false: left out, and the document says that it is partial
  bool defaults = true;   // parameters that nobody set are written too
  // Lists are as long as these rows give them, instead of as long as their dimension.
  const RowsView* lengths = nullptr;
  std::optional<std::uint64_t> region_bytes = {};  // what the document says of it
};

// Where a slab came from. What does not apply is left out.
struct SlabSource {
  std::string file;
  std::string container;
  std::string region;
  std::optional<std::uint64_t> offset;   // bytes in the region
  std::optional<std::uint64_t> address;  // on the device
  std::uint64_t bytes = 0;
  std::string slab = {};                          // its name in an arena, if `region` is not
  std::optional<std::uint64_t> file_offset = {};  // where the region stands in the file as it is
};

// Writes the first layout.row_count rows of the slab as one document, ending without a newline; the
// number of live rows is said where it is another one.
// With `trim` the fill of every field is known. Errors: those of the writer's sink, at once or in
// its finish().
Result<void> write_rows(const SlabView& slab, const std::optional<SlabSource>& source,
                        const RowsStyle& style, TextWriter& text);

}  // namespace slabscope
