// Parameters while a layout is resolved: what was given, what is derived or defaulted from it, each
// evaluated at most once and only when an expression needs it. Generic in the arithmetic, so that
// exact resolution and the solver's intervals follow the same rules.
#pragma once

#include <slabscope/layout/description.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// A parameter set by a document or an option, with its place for errors.
struct Assignment {
  std::string name;
  std::uint64_t value = 0;
  Origin origin;
};
using Assignments = std::vector<Assignment>;

[[nodiscard]] inline const Assignment* find(const Assignments& assignments,
                                            std::string_view name) noexcept {
  for (const Assignment& each : assignments)
    if (each.name == name) return &each;
  return nullptr;
}
// Sets or overrides.
void assign(Assignments& assignments, Assignment made);

struct CountArithmetic {
  using Value = std::uint64_t;
  static tl::expected<Value, ArithmeticFault> literal(int128 value) noexcept {
    if (value < 0) return tl::unexpected(ArithmeticFault::negative);
    return static_cast<Value>(value);
  }
  static tl::expected<Value, ArithmeticFault> apply(Operation operation, Value left,
                                                    Value right) noexcept {
    return apply_checked(operation, left, right);
  }
  static tl::expected<Value, ArithmeticFault> rung(std::span<const Value> operands) noexcept {
    return slabscope::rung(operands);
  }
};

Error missing_param(const Description& description, std::string_view name);

template <class Arithmetic>
class BasicScope {
 public:
  using Value = typename Arithmetic::Value;

  // Without a row count, all rows of capacity count: row_count is then the value of the row
  // parameter.
  BasicScope(const Description& description, std::optional<Value> row_count,
             std::optional<Value> live_rows)
      : description_(description),
        row_count_(row_count),
        live_rows_(live_rows),
        slots_(description.params.size()) {}

  void set(std::size_t param, Value value) { slots_[param] = {State::known, value}; }

  // Of a declared parameter. Errors: param_missing, param_cycle, and those of arithmetic.
  Result<Value> param(std::size_t index) {
    Slot& slot = slots_[index];
    if (slot.state == State::known) return slot.value;
    if (slot.state == State::evaluating)
      // Through the row count it is no circle: nobody has said how many rows there are.
      return fail(counting_rows_ != 0 ? missing_param(description_, row_count_name)
                                      : cycle_error(index));
    slot.state = State::evaluating;
    open_.push_back(index);
    Result<Value> outcome = evaluate(index);
    open_.pop_back();
    slot = outcome ? Slot{State::known, *outcome} : Slot{};
    return outcome;
  }

  Result<Value> row_count() {
    if (row_count_) return *row_count_;
    if (description_.row_param) {
      ++counting_rows_;
      Result<Value> capacity = param(*description_.row_param);
      --counting_rows_;
      return capacity;
    }
    return *Arithmetic::literal(1);
  }

  // Of an expression for a size, offset, count or parameter.
  Result<Value> count(const Expression& expression) { return expression.evaluate(*this); }

  // The domain that expressions are evaluated in.
  static tl::expected<Value, ArithmeticFault> literal(int128 value) {
    return Arithmetic::literal(value);
  }
  static tl::expected<Value, ArithmeticFault> apply(Operation operation, Value left, Value right) {
    return Arithmetic::apply(operation, left, right);
  }
  static tl::expected<Value, ArithmeticFault> rung(std::span<const Value> operands) {
    return Arithmetic::rung(operands);
  }
  Result<Value> name(std::string_view wanted, const Expression&, std::size_t) {
    if (wanted == row_count_name) return row_count();
    if (wanted == live_rows_name) return live_rows_ ? Result<Value>(*live_rows_) : row_count();
    return param(
        static_cast<std::size_t>(description_.find_param(wanted) - description_.params.data()));
  }

 private:
  enum class State : std::uint8_t { unknown, evaluating, known };
  struct Slot {
    State state = State::unknown;
    Value value{};
  };

  Result<Value> evaluate(std::size_t index) {
    const ParamDescription& description = description_.params[index];
    if (description.value) return count(*description.value);
    if (description.default_value) return count(*description.default_value);
    return fail(missing_param(description_, description.name));
  }

  [[nodiscard]] Error cycle_error(std::size_t index) const {
    std::string circle;
    for (auto each = std::find(open_.begin(), open_.end(), index); each != open_.end(); ++each) {
      const ParamDescription& param = description_.params[*each];
      const auto& behind = param.value ? param.value : param.default_value;
      circle += (circle.empty() ? "" : ", ") + param.name + " = " + behind->text();
    }
    const ParamDescription& first = description_.params[index];
    Error failed = error(ErrorCode::param_cycle,
                         "the parameter '" + first.name + "' is derived from itself: " + circle)
                       .at(first.origin.place, first.origin.pointer);
    failed.file = first.origin.file;
    return failed;
  }

  const Description& description_;
  std::optional<Value> row_count_;
  std::optional<Value> live_rows_;
  std::vector<Slot> slots_;
  std::size_t counting_rows_ = 0;  // row counts that are being evaluated as the capacity
  std::vector<std::size_t> open_;  // being evaluated, outermost first
};

class Scope : public BasicScope<CountArithmetic> {
 public:
  using BasicScope::BasicScope;
  // Of an expression for a fill, pad or null value: 128 bits, may be negative.
  Result<int128> value(const Expression& expression);
};

// Does the value of a parameter that is not given come from row_count or live_rows, directly or
// through others?
bool counts_rows(const Description& description, const Assignments& given,
                 const ParamDescription& param);

// Names without a value that the layout's offsets and sizes need: declared parameters in order of
// declaration, and row_count where the capacity is derived from it. Without a row count, a default
// that comes from row_count or live_rows is no value (padded_rows excepted): all rows of capacity
// count, and the capacity is what is asked for.
std::vector<std::string> unset_params(const Description& description, const Assignments& given,
                                      bool row_count_known);

}  // namespace slabscope
