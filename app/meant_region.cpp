#include "meant_region.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace slabscope::app {
namespace {

// "'a', 'b#1', 'b#2', .. (5 in all)": of those with a type, where only these are asked for.
std::string first_names(std::span<const Region> regions, bool is_typed) {
  constexpr std::size_t shown = 4;
  std::string text;
  if (regions.size() == 1 && regions.front().name.empty()) return text;
  const std::vector<std::string> names = region_names(regions);
  std::size_t count = 0;
  for (std::size_t index = 0; index < regions.size(); ++index) {
    if (is_typed && !regions[index].type) continue;
    if (count < shown) text += (text.empty() ? "'" : ", '") + printable(names[index], 60) + "'";
    ++count;
  }
  if (count > shown) text += ", .. (" + std::to_string(count) + " in all)";
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
  const std::vector<std::string> names = region_names(regions);
  if (name && found.empty()) {
    const auto numbered = std::ranges::find(names, *name);
    const auto index = static_cast<std::size_t>(numbered - names.begin());
    if (numbered != names.end() && (!is_typed || regions[index].type)) return index;
  }
  Error made = error(ErrorCode::unknown_region, {});
  const bool is_no_tensor = name && is_typed && found.empty() &&
                            std::ranges::find(regions, *name, &Region::name) != regions.end();
  if (name)
    made.message = !found.empty() ? counted(found.size(), "region") + " have this name"
                   : is_no_tensor ? "the region of this name has no type: --region names it"
                   : is_typed     ? "the dump has no tensor of this name"
                                  : "the dump has no region of this name";
  else
    made.message = regions.empty() ? "the dump holds no memory"
                                   : "the dump holds " + counted(regions.size(), "region");
  if (!found.empty() && name) {
    return fail(std::move(made).with(printable(*name, 60),
                                     "'" + printable(names[found.front()], 60) + "' to '" +
                                         printable(names[found.back()], 60) + "'"));
  }
  return fail(
      std::move(made).with(name ? printable(*name, 60) : "", first_names(regions, is_typed)));
}

}  // namespace slabscope::app
