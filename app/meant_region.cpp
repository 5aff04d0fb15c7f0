#include "meant_region.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace slabscope::app {
namespace {

// "'a', 'b', .. (5 in all)".
std::string first_names(std::span<const Region> regions) {
  constexpr std::size_t shown = 4;
  std::string text;
  if (regions.size() == 1 && regions.front().name.empty()) return text;
  for (const Region& each : regions.first(std::min(shown, regions.size())))
    text += (text.empty() ? "'" : ", '") + printable(each.name, 60) + "'";
  if (regions.size() > shown) text += ", .. (" + std::to_string(regions.size()) + " in all)";
  return text;
}

}  // namespace

Result<std::size_t> meant_region(const Container& container, const std::optional<std::string>& name,
                                 bool is_typed) {
  const auto regions = container.regions();
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < regions.size(); ++index) {
    const Region& each = regions[index];
    const bool is_meant = name ? each.name == *name : !each.must_be_named;
    if (is_meant && (!is_typed || each.type)) found.push_back(index);
  }
  if (found.size() == 1) return found.front();
  Error made = error(ErrorCode::unknown_region, {});
  if (name)
    made.message = !found.empty() ? counted(found.size(), "region") + " have this name"
                   : is_typed     ? "the dump has no tensor of this name"
                                  : "the dump has no region of this name";
  else
    made.message = regions.empty() ? "the dump holds no memory"
                                   : "the dump holds " + counted(regions.size(), "region");
  return fail(std::move(made).with(name ? printable(*name, 60) : "", first_names(regions)));
}

}  // namespace slabscope::app
