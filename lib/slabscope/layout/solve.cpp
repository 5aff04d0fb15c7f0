#include <slabscope/layout/solve.h>

#include <algorithm>
#include <vector>

namespace slabscope {
namespace {

constexpr std::size_t max_candidates = 8;
// Bisecting a monotonous layout takes about a hundred steps; a remainder of everything could take
// 2^64. A step costs about as much as the layout's expressions are long; together they stay below a
// second or so.
constexpr std::size_t max_work = 40'000'000;
constexpr std::size_t max_steps = 200'000;
constexpr std::size_t least_steps = 130;
constexpr std::uint64_t unbounded = ~std::uint64_t{0};

// All values that an expression may have; ends past 64 bits stand for "too large". Empty when low >
// high.
struct Interval {
  uint128 low = 0;
  uint128 high = 0;
};
constexpr uint128 too_large = uint128{1} << 64U;

struct IntervalArithmetic {
  using Value = Interval;
  using Outcome = tl::expected<Value, ArithmeticFault>;

  static Outcome literal(int128 value) {
    if (value < 0) return tl::unexpected(ArithmeticFault::negative);
    return Interval{static_cast<uint128>(value), static_cast<uint128>(value)};
  }

  static uint128 clamp(uint128 value) { return std::min(value, too_large); }
  static uint128 product(uint128 left, uint128 right) {
    if (left == 0 || right == 0) return 0;
    return left >= too_large || right >= too_large ? too_large : clamp(left * right);
  }
  static uint128 align_up(uint128 value, uint128 unit) {
    return clamp((value + unit - 1) / unit * unit);
  }

  static Outcome apply(Operation operation, Value left, Value right) {
    const uint128 least_divisor = std::max<uint128>(right.low, 1);
    switch (operation) {
      case Operation::add:
        return Interval{clamp(left.low + right.low), clamp(left.high + right.high)};
      case Operation::multiply:
        return Interval{product(left.low, right.low), product(left.high, right.high)};
      case Operation::minimum:
        return Interval{std::min(left.low, right.low), std::min(left.high, right.high)};
      case Operation::maximum:
        return Interval{std::max(left.low, right.low), std::max(left.high, right.high)};
      case Operation::subtract:
        if (left.high < right.low) return tl::unexpected(ArithmeticFault::negative);
        return Interval{left.low > right.high ? left.low - right.high : 0, left.high - right.low};
      default: break;
    }
    if (right.high == 0) return tl::unexpected(ArithmeticFault::division_by_zero);
    switch (operation) {
      case Operation::divide: return Interval{left.low / right.high, left.high / least_divisor};
      case Operation::ceil_div:
        return Interval{(left.low + right.high - 1) / right.high,
                        (left.high + least_divisor - 1) / least_divisor};
      case Operation::remainder:
        if (left.high < least_divisor) return left;
        if (left.low == left.high && right.low == right.high)
          return Interval{left.low % right.low, left.low % right.low};
        return Interval{0, std::min(left.high, right.high - 1)};
      default:
        if (right.low == right.high)
          return Interval{align_up(left.low, right.low), align_up(left.high, right.low)};
        return Interval{left.low, clamp(left.high + right.high - 1)};
    }
  }

  static Outcome rung(std::span<const Value> operands) {
    const bool exact_rungs =
        std::all_of(operands.begin() + 1, operands.end(),
                    [](const Interval& each) { return each.low == each.high; });
    Interval made{operands[0].low, operands[0].high};
    if (exact_rungs) {
      const auto step = [&](uint128 wanted) {
        uint128 best = too_large + 1;
        for (const Interval& each : operands.subspan(1))
          if (each.low >= wanted) best = std::min(best, each.low);
        return best > too_large ? wanted : best;
      };
      made = {step(made.low), step(made.high)};
      // Above the last rung values stand for themselves, so the step function still only rises.
      return made;
    }
    for (const Interval& each : operands.subspan(1)) made.high = std::max(made.high, each.high);
    return made;
  }
};

// Bounds of the slab's size while the parameter runs through an interval.
struct SizeBounds {
  uint128 low = 0;
  uint128 high = 0;
  bool same_offsets = true;  // all offsets are the same at every value of the interval
};

class Solver {
 public:
  Solver(const DescriptionPtr& description, const Assignments& given, RowNumbers rows,
         const std::string& param, std::uint64_t bytes)
      : description_(description),
        given_(given),
        rows_(rows),
        param_(*description->find_param(param)),
        bytes_(bytes) {}

