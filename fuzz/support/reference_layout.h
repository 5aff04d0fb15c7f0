// A second evaluation of layout descriptions: from a second reader's tree, with exact integers in
// 128 bits, after the language's documentation. Nothing of the library's parser, resolver or
// arithmetic is used.
#pragma once

#include "reference_expression.h"

#include <tests/support/json_reference.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slabscope::fuzz {

using tests::JsonReference;

struct ReferenceField {
  std::string name;
  std::uint64_t width = 1;  // bytes of an element
  bool is_signed = false;
  bool per_row = false;
  bool may_be_left_out = false;
  std::vector<std::uint64_t> shape{};  // the rows' dimension included
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::optional<int128> fill = 0;                                  // none: it has no value
  std::optional<std::vector<int128>> pad = std::vector<int128>();  // none: unknown

  [[nodiscard]] std::vector<std::uint64_t> item_shape() const {
    return {shape.begin() + (per_row ? 1 : 0), shape.end()};
  }
  [[nodiscard]] std::uint64_t item_bytes() const {
    return bytes / (per_row && bytes != 0 ? shape.front() : 1);
  }
  [[nodiscard]] int128 lowest() const {
    return is_signed ? -(int128{1} << (8 * width - 1)) : int128{0};
  }
  [[nodiscard]] int128 highest() const {
    return (int128{1} << (8 * width - (is_signed ? 1 : 0))) - 1;
  }
};

// In order of declaration or as given.
using ReferenceParams = std::vector<std::pair<std::string, std::uint64_t>>;
std::optional<std::uint64_t> find_param(const ReferenceParams& params, std::string_view name);

struct ReferenceRowNumbers {
  std::optional<std::uint64_t> row_count{};
  std::optional<std::uint64_t> live_rows{};
};

struct ReferenceLayout {
  std::string name{};
  bool has_row_param = false;
  ReferenceParams params{};         // declared ones with a value
  std::set<std::string> derived{};  // of these, those that cannot be set
  ReferenceParams carried{};        // well-known ones that the layout does not declare
  std::vector<ReferenceField> fields{};
  std::uint64_t size = 0;
  std::uint64_t align = 1;
  std::uint64_t capacity = 1;
  std::uint64_t row_count = 1;
  std::uint64_t live_rows = 1;
  std::uint64_t padded_rows = 1;

  // Does the field stand in the rows of a document?
  [[nodiscard]] bool is_of_rows(const ReferenceField& field) const {
    return !has_row_param || field.per_row;
  }
};

// Nothing when the layout is refused at these parameters. `description` is one that the library
// has accepted; `given` has no name twice.
std::optional<ReferenceLayout> resolve_reference(const JsonReference& description,
                                                 const ReferenceParams& given,
                                                 ReferenceRowNumbers rows);

// Adds the parameters that rows imply: their number, and the longest list where a parameter is a
// last dimension. `longest` has an entry for each field.
void imply_reference_params(const JsonReference& description, ReferenceParams& given,
                            std::uint64_t row_count, const std::vector<std::uint64_t>& longest);

// Is the first dimension of this field's description exactly the row parameter?
bool is_per_row(const JsonReference& description, const JsonReference& field);

}  // namespace slabscope::fuzz
