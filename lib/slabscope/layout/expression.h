// The arithmetic of layout descriptions: text -> tree, and one evaluator that works in any domain
// (counts in 64 bits, values in 128 bits, intervals). Knows nothing of parameters; a domain looks
// names up.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/base/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// Longer than any formula a person writes; bounds parsing time and the depth of recursion.
inline constexpr std::size_t max_expression_bytes = 1024;
inline constexpr std::size_t max_expression_depth = 64;

enum class Operation : std::uint8_t {
  literal,
  name,
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  minimum,
  maximum,
  ceil_div,
  align_up,
  rung,
};

enum class ArithmeticFault : std::uint8_t { overflow, negative, division_by_zero };

// Where an expression stands, for its errors.
struct Origin {
  std::string file{};
  TextPlace place{};  // of the expression's first byte
  std::string pointer{};
  bool exact = true;  // columns inside the expression can be counted on from `place`
};

// Grammar: sums of products of [-]primary; primary: decimal or 0x integer, name, (sum), or a call
// of min(a,b) max(a,b) ceil_div(a,b) align_up(a,b) rung(x,a,b,..). Operators of one rank bind to
// the left.
class Expression {
 public:
  // Errors: bad_expression, limit_exceeded; with the place inside the text.
  static Result<Expression> parse(std::string_view text, Origin origin);
  static Expression constant(int128 value, Origin origin);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  // Set when the whole expression is one name.
  [[nodiscard]] std::string_view as_name() const noexcept;
  // Set when it is one literal.
  [[nodiscard]] bool is_constant() const noexcept {
    return nodes_.size() == 1 && nodes_.front().operation == Operation::literal;
  }
  [[nodiscard]] const Origin& origin() const noexcept { return origin_; }

  // An error at the expression's first byte.
  [[nodiscard]] Error error_here(ErrorCode code, std::string message) const;
  // An error at `position` (bytes into the text) that shows the expression.
  [[nodiscard]] Error error_at(std::size_t position, ErrorCode code, std::string message) const;

  // Calls visit(name, position) for every use of a name, left to right.
  template <class Visit>
  void for_each_name(Visit&& visit) const {
    for (const Node& node : nodes_)
      if (node.operation == Operation::name)
        visit(std::string_view(text_).substr(node.position, node.bytes), node.position);
  }

  // A domain has Value (Value{} is zero), literal(int128), apply(Operation, Value, Value) and
  // rung(std::span<const Value>), all to expected<Value, ArithmeticFault>, and
  // name(std::string_view, const Expression&, std::size_t position) to Result<Value>.
  template <class Domain>
  Result<typename Domain::Value> evaluate(Domain& domain) const;

 private:
  friend class ExpressionParser;
  struct Node {
    Operation operation;
    std::uint32_t position;       // of the operator, name or literal in the text
    std::uint32_t bytes;          // of the name
    std::uint32_t operand_count;  // that stand before it
    int128 literal;
  };

  [[nodiscard]] Error fault_at(std::size_t position, ArithmeticFault fault) const;

  std::string text_;
  Origin origin_;
  std::vector<Node> nodes_;  // in postfix order, so that no text can make evaluation recurse
};

template <class Domain>
Result<typename Domain::Value> Expression::evaluate(Domain& domain) const {
  using Value = typename Domain::Value;
  std::vector<Value> stack;
  stack.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    if (node.operation == Operation::name) {
      SLABSCOPE_TRY_ASSIGN(
          value, domain.name(std::string_view(text_).substr(node.position, node.bytes), *this,
                             node.position));
      stack.push_back(value);
      continue;
    }
    const std::span<const Value> operands = std::span(stack).last(node.operand_count);
    tl::expected<Value, ArithmeticFault> outcome;
    if (node.operation == Operation::literal)
      outcome = domain.literal(node.literal);
    else if (node.operation == Operation::rung)
      outcome = domain.rung(operands);
    else if (node.operation == Operation::negate)
      outcome = domain.apply(Operation::subtract, Value{}, operands[0]);
    else
      outcome = domain.apply(node.operation, operands[0], operands[1]);
    if (!outcome) return fail(fault_at(node.position, outcome.error()));
    stack.resize(stack.size() - node.operand_count);
    stack.push_back(*outcome);
  }
  return stack.back();
}

// `operation` on checked integers: T is std::uint64_t (a result below zero is a fault) or int128
// (values). Division, remainder, ceil_div and align_up take no negative operand.
template <class T>
tl::expected<T, ArithmeticFault> apply_checked(Operation operation, T left, T right) noexcept;
extern template tl::expected<std::uint64_t, ArithmeticFault> apply_checked(Operation, std::uint64_t,
                                                                           std::uint64_t) noexcept;
extern template tl::expected<int128, ArithmeticFault> apply_checked(Operation, int128,
                                                                    int128) noexcept;

// The least of the listed values (all but the first) that is >= the first, else the first.
template <class T>
T rung(std::span<const T> operands) noexcept {
  const T wanted = operands.front();
  const T* best = nullptr;
  for (std::size_t index = 1; index < operands.size(); ++index)
    if (operands[index] >= wanted && (best == nullptr || operands[index] < *best))
      best = &operands[index];
  return best == nullptr ? wanted : *best;
}

// [A-Za-z_][A-Za-z0-9_]*, at most 64 bytes: names of parameters, fields and layouts.
bool is_identifier(std::string_view text) noexcept;
// The names of functions, which no parameter may have.
bool is_function_name(std::string_view text) noexcept;

}  // namespace slabscope