  Result<SolvedParam> solve() {
    set_range();
    search();
    if (solutions_.size() == 1 && !gave_up_ && solutions_.front().last != unbounded)
      return solutions_.front();
    const std::string wanted = " the slab " + std::to_string(bytes_) + " B long";
    std::string text = "the bytes do not tell '" + param_.name + "': ";
    if (solutions_.empty() && gave_up_)
      text += "the layout's expressions are too tangled to search";
    else if (solutions_.empty() && !rejected_.empty())
      text += rejected_;
    else if (solutions_.empty())
      text += "no value makes" + wanted + nearest();
    else if (solutions_.size() == 1 && !gave_up_)
      text += "every value from " + std::to_string(solutions_.front().first) + " on makes" + wanted;
    else
      text += "several values make" + wanted + ": " + candidates();
    return fail(ErrorCode::param_unsolved, text + " (-D " + param_.name + "=N)");
  }

  // The same search for the largest value at which the slab takes at most the bytes.
  Result<std::uint64_t> fit() {
    set_range();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> open = {{least_, most_}};
    const std::size_t most = std::clamp(max_work / cost_of_step(), least_steps, max_steps);
    std::optional<std::uint64_t> found;
    for (std::size_t steps = 0; !open.empty() && !found; ++steps) {
      if (steps == most)
        return fail(ErrorCode::param_unsolved, "the layout's expressions are too tangled to fit '" +
                                                   param_.name + "' into a region");
      const auto [low, high] = open.back();
      open.pop_back();
      const std::optional<SizeBounds> bounds = size_bounds(low, high);
      if (!bounds || bounds->low > bytes_) continue;
      if (bounds->high <= bytes_ && fits_at(high)) found = high;
      if (found || low == high) continue;
      const std::uint64_t middle = low + (high - low) / 2;
      open.emplace_back(low, middle);
      open.emplace_back(middle + 1, high);
    }
    if (!found) {
      const Result<Layout> least = resolve_at(least_);
      return fail(
          ErrorCode::region_exceeded,
          refusal(*description_, least ? std::optional(least->size) : std::nullopt, bytes_) +
              " at any value of '" + param_.name + "'");
    }
    if (*found == unbounded)
      return fail(ErrorCode::param_unsolved,
                  "the slab fits at every value of '" + param_.name + "'");
    return *found;
  }

 private:
  [[nodiscard]] bool fits_at(std::uint64_t value) const {
    const Result<Layout> layout = resolve_at(value);
    return layout && layout->size <= bytes_ && check_rows(*layout);
  }

  // Depth first from small values to large ones, until there are more solutions than are shown.
  void search() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> open = {{least_, most_}};
    const std::size_t most = std::clamp(max_work / cost_of_step(), least_steps, max_steps);
    for (std::size_t steps = 0; !open.empty() && solutions_.size() <= max_candidates; ++steps) {
      if (steps == most) {
        gave_up_ = true;
        break;
      }
      const auto [low, high] = open.back();
      open.pop_back();
      const std::optional<SizeBounds> bounds = size_bounds(low, high);
      if (!bounds || bytes_ < bounds->low || bytes_ > bounds->high) continue;
      const bool one_solution =
          low == high || (bounds->low == bounds->high && bounds->same_offsets);
      // Where size and offsets stay the same, what refuses both ends (a pad that does not fit, rows
      // that are too many) is taken to refuse all between.
      if (one_solution && (take(low, high) || low == high || !is_slab(resolve_at(low)))) continue;
      const std::uint64_t middle = low + (high - low) / 2;
      open.emplace_back(middle + 1, high);
      open.emplace_back(low, middle);
    }
  }

