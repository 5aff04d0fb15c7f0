// A second reader and packer of rows documents: on a second JSON reader's tree, with checks for
// duplicates and ranges, storing bytes one by one at a second evaluation's offsets. Works for any
// layout; nothing of the library's readers, rows or packers is used.
#pragma once

#include "reference_layout.h"

#include <tests/support/bytes.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace slabscope::fuzz {

using tests::Bytes;

struct ReferenceOptions {
  const JsonReference* layout = nullptr;  // instead of the documents' own
  std::uint64_t max_slab_bytes = 0;
};

struct ReferenceDocument {
  ReferenceLayout layout{};
  Bytes packed{};  // without residue
  Bytes slab{};    // with it
  std::vector<std::int64_t> groups{};
  std::optional<std::uint64_t> region_bytes{};
};

struct ReferenceReading {
  std::vector<ReferenceDocument> documents{};  // up to the first that is refused
  bool is_refused = false;
  bool is_cut = false;      // refused before it was cut into documents
  bool is_unknown = false;  // a number past a double: the second reader cannot tell
};

ReferenceReading read_rows_reference(std::string_view text, const ReferenceOptions& options);

// The text cut into documents: one, several with a newline between them, or those of a list.
// Nothing when it is none of these, looking at brackets and strings alone.
std::optional<std::vector<std::string_view>> split_documents(std::string_view text);

// The element at `offset` of any bytes.
int128 reference_element(const ReferenceField& field, std::span<const std::byte> slab,
                         std::uint64_t offset);

// The descriptions of the built-in layouts; null when there is none of this name.
const JsonReference* builtin_reference(std::string_view name);

}  // namespace slabscope::fuzz
