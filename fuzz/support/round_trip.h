// The ways of rows documents and slabs through the library and back, each held against a second
// reader and packer.
#pragma once

#include "layouts.h"
#include "reference_rows.h"

#include <slabscope/json/rows_writer.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slabscope::fuzz {

// A rows document, several or a list of them: accepted exactly when the second reader accepts,
// with the same slab, groups and region, however the bytes arrive; decode(pack) is the normalised
// document. `layout`: instead of the documents' own.
void check_rows_text(std::string_view text, const FuzzLayout* layout = nullptr);

// As check_rows_text; a first line "@NAME" names a layout of layouts() to read the rest with.
void check_named_rows_text(std::string_view text);

// Bytes as a slab: what is written of them holds every element, and packs to the same bytes.
void check_slab(const FuzzLayout& origin, const Layout& layout, std::span<const std::byte> slab);

}  // namespace slabscope::fuzz
