// A layout for people and for programs.
#pragma once

#include <slabscope/layout/outline.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// The largest value of a parameter at which the slab fits a region.
struct LayoutFit {
  std::string param;
  std::uint64_t value = 0;
  std::uint64_t region_bytes = 0;
  std::optional<std::uint64_t> tokens;  // that the value stands for, where it counts table entries
};

// Every field and gap in order of offset, the parameters and the total; at most 80 columns where
// that can be.
std::string layout_table(const Outline& outline, const std::optional<LayoutFit>& fit = {});

// {"layout", "params", "size", "align", "fields", "gaps"}: figures that are not known are null,
// with the expression beside them ("offset_expr", ...). Ends with a newline.
std::string layout_json(const Outline& outline, const std::optional<LayoutFit>& fit = {});

// All of `catalog`, in its order, by name with what each is for and its parameters.
std::string catalog_table(const std::vector<DescriptionPtr>& catalog);
// [{"layout", "doc", "params": {name: {"doc"}}}]. Ends with a newline.
std::string catalog_json(const std::vector<DescriptionPtr>& catalog);

}  // namespace slabscope
