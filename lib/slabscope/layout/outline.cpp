#include <slabscope/layout/outline.h>

#include <slabscope/layout/polynomial.h>

#include <algorithm>

namespace slabscope {
namespace {

Outline from_layout(const Layout& layout) {
  Outline made;
  made.description = layout.description;
  made.params = layout.params;
  made.size.value = layout.size;
  made.align = layout.align;
  made.warnings = layout.warnings;
  for (const ResolvedField& field : layout.fields) {
    OutlineField& each = made.fields.emplace_back();
    each.description = field.description;
    for (const std::uint64_t dimension : field.shape) each.shape.push_back({dimension, {}});
    each.offset.value = field.offset;
    each.bytes.value = field.bytes;
    each.align = field.align;
  }
  for (std::size_t index = 0; index < layout.tiles.size(); ++index) {
    const Tile& tile = layout.tiles[index];
    if (!tile.is_gap()) continue;
    const bool is_last = index + 1 == layout.tiles.size();
    made.gaps.push_back({{tile.offset, {}},
                         {tile.bytes, {}},
                         is_last ? layout.fields.size() : layout.tiles[index + 1].field});
  }
  return made;
}

Figure figure(const Polynomial& exact) {
  const auto value = exact.value();
  return {value, value ? std::string() : exact.text()};
}

// Expressions as polynomials: what is known is a number, a name without a value stays a name.
struct PolynomialDomain {
  using Value = Polynomial;
  using Outcome = tl::expected<Value, ArithmeticFault>;

  const Description& description;
  Scope& scope;

  static Outcome literal(int128 value) {
    if (value < 0) return tl::unexpected(ArithmeticFault::negative);
    return Polynomial::constant(static_cast<std::uint64_t>(value));
  }

  static std::string left_operand(const Value& value) {
    const std::string text = value.text();
    return text.find(" + ") == std::string::npos ? text : "(" + text + ")";
  }
  // A product on the right of / or % would be taken apart.
  static std::string right_operand(const Value& value) {
    const std::string text = value.text();
    return text.find_first_of("*+") == std::string::npos ? text : "(" + text + ")";
  }

  static Outcome apply(Operation operation, const Value& left, const Value& right) {
    if (left.value() && right.value()) {
      const auto exact = apply_checked(operation, *left.value(), *right.value());
      if (!exact) return tl::unexpected(exact.error());
      return Polynomial::constant(*exact);
    }
    std::optional<Polynomial> sum;
    if (operation == Operation::add) sum = left.plus(right);
    if (operation == Operation::multiply) sum = left.times(right);
    if (sum) return *sum;
    if (operation == Operation::add || operation == Operation::multiply)
      return tl::unexpected(ArithmeticFault::overflow);
    const auto call = [&](std::string_view name) {
      return std::string(name) + "(" + left.text() + ", " + right.text() + ")";
    };
    const auto infix = [&](std::string_view sign) {
      return "(" + left_operand(left) + " " + std::string(sign) + " " + right_operand(right) + ")";
    };
    switch (operation) {
      case Operation::subtract: return Polynomial::opaque(infix("-"));
      case Operation::divide: return Polynomial::opaque(infix("/"));
      case Operation::remainder: return Polynomial::opaque(infix("%"));
      case Operation::minimum: return Polynomial::opaque(call("min"));
      case Operation::maximum: return left.larger(right);
      case Operation::ceil_div: return Polynomial::opaque(call("ceil_div"));
      default: return Polynomial::opaque(call("align_up"), right.value().value_or(1));
    }
  }

  static Outcome rung(std::span<const Value> operands) {
    std::vector<std::uint64_t> known;
    std::string text;
    for (const Value& each : operands) {
      if (each.value()) known.push_back(*each.value());
      text += (text.empty() ? "rung(" : ", ") + each.text();
    }
    if (known.size() == operands.size())
      return Polynomial::constant(slabscope::rung(std::span<const std::uint64_t>(known)));
    return Polynomial::opaque(text + ")");
  }

  Result<Value> name(std::string_view wanted, const Expression& expression, std::size_t position) {
    const Result<std::uint64_t> value = scope.name(wanted, expression, position);
    if (value) return Polynomial::constant(*value);
    if (value.error().code != ErrorCode::param_missing) return fail(value.error());
    return Polynomial::opaque(std::string(wanted));
  }
};

class Outliner {
 public:
  Outliner(const Layout& params, std::optional<std::uint64_t> row_count)
      : description_(*params.description), scope_(description_, row_count, row_count) {
    made_.description = params.description;
    made_.params = params.params;
    made_.warnings = params.warnings;
    for (const Assignment& each : params.params)
      if (const ParamDescription* const param = description_.find_param(each.name); !param->value)
        scope_.set(index_of(*param), each.value);
  }

