#include <slabscope/layout/expression.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <array>
#include <limits>

namespace slabscope {
namespace {

struct Function {
  std::string_view name;
  Operation operation;
  std::size_t least_operands;
  std::size_t most_operands;
};

constexpr std::array functions = {
    Function{"min", Operation::minimum, 2, 2},
    Function{"max", Operation::maximum, 2, 2},
    Function{"ceil_div", Operation::ceil_div, 2, 2},
    Function{"align_up", Operation::align_up, 2, 2},
    Function{"rung", Operation::rung, 2, max_expression_bytes},
};

const Function* find_function(std::string_view name) noexcept {
  const auto* const found = std::find_if(functions.begin(), functions.end(),
                                         [&](const Function& each) { return each.name == name; });
  return found == functions.end() ? nullptr : found;
}

constexpr bool is_letter(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || each == '_';
}
constexpr bool is_digit(char each) noexcept { return each >= '0' && each <= '9'; }

}  // namespace

bool is_identifier(std::string_view text) noexcept {
  constexpr std::size_t max_name_bytes = 64;
  return !text.empty() && text.size() <= max_name_bytes && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char each) { return is_letter(each) || is_digit(each); });
}

bool is_function_name(std::string_view text) noexcept { return find_function(text) != nullptr; }

// Recursive descent; the depth is bounded.
class ExpressionParser {
 public:
  explicit ExpressionParser(Expression& into) : expression_(into), text_(into.text_) {}

  Result<void> parse() {
    SLABSCOPE_TRY(sum());
    if (!at_end()) return unexpected("an operator or the end");
    return {};
  }

 private:
  Result<void> sum() {
    SLABSCOPE_TRY(product());
    for (skip_blanks(); !at_end() && (text_[here_] == '+' || text_[here_] == '-'); skip_blanks()) {
      const std::size_t position = here_++;
      SLABSCOPE_TRY(product());
      add(text_[position] == '+' ? Operation::add : Operation::subtract, position, 2);
    }
    return {};
  }

  Result<void> product() {
    SLABSCOPE_TRY(unary());
    for (skip_blanks();
         !at_end() && (text_[here_] == '*' || text_[here_] == '/' || text_[here_] == '%');
         skip_blanks()) {
      const std::size_t position = here_++;
      SLABSCOPE_TRY(unary());
      add(text_[position] == '*'   ? Operation::multiply
          : text_[position] == '/' ? Operation::divide
                                   : Operation::remainder,
          position, 2);
    }
    return {};
  }

  Result<void> unary() {
    skip_blanks();
    if (at_end() || text_[here_] != '-') return primary();
    SLABSCOPE_TRY(enter());
    const std::size_t position = here_++;
    SLABSCOPE_TRY(unary());
    --depth_;
    add(Operation::negate, position, 1);
    return {};
  }

  Result<void> primary() {
    skip_blanks();
    if (at_end()) return unexpected("a number, a name or '('");
    if (is_digit(text_[here_])) return literal();
    if (is_letter(text_[here_])) return name_or_call();
    if (text_[here_] != '(') return unexpected("a number, a name or '('");
    SLABSCOPE_TRY(enter());
    ++here_;
    SLABSCOPE_TRY(sum());
    --depth_;
    return expect(')');
  }

  Result<void> literal() {
    const std::size_t begin = here_;
    const std::string_view digits = word();
    const IntegerText parsed = parse_integer(digits);
    if (parsed.fault == IntegerTextFault::beyond_64_bits)
      return fail(
          expression_.error_at(begin, ErrorCode::bad_expression, "a number is beyond 64 bits"));
    if (parsed.fault != IntegerTextFault::none)
      return fail(expression_.error_at(begin, ErrorCode::bad_expression,
                                       "'" + std::string(digits) + "' is no integer"));
    expression_.nodes_.push_back({Operation::literal, narrow(begin), 0, 0, parsed.value});
    return {};
  }

  Result<void> name_or_call() {
    const std::size_t begin = here_;
    const std::string_view name = word();
    skip_blanks();
    const Function* const function = find_function(name);
    if (at_end() || text_[here_] != '(') {
      if (function != nullptr)
        return fail(expression_.error_at(begin, ErrorCode::bad_expression,
                                         "the function " + std::string(name) + " needs operands"));
      expression_.nodes_.push_back({Operation::name, narrow(begin), narrow(name.size()), 0, 0});
      return {};
    }
    if (function == nullptr)
      return fail(expression_
                      .error_at(begin, ErrorCode::bad_expression,
                                "there is no function '" + std::string(name) + "'")
                      .with(std::string(name), "min, max, ceil_div, align_up, rung"));
    return call(*function, begin);
  }

  Result<void> call(const Function& function, std::size_t begin) {
    SLABSCOPE_TRY(enter());
    std::size_t count = 0;
    do {
      ++here_;  // '(' or ','
      SLABSCOPE_TRY(sum());
      ++count;
      skip_blanks();
    } while (!at_end() && text_[here_] == ',');
    SLABSCOPE_TRY(expect(')'));
    --depth_;
    if (count < function.least_operands || count > function.most_operands)
      return fail(expression_
                      .error_at(begin, ErrorCode::bad_expression,
                                std::string(function.name) + " has the wrong number of operands")
                      .with(std::to_string(count),
                            function.operation == Operation::rung ? "2 or more" : "2"));
    add(function.operation, begin, count);
    return {};
  }

