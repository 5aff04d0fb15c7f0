// The built-in layouts: the files of schemas/layouts, read when they are asked for.
#pragma once

#include <slabscope/layout/description.h>

#include <string_view>
#include <vector>

namespace slabscope {

// Sorted.
std::vector<std::string_view> builtin_layout_names();

// Reads the built-in layout `name`. Errors: unknown_layout.
Result<DescriptionPtr> builtin_layout(std::string_view name);

}  // namespace slabscope
