// A layout description as parsed: names and expressions with their places, nothing evaluated.
// layouts.md's language in memory. Immutable once read, and shared by every Layout resolved from
// it.
#pragma once

#include <slabscope/base/element_type.h>
#include <slabscope/base/error.h>
#include <slabscope/layout/expression.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// Far above what engines upload; they bound the work that a hostile description can ask for.
inline constexpr std::size_t max_description_bytes = std::size_t{1} << 22;
inline constexpr std::size_t max_fields = 256;
inline constexpr std::size_t max_params = 64;
inline constexpr std::size_t max_dimensions = 8;
inline constexpr std::size_t max_listed_values = 1024;  // of one pad or null list

// Parameters that checks and generators know: any layout carries them through, whether it declares
// them or not.
inline constexpr std::string_view well_known_params[] = {
    "block_size",    "num_blocks",       "dummy_block", "kv_block_stride",
    "kv_index_bits", "lookahead_tokens", "padded_rows"};
[[nodiscard]] constexpr bool is_well_known(std::string_view param) noexcept {
  for (const std::string_view each : well_known_params)
    if (each == param) return true;
  return false;
}

// What checks, generators and the device view take a field for.
inline constexpr std::string_view known_roles[] = {"position", "kv_position", "slot",
                                                   "seq_len",  "block_table", "seq_slot"};

struct ParamDescription {
  std::string name;
  std::string doc;
  std::optional<Expression> min;
  std::optional<Expression> max;
  std::optional<Expression> soft_max;  // a warning above it
  std::optional<Expression> default_value;
  std::optional<Expression> value;  // derived: cannot be set
  Origin origin;
};

struct FieldDescription {
  std::string name;
  std::string doc;
  std::string role;
  ElementType type{};
  std::vector<Expression> shape;     // empty: a scalar
  std::optional<Expression> offset;  // bytes from the slab's start
  std::uint64_t align = 0;           // of the offset, without `offset`; 0: the element size
  bool may_be_left_out = false;      // the description states a fill
  bool fill_is_any = false;          // packs 0, checks do not look
  std::optional<Expression> fill;    // none: 0
  std::vector<Expression>
      pad;  // of a padding row's first elements, the last repeats; empty: the fill
  std::vector<Expression> null;  // values that mean "none"
  bool per_row = false;          // the first dimension is exactly the row parameter
  Origin origin;
};

struct Description {
  std::string name;
  std::string doc;
  std::string subject;  // how a refusal begins
  std::string file;     // for errors
  std::vector<ParamDescription> params;
  std::optional<std::size_t> row_param;  // index into params
  bool gaps_are_zero = true;
  std::uint64_t align = 0;  // required of the slab's first byte; 0: the largest element
  std::optional<Expression> rows_per_group;
  std::vector<FieldDescription> fields;  // in slab order
  std::vector<Error> warnings;           // roles that nobody knows: a slip, or a use of one's own

  [[nodiscard]] const ParamDescription* find_param(std::string_view wanted) const noexcept {
    for (const ParamDescription& each : params)
      if (each.name == wanted) return &each;
    return nullptr;
  }
  // May this parameter be set: is it declared and not derived, or well known and not declared?
  [[nodiscard]] bool takes(std::string_view param) const noexcept {
    const ParamDescription* const declared = find_param(param);
    return declared != nullptr ? !declared->value : is_well_known(param);
  }
  // Index into fields.
  [[nodiscard]] std::optional<std::size_t> find_field(std::string_view wanted) const noexcept {
    for (std::size_t index = 0; index < fields.size(); ++index)
      if (fields[index].name == wanted) return index;
    return std::nullopt;
  }
  // "position, slot": what a field that there is not could have been.
  [[nodiscard]] std::string field_names() const {
    std::string names;
    for (const FieldDescription& each : fields) names += (names.empty() ? "" : ", ") + each.name;
    return names;
  }
  // Is this field in the rows of a document? Without a row parameter there is one row, and all are.
  [[nodiscard]] bool is_of_rows(const FieldDescription& field) const noexcept {
    return !row_param || field.per_row;
  }
  // Padding rows exist: rows between the document's and this parameter get `pad`.
  [[nodiscard]] bool has_padding_rows() const noexcept {
    return find_param("padded_rows") != nullptr;
  }
};

using DescriptionPtr = std::shared_ptr<const Description>;

// Numbers of a document that expressions may use beside the parameters.
inline constexpr std::string_view row_count_name = "row_count";
inline constexpr std::string_view live_rows_name = "live_rows";

}  // namespace slabscope