  Result<Outline> outline(std::vector<std::string> unset) {
    made_.unset = std::move(unset);
    for (const FieldDescription& field : description_.fields) SLABSCOPE_TRY(place(field));
    SLABSCOPE_TRY(check_known_extents());
    std::erase_if(made_.gaps, [this](const OutlineGap& gap) { return is_taken(gap); });
    made_.size = figure(size_);
    made_.align = std::max(made_.align, description_.align);
    return std::move(made_);
  }

 private:
  Result<void> place(const FieldDescription& field) {
    OutlineField& made = made_.fields.emplace_back();
    made.description = &field;
    made.align = field.align != 0 ? field.align : element_bytes(field.type);
    std::optional<Polynomial> bytes = Polynomial::constant(element_bytes(field.type));
    for (const Expression& each : field.shape) {
      SLABSCOPE_TRY_ASSIGN(dimension, polynomial(each));
      made.shape.push_back(figure(dimension));
      if (bytes) bytes = bytes->times(dimension);
    }
    std::optional<Polynomial> offset = end_.aligned_up(made.align);
    if (field.offset) {
      SLABSCOPE_TRY_ASSIGN(stated, polynomial(*field.offset));
      offset = stated;
    }
    const auto end = offset && bytes ? offset->plus(*bytes) : std::nullopt;
    if (!end) {
      Error failed = error(ErrorCode::size_overflow, refusal(description_, {}, {}) +
                                                         ": the size overflows at the field '" +
                                                         field.name + "'")
                         .at(field.origin.place, field.origin.pointer);
      failed.file = field.origin.file;
      return fail(std::move(failed));
    }
    made.offset = figure(*offset);
    if (made.offset.value && *made.offset.value % element_bytes(field.type) != 0)
      return fail(misaligned_error(field, *made.offset.value));
    made.bytes = figure(*bytes);
    if (const auto gap = offset->minus(end_); gap && gap->value() != std::uint64_t{0})
      made_.gaps.push_back({figure(end_), figure(*gap), made_.fields.size() - 1});
    end_ = *end;
    // Without offsets of their own, fields follow each other and the last one ends the slab.
    any_offset_ = any_offset_ || field.offset.has_value();
    size_ = any_offset_ ? size_.larger(end_) : end_;
    made_.align = std::max(made_.align, element_bytes(field.type));
    return {};
  }

  struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const FieldDescription* field = nullptr;
  };

  // Of the fields whose place is known, the non-empty ones.
  [[nodiscard]] std::vector<Extent> known_extents() const {
    std::vector<Extent> known;
    for (const OutlineField& each : made_.fields)
      if (each.offset.value && each.bytes.value.value_or(0) != 0)
        known.push_back(
            {*each.offset.value, *each.offset.value + *each.bytes.value, each.description});
    return known;
  }

  [[nodiscard]] Result<void> check_known_extents() const {
    std::vector<Extent> known = known_extents();
    std::stable_sort(known.begin(), known.end(), [](const Extent& left, const Extent& right) {
      return left.begin < right.begin;
    });
    for (std::size_t index = 1; index < known.size(); ++index)
      if (known[index].begin < known[index - 1].end)
        return fail(overlap_error(*known[index - 1].field, known[index - 1].begin,
                                  known[index - 1].end, *known[index].field, known[index].begin,
                                  known[index].end));
    return {};
  }

  // Fields may stand out of order, so that another one lies between two neighbours.
  [[nodiscard]] bool is_taken(const OutlineGap& gap) const {
    if (!gap.offset.value || !gap.bytes.value) return false;
    const std::uint64_t end = *gap.offset.value + *gap.bytes.value;
    const std::vector<Extent> known = known_extents();
    return std::any_of(known.begin(), known.end(), [&](const Extent& each) {
      return each.begin < end && *gap.offset.value < each.end;
    });
  }

  Result<Polynomial> polynomial(const Expression& expression) {
    PolynomialDomain domain{description_, scope_};
    return expression.evaluate(domain);
  }

  [[nodiscard]] std::size_t index_of(const ParamDescription& param) const {
    return static_cast<std::size_t>(&param - description_.params.data());
  }

  const Description& description_;
  Scope scope_;
  Outline made_;
  Polynomial end_;
  Polynomial size_;
  bool any_offset_ = false;
};

}  // namespace

Result<Outline> outline(const DescriptionPtr& description, const Assignments& given,
                        std::optional<std::uint64_t> row_count) {
  Assignments all = given;
  // As many rows as are asked for, where nothing else says how many.
  if (row_count && description->row_param) {
    const ParamDescription& rows = description->params[*description->row_param];
    if (!rows.value && !rows.default_value && find(all, rows.name) == nullptr)
      all.push_back({rows.name, *row_count, {}});
  }
  std::vector<std::string> unset = unset_params(*description, all, row_count.has_value());
  if (unset.empty()) return resolve(description, all, {row_count, {}}).map(from_layout);
  SLABSCOPE_TRY_ASSIGN(params, resolve_params(description, all, {row_count, {}}));
  return Outliner(params, row_count).outline(std::move(unset));
}

}  // namespace slabscope
