#include "reference_expression.h"

#include <algorithm>
#include <cctype>

namespace slabscope::fuzz {
namespace {

// From the language's documentation, not from the library's headers.
constexpr std::size_t most_bytes = 1024;
constexpr std::size_t most_depth = 64;
constexpr int128 highest = static_cast<int128>(~uint128{0} >> 1U);
constexpr int128 lowest = -highest - 1;
constexpr int128 past_counts = int128{1} << 64U;

bool is_letter(char each) {
  return std::isalpha(static_cast<unsigned char>(each)) != 0 || each == '_';
}
bool is_digit(char each) { return each >= '0' && each <= '9'; }

struct NoExpression {};

// The first fault is kept, and what follows is only parsed: its values do not count any more.
class Evaluator {
 public:
  Evaluator(std::string_view text, ReferenceDomain domain, const ReferenceNames& names)
      : text_(text), counts_(domain == ReferenceDomain::counts), names_(names) {}

  ReferenceValue run() {
    if (text_.size() > most_bytes) throw NoExpression{};
    const int128 value = sum();
    if (next() != '\0' || at_ < text_.size()) throw NoExpression{};
    return fault_ ? *fault_ : ReferenceValue{value};
  }

 private:
  // The next byte that is no blank; 0 at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char wanted) {
    if (next() != wanted) throw NoExpression{};
    ++at_;
  }
  void deeper() {
    if (++depth_ > most_depth) throw NoExpression{};
  }
  int128 fault(std::string_view code, std::size_t position) {
    if (!fault_) fault_ = {0, std::string(code), position};
    return 0;
  }

  int128 sum() {
    int128 left = product();
    for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
      const std::size_t position = at_++;
      left = combine(sign, left, product(), position);
    }
    return left;
  }

  int128 product() {
    int128 left = factor();
    for (char sign = next(); sign == '*' || sign == '/' || sign == '%'; sign = next()) {
      const std::size_t position = at_++;
      left = combine(sign, left, factor(), position);
    }
    return left;
  }

  int128 factor() {
    const char first = next();
    if (first == '-') {
      const std::size_t position = at_++;
      deeper();
      const int128 operand = factor();
      --depth_;
      return combine('-', 0, operand, position);
    }
    if (first == '(') {
      ++at_;
      deeper();
      const int128 inside = sum();
      --depth_;
      take(')');
      return inside;
    }
    if (!is_letter(first) && !is_digit(first)) throw NoExpression{};
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (!is_digit(first)) return name_or_call(word, begin);
    const auto literal = integer_of_text(word);
    if (!literal) throw NoExpression{};
    return *literal;
  }

  int128 name_or_call(std::string_view word, std::size_t begin) {
    constexpr std::string_view functions[] = {"min", "max", "ceil_div", "align_up", "rung"};
    const bool is_function =
        std::find(std::begin(functions), std::end(functions), word) != std::end(functions);
    if (is_function != (next() == '(')) throw NoExpression{};
    if (!is_function) return value_of(word, begin);
    deeper();
    std::vector<int128> operands;
    do {
      ++at_;  // '(' or ','
      operands.push_back(sum());
    } while (next() == ',');
    take(')');
    --depth_;
    if (operands.size() < 2 || (word != "rung" && operands.size() != 2)) throw NoExpression{};
    if (word == "rung") return rung(operands);
    return combine(word == "align_up"   ? 'u'
                   : word == "ceil_div" ? 'c'
                   : word == "min"      ? 'm'
                                        : 'M',
                   operands[0], operands[1], begin);
  }

  int128 value_of(std::string_view name, std::size_t begin) {
    if (fault_) return 0;
    const ReferenceValue value = names_(name);
    return value.has_value() ? value.value : fault(value.fault, begin);
  }

  static int128 rung(const std::vector<int128>& operands) {
    std::optional<int128> best;
    for (std::size_t index = 1; index < operands.size(); ++index)
      if (operands[index] >= operands[0])
        best = std::min(best.value_or(operands[index]), operands[index]);
    return best.value_or(operands[0]);
  }

  int128 combine(char sign, int128 left, int128 right, std::size_t position) {
    constexpr std::string_view overflow = "arithmetic_overflow";
    if (fault_) return 0;
    switch (sign) {
      case '+':
        if (right > 0 ? left > highest - right : left < lowest - right)
          return fault(overflow, position);
        return in_domain(left + right, position);
      case '-':
        if (right > 0 ? left < lowest + right : left > highest + right)
          return fault(overflow, position);
        return in_domain(left - right, position);
      case '*':
        if (product_is_beyond(left, right)) return fault(overflow, position);
        return in_domain(left * right, position);
      case 'm': return std::min(left, right);
      case 'M': return std::max(left, right);
      default: break;
    }
    if (left < 0 || right < 0) return fault("negative_size", position);
    if (right == 0) return fault("division_by_zero", position);
    const int128 quotient = left / right;
    const int128 over = left - quotient * right;
    if (sign == '/') return quotient;
    if (sign == '%') return over;
    if (sign == 'c') return over == 0 ? quotient : quotient + 1;
    if (over == 0) return left;
    if (left > highest - (right - over)) return fault(overflow, position);
    return in_domain(left + (right - over), position);
  }

  static bool product_is_beyond(int128 left, int128 right) {
    if (left == 0 || right == 0) return false;
    if ((left < 0) == (right < 0))
      return left > 0 ? left > highest / right : left == lowest || left < highest / right;
    return left < 0 ? left < lowest / right : right < lowest / left;
  }

  int128 in_domain(int128 value, std::size_t position) {
    if (counts_ && value < 0) return fault("negative_size", position);
    if (counts_ && value >= past_counts) return fault("arithmetic_overflow", position);
    return value;
  }

  std::string_view text_;
  bool counts_;
  const ReferenceNames& names_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::optional<ReferenceValue> fault_;
};

}  // namespace

std::optional<ReferenceValue> evaluate_reference(std::string_view text, ReferenceDomain domain,
                                                 const ReferenceNames& names) {
  try {
    return Evaluator(text, domain, names).run();
  } catch (const NoExpression&) {
    return std::nullopt;
  }
}

std::optional<std::vector<std::string>> names_in_reference(std::string_view text) {
  std::vector<std::string> found;
  const ReferenceNames keep = [&](std::string_view name) {
    found.emplace_back(name);
    return ReferenceValue{1};
  };
  if (!evaluate_reference(text, ReferenceDomain::values, keep)) return std::nullopt;
  return found;
}

std::string sole_name(std::string_view text) {
  const auto names = names_in_reference(text);
  if (!names || names->size() != 1) return {};
  std::string bare(text);
  std::erase_if(bare, [](char each) { return each == ' ' || each == '(' || each == ')'; });
  return bare == names->front() ? bare : std::string();
}

std::optional<int128> integer_of_text(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  if (text.empty() || (!is_hex && text.size() > 1 && text[0] == '0')) return std::nullopt;
  int128 value = 0;
  for (const char each : text) {
    const bool is_hex_letter = is_hex && std::isxdigit(static_cast<unsigned char>(each)) != 0;
    if (!is_digit(each) && !is_hex_letter) return std::nullopt;
    const int digit = is_digit(each) ? each - '0' : (each | 0x20) - 'a' + 10;
    value = std::min(value * (is_hex ? 16 : 10) + digit, past_counts);
  }
  if (value >= past_counts) return std::nullopt;
  return is_negative ? -value : value;
}

}  // namespace slabscope::fuzz
