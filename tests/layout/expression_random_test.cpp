// Expressions made at random, evaluated by the library and by a small evaluator that walks the tree
// they were printed from: the same value, or the same fault at the same operator, in both domains.
#include <slabscope/base/integer_text.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::PseudoRandom;

constexpr std::string_view names[] = {"a", "b", "rows_of_x", "_e", "Z9", "row_count", "live_rows"};
constexpr std::size_t param_count = 5;
using Values = std::array<std::uint64_t, std::size(names)>;

struct Tree {
  char kind = 0;  // '#' literal, 'n' name, '~' unary minus, + - * / %, or a function's letter
  std::uint64_t literal = 0;
  std::size_t name = 0;
  std::vector<Tree> operands{};
  std::size_t position = 0;  // of the operator or function in the printed text
};

std::string_view function_name(char kind) {
  switch (kind) {
    case 'm': return "min";
    case 'M': return "max";
    case 'c': return "ceil_div";
    case 'u': return "align_up";
    default: return "rung";
  }
}

Tree grow(PseudoRandom& random, int depth) {
  Tree tree;
  if (depth == 0 || random.one_in(5)) {
    if (random.one_in(2)) {
      tree.kind = 'n';
      tree.name = random.below(std::size(names));
    } else {
      tree.kind = '#';
      tree.literal = random.one_in(2) ? random.below(20) : random.of_any_width();
    }
    return tree;
  }
  constexpr char kinds[] = {'+', '+', '-', '-', '*', '*', '/', '%', '~', 'm', 'M', 'c', 'u', 'r'};
  tree.kind = random.pick(kinds);
  const std::size_t count = tree.kind == '~'   ? 1
                            : tree.kind == 'r' ? 2 + random.below(4)
                                               : std::size_t{2};
  for (std::size_t index = 0; index < count; ++index)
    tree.operands.push_back(grow(random, depth - 1));
  return tree;
}

class Printer {
 public:
  explicit Printer(PseudoRandom& random) : random_(random) {}

  // Ranks: 1 sum, 2 product, 3 sign, 4 primary. Parentheses where the rank asks for them, and now
  // and then where it does not.
  void print(Tree& tree, int least_rank) {
    const int rank = rank_of(tree);
    const bool parentheses = rank < least_rank || random_.one_in(12);
    blanks();
    if (parentheses) text += "(";
    inside(tree, rank);
    if (parentheses) {
      blanks();
      text += ")";
    }
  }

  std::string text;

 private:
  static int rank_of(const Tree& tree) {
    switch (tree.kind) {
      case '+':
      case '-': return 1;
      case '*':
      case '/':
      case '%': return 2;
      case '~': return 3;
      default: return 4;
    }
  }

  void inside(Tree& tree, int rank) {
    switch (rank) {
      case 1:
      case 2:
        print(tree.operands[0], rank);
        blanks();
        tree.position = text.size();
        text += tree.kind;
        print(tree.operands[1], rank + 1);
        return;
      case 3:
        blanks();
        tree.position = text.size();
        text += "-";
        print(tree.operands[0], 3);
        return;
      default: break;
    }
    if (tree.kind == 'n') {
      blanks();
      text += names[tree.name];
    } else if (tree.kind == '#') {
      literal(tree.literal);
    } else {
      blanks();
      tree.position = text.size();
      text += function_name(tree.kind);
      for (std::size_t index = 0; index < tree.operands.size(); ++index) {
        blanks();
        text += index == 0 ? "(" : ",";
        print(tree.operands[index], 1);
      }
      blanks();
      text += ")";
    }
  }

  void literal(std::uint64_t value) {
    blanks();
    if (random_.one_in(3)) {
      char hex[32];
      std::snprintf(hex, sizeof hex, random_.one_in(2) ? "0x%llx" : "0x%llX",
                    static_cast<unsigned long long>(value));
      text += hex;
    } else {
      text += std::to_string(value);
    }
  }
  void blanks() {
    if (random_.one_in(6)) text += random_.one_in(2) ? " " : "  ";
  }

  PseudoRandom& random_;
};

struct Outcome {
  int128 value = 0;
  std::string fault{};  // "code@position"
};

constexpr uint128 largest = ~uint128{0} >> 1U;  // of a signed 128-bit integer

uint128 magnitude(int128 value) {
  return value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
}

// The arithmetic of the layout language, spelled out in 128 bits without the library's helpers.
class Evaluator {
 public:
  Evaluator(const Values& values, bool counts) : values_(values), counts_(counts) {}

  Outcome evaluate(const Tree& tree) const {
    if (tree.kind == '#') return {int128{tree.literal}};
    if (tree.kind == 'n') return {int128{values_[tree.name]}};
    std::vector<int128> operands;
    for (const Tree& each : tree.operands) {
      Outcome operand = evaluate(each);
      if (!operand.fault.empty()) return operand;
      operands.push_back(operand.value);
    }
    if (tree.kind == '~') return combine('-', 0, operands[0], tree.position);
    if (tree.kind == 'r') return {rung(operands)};
    return combine(tree.kind, operands[0], operands[1], tree.position);
  }

