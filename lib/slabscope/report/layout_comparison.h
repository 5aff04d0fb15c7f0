// What moved between two layouts, or between two sets of parameters of one.
#pragma once

#include <slabscope/layout/layout.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// One figure of a field, or of the whole slab (field ""), that is not the same. None: the field is
// not there.
struct LayoutChange {
  std::string field;
  std::string what;  // offset, bytes, type, shape; size
  std::optional<std::string> from;
  std::optional<std::string> to;
};

// Fields are matched by name; those of `from` first, in its order.
std::vector<LayoutChange> compare_layouts(const Layout& from, const Layout& to);

std::string comparison_table(const Layout& from, const Layout& to,
                             const std::vector<LayoutChange>& changes);
// {"from", "to", "changes": [{"field", "what", "from", "to"}]}. Ends with a newline.
std::string comparison_json(const Layout& from, const Layout& to,
                            const std::vector<LayoutChange>& changes);

}  // namespace slabscope
