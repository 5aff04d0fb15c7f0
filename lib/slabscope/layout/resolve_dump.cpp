#include <slabscope/layout/resolve_dump.h>

#include <slabscope/layout/solve.h>

namespace slabscope {
namespace {

bool same_bytes(const Layout& left, const Layout& right) {
  if (left.size != right.size) return false;
  for (std::size_t index = 0; index < left.fields.size(); ++index)
    if (left.fields[index].offset != right.fields[index].offset ||
        left.fields[index].bytes != right.fields[index].bytes)
      return false;
  return true;
}

// All rows of capacity are given: parameters that follow the row count become what they would be
// then, unless that moved a byte.
Result<Layout> resolve_all_rows(const DescriptionPtr& description, const Assignments& given) {
  SLABSCOPE_TRY_ASSIGN(as_given, resolve(description, given, {}));
  if (find(given, "padded_rows") != nullptr && as_given.padded_rows > as_given.capacity)
    SLABSCOPE_TRY(check_rows(as_given));
  Assignments following;
  for (const Assignment& each : given) {
    const ParamDescription* const param = description->find_param(each.name);
    const bool follows =
        param != nullptr && param->default_value && counts_rows(*description, {}, *param);
    if (!follows) following.push_back(each);
  }
  const bool pads =
      description->has_padding_rows() && !description->find_param("padded_rows")->value;
  if (pads) assign(following, {"padded_rows", as_given.capacity, {}});
  Result<Layout> all = resolve(description, following, {as_given.capacity, {}});
  if (all && same_bytes(*all, as_given) && all->capacity == as_given.capacity) return all;
  Assignments kept = given;
  if (pads) assign(kept, {"padded_rows", as_given.capacity, {}});
  return resolve(description, kept, {as_given.capacity, {}});
}

}  // namespace

bool needs_window(const Description& description, const Assignments& given, bool row_count_known) {
  const auto unset = unset_params(description, given, row_count_known);
  return unset.size() == 1 && unset.front() != row_count_name;
}

Result<DumpLayout> resolve_dump(const DescriptionPtr& description, const Assignments& given,
                                std::optional<std::uint64_t> live_rows,
                                std::optional<std::uint64_t> window_bytes) {
  const std::vector<std::string> unset = unset_params(*description, given, live_rows.has_value());
  const bool needs_rows = !unset.empty() && unset.back() == row_count_name;
  if (unset.size() > 1 || needs_rows || (unset.size() == 1 && !window_bytes)) {
    std::string names;
    for (const std::string& each : unset)
      names += (names.empty() ? "" : ", ") + (each == row_count_name ? "the number of rows" : each);
    std::string hint;
    if (unset.front() != row_count_name)
      hint = "-D " + unset.front() + "=N; one alone follows from the bytes of a window";
    if (needs_rows) hint = "--live N";
    return fail(ErrorCode::param_missing, "the layout '" + description->name + "' needs " +
                                              (unset.size() == 1 ? "a value" : "values") + " for " +
                                              names + " (" + hint + ")");
  }
  DumpLayout made;
  Assignments all = given;
  const RowNumbers rows{live_rows, live_rows};
  if (!unset.empty()) {
    const std::string& name = unset.front();
    SLABSCOPE_TRY_ASSIGN(solved, solve_param(description, given, rows, name, *window_bytes));
    all.push_back({name, solved.last, {}});
    made.note = name + " = " + std::to_string(solved.last) + ", the " +
                (solved.first == solved.last ? "value"
                                             : "largest of " + std::to_string(solved.first) + ".." +
                                                   std::to_string(solved.last)) +
                " at which the slab is " + std::to_string(*window_bytes) + " B";
  }
  SLABSCOPE_TRY_ASSIGN(
      layout, live_rows ? resolve(description, all, rows) : resolve_all_rows(description, all));
  SLABSCOPE_TRY(check_rows(layout));
  made.layout = std::move(layout);
  return made;
}

}  // namespace slabscope
