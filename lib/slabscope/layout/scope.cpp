#include <slabscope/layout/scope.h>

#include <algorithm>

namespace slabscope {
namespace {

struct ValueDomain {
  using Value = int128;
  Scope& scope;
  static tl::expected<int128, ArithmeticFault> literal(int128 value) { return value; }
  static tl::expected<int128, ArithmeticFault> apply(Operation operation, int128 left,
                                                     int128 right) {
    return apply_checked(operation, left, right);
  }
  static tl::expected<int128, ArithmeticFault> rung(std::span<const int128> operands) {
    return slabscope::rung(operands);
  }
  Result<int128> name(std::string_view wanted, const Expression& expression, std::size_t position) {
    SLABSCOPE_TRY_ASSIGN(count, scope.name(wanted, expression, position));
    return int128{count};
  }
};

// Follows names through the expressions of parameters.
class UnsetParams {
 public:
  UnsetParams(const Description& description, const Assignments& given, bool row_count_known)
      : description_(description),
        given_(given),
        row_count_known_(row_count_known),
        state_(description.params.size()),
        capacity_is_circular_(!row_count_known && capacity_counts_rows()) {}

  void need(const Expression& expression) {
    expression.for_each_name([&](std::string_view name, std::size_t) {
      if (const ParamDescription* const param = description_.find_param(name))
        need(*param);
      else
        row_count_is_unset_ = row_count_is_unset_ || capacity_is_circular_;
    });
  }

  void need(const ParamDescription& param) {
    State& state = state_[static_cast<std::size_t>(&param - description_.params.data())];
    if (state != State::unseen) return;
    state = State::seen;
    if (find(given_, param.name) != nullptr) return;
    if (param.value) return need(*param.value);
    if (!param.default_value || (!row_count_known_ && param.name != "padded_rows" &&
                                 counts_rows(description_, given_, param))) {
      state = State::unset;
      return;
    }
    need(*param.default_value);
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (std::size_t index = 0; index < state_.size(); ++index)
      if (state_[index] == State::unset) found.push_back(description_.params[index].name);
    if (row_count_is_unset_) found.emplace_back(row_count_name);
    return found;
  }

 private:
  enum class State : std::uint8_t { unseen, seen, unset };

  // Is the capacity derived from row_count, through derived parameters alone? (Defaults can be
  // set.)
  [[nodiscard]] bool capacity_counts_rows() const {
    if (!description_.row_param) return false;
    std::vector<bool> seen(description_.params.size());
    std::vector<std::size_t> open = {*description_.row_param};
    bool found = false;
    while (!open.empty() && !found) {
      const ParamDescription& each = description_.params[open.back()];
      open.pop_back();
      if (!each.value) continue;
      each.value->for_each_name([&](std::string_view name, std::size_t) {
        found = found || name == row_count_name || name == live_rows_name;
        const ParamDescription* const next = description_.find_param(name);
        if (next == nullptr) return;
        const auto index = static_cast<std::size_t>(next - description_.params.data());
        if (!seen[index]) open.push_back(index);
        seen[index] = true;
      });
    }
    return found;
  }

  const Description& description_;
  const Assignments& given_;
  bool row_count_known_;
  std::vector<State> state_;
  bool capacity_is_circular_;
  bool row_count_is_unset_ = false;
};

}  // namespace

void assign(Assignments& assignments, Assignment made) {
  const auto found = std::find_if(assignments.begin(), assignments.end(),
                                  [&](const Assignment& each) { return each.name == made.name; });
  if (found == assignments.end())
    assignments.push_back(std::move(made));
  else
    *found = std::move(made);
}

Error missing_param(const Description& description, std::string_view name) {
  return error(ErrorCode::param_missing, "the layout '" + description.name +
                                             "' needs a value for " + std::string(name) + " (-D " +
                                             std::string(name) + "=N)");
}

Result<int128> Scope::value(const Expression& expression) {
  ValueDomain domain{*this};
  return expression.evaluate(domain);
}

bool counts_rows(const Description& description, const Assignments& given,
                 const ParamDescription& param) {
  std::vector<bool> seen(description.params.size());
  std::vector<const ParamDescription*> open = {&param};
  bool found = false;
  while (!open.empty() && !found) {
    const ParamDescription& each = *open.back();
    open.pop_back();
    const auto& behind = each.value ? each.value : each.default_value;
    if (!behind) continue;
    behind->for_each_name([&](std::string_view name, std::size_t) {
      found = found || name == row_count_name || name == live_rows_name;
      const ParamDescription* const next = description.find_param(name);
      if (next == nullptr || find(given, name) != nullptr) return;
      const auto index = static_cast<std::size_t>(next - description.params.data());
      if (!seen[index]) open.push_back(next);
      seen[index] = true;
    });
  }
  return found;
}

std::vector<std::string> unset_params(const Description& description, const Assignments& given,
                                      bool row_count_known) {
  UnsetParams unset(description, given, row_count_known);
  if (description.row_param) unset.need(description.params[*description.row_param]);
  if (const ParamDescription* const padded = description.find_param("padded_rows"))
    unset.need(*padded);
  for (const FieldDescription& field : description.fields) {
    for (const Expression& each : field.shape) unset.need(each);
    if (field.offset) unset.need(*field.offset);
  }
  return unset.names();
}

}  // namespace slabscope