  // The letters and digits from here on.
  std::string_view word() {
    const std::size_t begin = here_;
    while (!at_end() && (is_letter(text_[here_]) || is_digit(text_[here_]))) ++here_;
    return text_.substr(begin, here_ - begin);
  }

  Result<void> enter() {
    if (++depth_ <= max_expression_depth) return {};
    return fail(
        expression_.error_at(here_, ErrorCode::limit_exceeded, "the expression is nested too deep")
            .with(std::to_string(depth_), "at most " + std::to_string(max_expression_depth)));
  }

  Result<void> expect(char wanted) {
    skip_blanks();
    if (at_end() || text_[here_] != wanted) return unexpected(std::string("'") + wanted + "'");
    ++here_;
    return {};
  }

  Failure unexpected(std::string wanted) const {
    std::size_t end = std::min(here_ + 1, text_.size());  // of the whole UTF-8 character
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    const std::string got =
        at_end() ? "the end" : "'" + printable(text_.substr(here_, end - here_)) + "'";
    return fail(
        expression_.error_at(here_, ErrorCode::bad_expression, "cannot read this expression")
            .with(got, std::move(wanted)));
  }

  void add(Operation operation, std::size_t position, std::size_t operand_count) {
    expression_.nodes_.push_back({operation, narrow(position), 0, narrow(operand_count), 0});
  }
  void skip_blanks() noexcept {
    while (!at_end() && text_[here_] == ' ') ++here_;
  }
  [[nodiscard]] bool at_end() const noexcept { return here_ == text_.size(); }
  static std::uint32_t narrow(std::size_t value) noexcept {
    return static_cast<std::uint32_t>(value);
  }

  Expression& expression_;
  std::string_view text_;
  std::size_t here_ = 0;
  std::size_t depth_ = 0;
};

Result<Expression> Expression::parse(std::string_view text, Origin origin) {
  Expression made;
  made.origin_ = std::move(origin);
  if (text.size() > max_expression_bytes) {
    made.text_ = text.substr(0, 40);
    return fail(made.error_at(0, ErrorCode::limit_exceeded, "the expression is too long")
                    .with(std::to_string(text.size()) + " bytes",
                          "at most " + std::to_string(max_expression_bytes)));
  }
  made.text_ = text;
  SLABSCOPE_TRY(ExpressionParser(made).parse());
  return made;
}

Expression Expression::constant(int128 value, Origin origin) {
  Expression made;
  made.text_ = to_text(value);
  made.origin_ = std::move(origin);
  made.nodes_.push_back({Operation::literal, 0, 0, 0, value});
  return made;
}

std::string_view Expression::as_name() const noexcept {
  if (nodes_.size() != 1 || nodes_.front().operation != Operation::name) return {};
  return std::string_view(text_).substr(nodes_.front().position, nodes_.front().bytes);
}

Error Expression::error_here(ErrorCode code, std::string message) const {
  Error made = error(code, std::move(message)).at(origin_.place, origin_.pointer);
  made.file = origin_.file;
  return made;
}

Error Expression::error_at(std::size_t position, ErrorCode code, std::string message) const {
  message += ", in '" + printable(text_) + "'";
  if (position != 0) message += " at byte " + std::to_string(position);
  Error made = error_here(code, std::move(message));
  if (origin_.exact && made.place.line != 0) made.place.column += position;
  return made;
}

Error Expression::fault_at(std::size_t position, ArithmeticFault fault) const {
  switch (fault) {
    case ArithmeticFault::overflow:
      return error_at(position, ErrorCode::arithmetic_overflow, "overflow");
    case ArithmeticFault::negative:
      return error_at(position, ErrorCode::negative_size, "a value below zero");
    case ArithmeticFault::division_by_zero: break;
  }
  return error_at(position, ErrorCode::division_by_zero, "division by zero");
}

template <class T>
tl::expected<T, ArithmeticFault> apply_checked(Operation operation, T left, T right) noexcept {
  const auto or_overflow = [](std::optional<T> exact) -> tl::expected<T, ArithmeticFault> {
    if (!exact) return tl::unexpected(ArithmeticFault::overflow);
    return *exact;
  };
  switch (operation) {
    case Operation::add: return or_overflow(checked_add(left, right));
    case Operation::multiply: return or_overflow(checked_multiply(left, right));
    case Operation::minimum: return std::min(left, right);
    case Operation::maximum: return std::max(left, right);
    case Operation::subtract:
      if (static_cast<T>(-1) > 0 && left < right) return tl::unexpected(ArithmeticFault::negative);
      return or_overflow(checked_subtract(left, right));
    default: break;
  }
  if (left < 0 || right < 0) return tl::unexpected(ArithmeticFault::negative);
  if (right == 0) return tl::unexpected(ArithmeticFault::division_by_zero);
  switch (operation) {
    case Operation::divide: return left / right;
    case Operation::remainder: return left % right;
    case Operation::ceil_div: return left / right + (left % right != 0 ? 1 : 0);
    default: return or_overflow(checked_align_up(left, right));
  }
}

template tl::expected<std::uint64_t, ArithmeticFault> apply_checked(Operation, std::uint64_t,
                                                                    std::uint64_t) noexcept;
template tl::expected<int128, ArithmeticFault> apply_checked(Operation, int128, int128) noexcept;

}  // namespace slabscope