  [[nodiscard]] bool is_slab(const Result<Layout>& layout) const {
    return layout && layout->size == bytes_ && check_rows(*layout);
  }

  // False when there is no such slab: the value is out of its range, fields overlap, or rows do not
  // fit.
  bool take(std::uint64_t low, std::uint64_t high) {
    const Result<Layout> layout = resolve_at(high);
    if (!layout || layout->size != bytes_) return false;
    if (const auto rows = check_rows(*layout); !rows) {
      rejected_ = "at " + std::to_string(high) + " the slab would be " + std::to_string(bytes_) +
                  " B long, but: " + rows.error().message;
      return false;
    }
    std::vector<std::uint64_t> offsets;
    for (const ResolvedField& each : layout->fields) offsets.push_back(each.offset);
    if (!solutions_.empty() && offsets == last_offsets_)
      solutions_.back().last = high;
    else
      solutions_.push_back({low, high});
    last_offsets_ = std::move(offsets);
    return true;
  }

  // Only values that the description allows are looked at, as far as its bounds are known.
  void set_range() {
    Scope scope(*description_, rows_.row_count, rows_.live_rows);
    for (const Assignment& each : given_)
      if (const ParamDescription* const param = description_->find_param(each.name))
        scope.set(static_cast<std::size_t>(param - description_->params.data()), each.value);
    if (param_.min)
      if (const auto least = scope.count(*param_.min)) least_ = *least;
    if (param_.max)
      if (const auto most = scope.count(*param_.max)) most_ = *most;
    most_ = std::max(least_, most_);
  }

  Result<Layout> resolve_at(std::uint64_t value) const {
    Assignments all = given_;
    all.push_back({param_.name, value, {}});
    return resolve(description_, all, rows_);
  }

  // Bytes of the expressions that one step evaluates, as a measure of its time.
  [[nodiscard]] std::size_t cost_of_step() const {
    std::size_t cost = 1;
    const auto add = [&](const std::optional<Expression>& each) {
      if (each) cost += each->text().size();
    };
    for (const ParamDescription& each : description_->params) {
      add(each.value);
      add(each.default_value);
    }
    for (const FieldDescription& field : description_->fields) {
      cost += 20;
      add(field.offset);
      for (const Expression& each : field.shape) cost += each.text().size();
    }
    return cost;
  }

  // Nothing when no value of the interval can be resolved.
  std::optional<SizeBounds> size_bounds(std::uint64_t low, std::uint64_t high) const {
    const auto exact = [](std::optional<std::uint64_t> value) {
      return value ? std::optional(Interval{*value, *value}) : std::nullopt;
    };
    BasicScope<IntervalArithmetic> scope(*description_, exact(rows_.row_count),
                                         exact(rows_.live_rows));
    const auto index = [&](const ParamDescription& param) {
      return static_cast<std::size_t>(&param - description_->params.data());
    };
    for (const Assignment& each : given_)
      if (const ParamDescription* const param = description_->find_param(each.name))
        scope.set(index(*param), {each.value, each.value});
    scope.set(index(param_), {low, high});

    for (const ParamDescription& param : description_->params) {
      const auto value = scope.param(index(param));
      if (!value) continue;
      const auto least = param.min ? scope.count(*param.min) : Result<Interval>(Interval{});
      const auto most =
          param.max ? scope.count(*param.max) : Result<Interval>(Interval{too_large, too_large});
      if ((least && value->high < least->low) || (most && value->low > most->high))
        return std::nullopt;
    }
    SizeBounds size;
    Interval end{};
    for (const FieldDescription& field : description_->fields) {
      const uint128 element = element_bytes(field.type);
      Interval bytes{element, element};
      for (const Expression& each : field.shape) {
        const auto dimension = scope.count(each);
        if (!dimension) return std::nullopt;
        bytes = *IntervalArithmetic::apply(Operation::multiply, bytes, *dimension);
      }
      const uint128 align = field.align == 0 ? element : field.align;
      Interval offset{IntervalArithmetic::align_up(end.low, align),
                      IntervalArithmetic::align_up(end.high, align)};
      if (field.offset) {
        const auto stated = scope.count(*field.offset);
        if (!stated) return std::nullopt;
        offset = *stated;
      }
      end = *IntervalArithmetic::apply(Operation::add, offset, bytes);
      size.low = std::max(size.low, end.low);
      size.high = std::max(size.high, end.high);
      size.same_offsets = size.same_offsets && offset.low == offset.high;
    }
    return size;
  }