 private:
  static Outcome fault(std::string_view code, std::size_t position) {
    return {0, std::string(code) + "@" + std::to_string(position)};
  }

  // The sign and magnitude of an exact result, checked against the domain.
  [[nodiscard]] Outcome checked(bool negative, uint128 size, std::size_t position) const {
    if (counts_) {
      if (negative && size != 0) return fault("negative_size", position);
      if (size >> 64U != 0) return fault("arithmetic_overflow", position);
    } else if (size > largest + (negative ? 1 : 0)) {
      return fault("arithmetic_overflow", position);
    }
    return {negative ? static_cast<int128>(uint128{0} - size) : static_cast<int128>(size)};
  }

  [[nodiscard]] Outcome sum(int128 left, int128 right, std::size_t position) const {
    const uint128 l = magnitude(left);
    const uint128 r = magnitude(right);
    // Magnitudes are at most 2^127, so that their sum fits in 128 unsigned bits or is 2^128.
    if ((left < 0) == (right < 0)) {
      if (l + r < l) return fault("arithmetic_overflow", position);
      return checked(left < 0, l + r, position);
    }
    return l >= r ? checked(left < 0, l - r, position) : checked(right < 0, r - l, position);
  }

  [[nodiscard]] Outcome product(int128 left, int128 right, std::size_t position) const {
    const uint128 l = magnitude(left);
    const uint128 r = magnitude(right);
    const bool negative = l != 0 && r != 0 && (left < 0) != (right < 0);
    if (l != 0 && r > ~uint128{0} / l) return fault("arithmetic_overflow", position);
    return checked(negative, l * r, position);
  }

  [[nodiscard]] Outcome combine(char kind, int128 left, int128 right, std::size_t position) const {
    switch (kind) {
      case '+': return sum(left, right, position);
      case '*': return product(left, right, position);
      case 'm': return {std::min(left, right)};
      case 'M': return {std::max(left, right)};
      case '-':
        if (magnitude(right) > largest) {  // -2^127 has no negative
          if (left >= 0) return fault("arithmetic_overflow", position);
          return {left - right};
        }
        return sum(left, -right, position);
      default: break;
    }
    if (left < 0 || right < 0) return fault("negative_size", position);
    if (right == 0) return fault("division_by_zero", position);
    const uint128 l = magnitude(left);
    const uint128 r = magnitude(right);
    if (kind == '/') return checked(false, l / r, position);
    if (kind == '%') return checked(false, l - l / r * r, position);
    const uint128 up = l / r * r == l ? l / r : l / r + 1;
    if (kind == 'c') return checked(false, up, position);
    if (up != 0 && r > ~uint128{0} / up) return fault("arithmetic_overflow", position);
    return checked(false, up * r, position);
  }

  static int128 rung(const std::vector<int128>& operands) {
    std::vector<int128> steps(operands.begin() + 1, operands.end());
    std::sort(steps.begin(), steps.end());
    const auto found = std::lower_bound(steps.begin(), steps.end(), operands[0]);
    return found == steps.end() ? operands[0] : *found;
  }

  const Values& values_;
  bool counts_;
};

template <class T>
std::string shown_outcome(const Result<T>& result) {
  if (result) return to_text(int128{*result});
  return std::string(info(result.error().code).name) + "@" +
         std::to_string(result.error().place.column - 1);
}
std::string shown_outcome(const Outcome& outcome) {
  return outcome.fault.empty() ? to_text(outcome.value) : outcome.fault;
}

TEST_CASE("20000 expressions at random parameters, in both domains") {
  const DescriptionPtr description = tests::described(
      R"({"name": "t", "params": {"a": {}, "b": {}, "rows_of_x": {}, "_e": {}, "Z9": {}},
          "fields": []})");
  PseudoRandom random(10);
  int counts_with_value = 0;
  int values_with_value = 0;
  int parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    Tree tree = grow(random, 1 + static_cast<int>(random.below(4)));
    Printer printer(random);
    printer.print(tree, 1);
    if (printer.text.size() > max_expression_bytes) continue;
    Values values{};
    for (std::uint64_t& each : values)
      each = random.one_in(2) ? random.below(12) : random.of_any_width();

    const Result<Expression> expression =
        Expression::parse(printer.text, {"layout.json", {1, 1}, "/x", true});
    CAPTURE(printer.text);
    REQUIRE(expression.has_value());
    ++parsed;
    Scope scope(*description, values[param_count], values[param_count + 1]);
    for (std::size_t index = 0; index < param_count; ++index) scope.set(index, values[index]);
    const auto count = scope.count(*expression);
    const auto value = scope.value(*expression);
    counts_with_value += count ? 1 : 0;
    values_with_value += value ? 1 : 0;
    CHECK(shown_outcome(count) == shown_outcome(Evaluator(values, true).evaluate(tree)));
    CHECK(shown_outcome(value) == shown_outcome(Evaluator(values, false).evaluate(tree)));
  }
  // The expressions are worth something: most parse, many have a value, many do not.
  CHECK(parsed > 19000);
  CHECK(counts_with_value > 4000);
  CHECK(values_with_value > counts_with_value);
  CHECK(values_with_value < parsed - 1000);
}

}  // namespace
}  // namespace slabscope
