// What can be said of a layout before all its parameters are set: figures that are known, and for
// the others the expression, in the layout language, that gives them.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// A count or an offset: known, or as an expression over parameters that have no value.
struct Figure {
  std::optional<std::uint64_t> value;
  std::string expression;  // set when there is no value
};

struct OutlineField {
  const FieldDescription* description = nullptr;
  std::vector<Figure> shape;
  Figure offset;
  Figure bytes;
  std::uint64_t align = 1;
};

struct OutlineGap {
  Figure offset;
  Figure bytes;
  std::size_t before_field = 0;  // index into fields; their number for a gap at the end
};

struct Outline {
  DescriptionPtr description;
  Assignments params;              // with a value
  std::vector<std::string> unset;  // needed, without a value
  std::vector<OutlineField> fields;
  std::vector<OutlineGap> gaps;  // non-empty ones, as far as can be known
  Figure size;
  std::uint64_t align = 1;
  std::vector<Error> warnings;
};

// As resolve() where everything is set (then there is no unset parameter and no expression).
// `row_count`: as if a document gave so many rows; without, all rows of capacity. Errors: as
// resolve, except param_missing.
Result<Outline> outline(const DescriptionPtr& description, const Assignments& given,
                        std::optional<std::uint64_t> row_count = {});

}  // namespace slabscope
