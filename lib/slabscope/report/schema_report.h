// The published schemas, as they are printed.
#pragma once

#include <slabscope/base/error.h>

#include <string>
#include <string_view>

namespace slabscope {

// The JSON Schema `name`, ending with a newline; that of errors lists every code with its meaning.
// Error: unknown_schema.
Result<std::string> schema_text(std::string_view name);

// Names and titles of all schemas.
std::string schema_table();

// Every error code with its exit code and meaning.
std::string error_code_table();

}  // namespace slabscope