  [[nodiscard]] std::string candidates() const {
    std::string text;
    for (std::size_t index = 0; index < std::min(solutions_.size(), max_candidates); ++index)
      text += (index == 0 ? "" : ", ") + std::to_string(solutions_[index].last);
    return solutions_.size() > max_candidates || gave_up_ ? text + ", ..." : text;
  }

  // The sizes next to the one looked for, by bisection as if the size only rose.
  [[nodiscard]] std::string nearest() const {
    std::optional<std::pair<std::uint64_t, std::uint64_t>> below;  // value, size
    std::optional<std::pair<std::uint64_t, std::uint64_t>> above;
    std::uint64_t low = least_;
    std::uint64_t high = most_;
    while (low <= high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const Result<Layout> layout = resolve_at(middle);
      const bool is_above = !layout || layout->size > bytes_;
      if (layout && middle <= max_slab_size) (is_above ? above : below) = {middle, layout->size};
      if (is_above && middle == least_) break;
      if (is_above)
        high = middle - 1;
      else if (middle == most_)
        break;
      else
        low = middle + 1;
    }
    std::string text;
    for (const auto& each : {below, above})
      if (each)
        text += (text.empty() ? "; nearest: " : ", ") + std::to_string(each->second) + " B at " +
                std::to_string(each->first);
    return text;
  }

  DescriptionPtr description_;
  const Assignments& given_;
  RowNumbers rows_;
  const ParamDescription& param_;
  std::uint64_t bytes_;
  std::uint64_t least_ = 0;  // values that are looked at
  std::uint64_t most_ = unbounded;
  std::vector<SolvedParam> solutions_;
  std::string rejected_;  // why a value of the right size is none
  std::vector<std::uint64_t> last_offsets_;
  bool gave_up_ = false;
};

// What is wrong whatever the value of `param`: with the other parameters, or one that is missing.
Result<void> check_given(const DescriptionPtr& description, const Assignments& given,
                         RowNumbers rows, const std::string& param) {
  SLABSCOPE_TRY(resolve_params(description, given, rows));
  const ParamDescription& wanted = *description->find_param(param);
  if (wanted.value)
    return fail(ErrorCode::derived_param,
                "'" + param + "' is derived (" + wanted.value->text() + ") and cannot be set");
  Assignments probe = given;
  probe.push_back({param, 1, {}});
  const Result<Layout> layout = resolve(description, probe, rows);
  if (layout || layout.error().code != ErrorCode::param_missing) return {};
  return fail(layout.error());
}

}  // namespace

Result<std::uint64_t> fit_param(const DescriptionPtr& description, const Assignments& given,
                                RowNumbers rows, const std::string& param,
                                std::uint64_t region_bytes) {
  SLABSCOPE_TRY(check_given(description, given, rows, param));
  return Solver(description, given, rows, param, region_bytes).fit();
}

Result<SolvedParam> solve_param(const DescriptionPtr& description, const Assignments& given,
                                RowNumbers rows, const std::string& param, std::uint64_t bytes) {
  SLABSCOPE_TRY(check_given(description, given, rows, param));
  return Solver(description, given, rows, param, bytes).solve();
}

}  // namespace slabscope
