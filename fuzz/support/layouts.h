// The layouts that targets work on: the built-in ones, whatever they are, and a few that use all of
// the language.
#pragma once

#include "reference_layout.h"

#include <slabscope/layout/layout.h>

#include <string_view>
#include <vector>

namespace slabscope::fuzz {

struct FuzzLayout {
  std::string_view text{};
  JsonReference tree{};
  DescriptionPtr description{};
  std::vector<std::string> settable{};  // parameters: declared ones, then well-known ones
};

// Built-in ones first, by name.
const std::vector<FuzzLayout>& layouts();

// The parameters as the library and as the second evaluation take them.
Assignments assignments(const ReferenceParams& params);
ReferenceParams reference_params(const Assignments& params);

// Both evaluations of a layout agree, figure by figure.
void check_resolved(const Layout& layout, const ReferenceLayout& reference);

// Every byte of [0, size) has one owner: tiles without a hole, each field exactly one of them.
void check_tiles(const Layout& layout);

// Both evaluations take or refuse these parameters, and agree where they take them.
std::optional<Layout> check_resolution(const DescriptionPtr& description, const JsonReference& tree,
                                       const ReferenceParams& given, ReferenceRowNumbers rows);

// With the parameter `unset` taken out of what `layout` was resolved from: the outline's size, as
// an expression, gives the size.
void check_outline(const Layout& layout, const std::string& unset);

// And what is solved from the size gives the size, where that needs the parameter. For layouts
// whose size rises with their parameters: any other arithmetic is searched for up to a second, and
// many times that under sanitizers.
void check_solved(const Layout& layout, const std::string& unset);

}  // namespace slabscope::fuzz
