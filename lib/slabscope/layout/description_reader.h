// Reads a layout description from JSON, strictly. Mistakes in its form, in names and in constant
// fill, pad and null values are found here, with their place; those that hang on parameters when it
// is resolved.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/layout/description.h>
#include <slabscope/text/object_reader.h>

#include <string>

namespace slabscope {

// `file` is shown in errors. Errors: syntax, duplicate_key, unknown_key, missing_key, wrong_type,
// out_of_range, bad_layout, bad_expression, unknown_name, unknown_type, duplicate_name,
// value_out_of_range, limit_exceeded.
Result<DescriptionPtr> read_description(Source& source, std::string file);
// One inside a larger document: the object that began at `begin`, after its begin token.
Result<DescriptionPtr> read_description(ObjectReader& in, TextPlace begin);

}  // namespace slabscope
