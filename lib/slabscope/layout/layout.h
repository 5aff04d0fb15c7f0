// A resolved layout: the only place that knows an offset. Pack, decode, views and reports walk it.
// Every byte of [0, size) has exactly one owner, a field element or a gap.
#pragma once

#include <slabscope/layout/scope.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slabscope {

// Sizes are kept below 2^63 so that they are valid as signed file offsets too.
inline constexpr std::uint64_t max_slab_size = std::numeric_limits<std::int64_t>::max();
// What the commands pack or decode unless told otherwise: far above any metadata upload.
inline constexpr std::uint64_t default_max_slab_bytes = std::uint64_t{1} << 30;

struct ResolvedField {
  // Not "= default": a new one would be filled with zeros first, 512 B that are overwritten.
  ResolvedField() noexcept {}  // NOLINT(modernize-use-equals-default)

  const FieldDescription* description = nullptr;
  std::vector<std::uint64_t> shape;  // elements, outermost first; empty: a scalar
  std::uint64_t offset = 0;          // bytes from the slab's start
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;          // of the offset
  std::uint64_t items = 1;          // rows of capacity for a row's field, else 1
  std::uint64_t item_elements = 1;  // elements of one row, or of the whole field
  // Of elements that a live row's list does not give; or why it is unknown.
  Result<int128> fill = 0;
  // Where there are padding rows, of their first elements, the last repeats; or why it is unknown.
  // Not from {}, which writes zeros over all of it.
  Result<std::vector<int128>> pad = std::vector<int128>();

  [[nodiscard]] const std::string& name() const noexcept { return description->name; }
  [[nodiscard]] ElementType type() const noexcept { return description->type; }
  [[nodiscard]] std::uint64_t element_bytes() const noexcept {
    return slabscope::element_bytes(type());
  }
  [[nodiscard]] std::uint64_t item_bytes() const noexcept {
    return item_elements * element_bytes();
  }
  [[nodiscard]] std::uint64_t item_offset(std::uint64_t item) const noexcept {
    return offset + item * item_bytes();
  }
  // The shape of one row's value, or of the whole field.
  [[nodiscard]] std::span<const std::uint64_t> item_shape() const noexcept {
    return std::span(shape).subspan(description->per_row ? 1 : 0);
  }
};

// One owner of bytes: a field (an index into Layout::fields) or a gap. Never empty.
struct Tile {
  static constexpr std::size_t gap = std::numeric_limits<std::size_t>::max();
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::size_t field = gap;

  [[nodiscard]] bool is_gap() const noexcept { return field == gap; }
};

// Row numbers of a document. None: all rows of capacity count.
struct RowNumbers {
  std::optional<std::uint64_t> row_count;  // rows written in the document
  std::optional<std::uint64_t> live_rows;  // default: row_count
};

struct Layout {
  DescriptionPtr description;
  Assignments params;   // in order of declaration, those with a value, derived ones too
  Assignments carried;  // well-known ones that the layout does not declare
  Assignments given;    // what was set, both kinds: all others follow from these and the layout
  std::vector<ResolvedField> fields;  // in the description's order
  std::vector<Tile> tiles;            // by offset, from 0 to size without a hole
  std::uint64_t size = 0;             // bytes
  std::uint64_t align = 1;            // required of the slab's first byte
  std::uint64_t capacity = 1;         // rows that the slab has room for
  std::uint64_t row_count = 1;        // rows written in the document
  std::uint64_t live_rows = 1;
  std::uint64_t padded_rows = 1;  // row_count <= padded_rows <= capacity
  std::vector<Error> warnings;    // parameters above their soft maximum

  [[nodiscard]] const ResolvedField* find_field(std::string_view name) const noexcept;
  [[nodiscard]] const ResolvedField* find_role(std::string_view role) const noexcept;
};

// Lays out `description` at the parameters in `given`. Errors, in this order: unknown_param,
// derived_param, param_range, param_cycle, param_missing and those of arithmetic (parameters);
// size_overflow, misaligned, field_overlap (sizes). The numbers of rows are not checked against
// each other: check_rows does. `region_bytes` is for the text of a refusal; check_size says whether
// the slab fits.
Result<Layout> resolve(const DescriptionPtr& description, const Assignments& given, RowNumbers rows,
                       std::optional<std::uint64_t> region_bytes = {});

// Only the parameters of it, as far as they have values: params, carried and warnings are set.
// Errors: the first of resolve(), without param_missing.
Result<Layout> resolve_params(const DescriptionPtr& description, const Assignments& given,
                              RowNumbers rows);

// Errors misaligned and field_overlap, with figures. Of two fields the one that is described later
// has the place.
Error misaligned_error(const FieldDescription& field, std::uint64_t offset);
Error overlap_error(const FieldDescription& first, std::uint64_t first_begin,
                    std::uint64_t first_end, const FieldDescription& second,
                    std::uint64_t second_begin, std::uint64_t second_end);

// live_rows <= row_count <= padded_rows <= capacity. Errors: live_rows, row_count, padded_rows.
Result<void> check_rows(const Layout& layout, std::optional<std::uint64_t> region_bytes = {});

// How every refusal of a slab begins, e.g. "MTP attention metadata exceeds meta stride: needs 260
// B, have 259 B"; schedulers match the phrase. Parts without a figure are left out.
std::string refusal(const Description& description, std::optional<std::uint64_t> needed_bytes,
                    std::optional<std::uint64_t> region_bytes);

// The same of a slab that is laid out, with what its size stands for: "... (65 block-table
// entries)", "... (2 rows of 8 block-table entries)".
std::string refusal(const Layout& layout, std::uint64_t region_bytes);

// Does the slab fit? Errors: slab_limit, limit_exceeded (rows without number), region_exceeded.
Result<void> check_size(const Layout& layout, std::uint64_t max_slab_bytes,
                        std::optional<std::uint64_t> region_bytes);

}  // namespace slabscope
