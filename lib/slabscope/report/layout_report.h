// A layout for people and for programs.
#pragma once

#include <slabscope/layout/outline.h>

#include <string>
#include <vector>

namespace slabscope {

// Every field and gap in order of offset, the parameters and the total; at most 80 columns where
// that can be.
std::string layout_table(const Outline& outline);

// {"layout", "params", "size", "align", "fields", "gaps"}: figures that are not known are null,
// with the expression beside them ("offset_expr", ...). Ends with a newline.
std::string layout_json(const Outline& outline);

// All of `catalog`, in its order, by name with what each is for and its parameters.
std::string catalog_table(const std::vector<DescriptionPtr>& catalog);
// [{"layout", "doc", "params": {name: {"doc"}}}]. Ends with a newline.
std::string catalog_json(const std::vector<DescriptionPtr>& catalog);

}  // namespace slabscope
