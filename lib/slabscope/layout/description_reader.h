// Reads a layout description from JSON, strictly: every mistake that does not depend on parameters
// is found here, with its place.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/layout/description.h>

#include <string>

namespace slabscope {

// `file` is shown in errors. Errors: syntax, duplicate_key, unknown_key, missing_key, wrong_type,
// out_of_range, bad_layout, bad_expression, unknown_name, unknown_type, duplicate_name,
// value_out_of_range, limit_exceeded.
Result<DescriptionPtr> read_description(Source& source, std::string file);

}  // namespace slabscope
