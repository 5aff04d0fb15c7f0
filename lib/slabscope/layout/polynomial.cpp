#include <slabscope/layout/polynomial.h>

#include <slabscope/base/checked.h>
#include <slabscope/layout/expression.h>

#include <algorithm>
#include <numeric>

namespace slabscope {
namespace {

constexpr std::size_t max_terms = 32;  // more than any formula that a person would read

}  // namespace

Polynomial Polynomial::constant(std::uint64_t value) {
  Polynomial made;
  if (value != 0) made.terms_[""] = {value, 1};
  return made;
}

Polynomial Polynomial::opaque(std::string text, std::uint64_t divisor) {
  Polynomial made;
  made.terms_[std::move(text)] = {1, divisor};
  return made;
}

std::optional<std::uint64_t> Polynomial::value() const {
  if (is_unknown_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second.factor;
}

std::string Polynomial::text() const {
  if (is_unknown_) return "(too long to show)";
  std::string joined;
  std::uint64_t constant = 0;
  for (const auto& [names, coefficient] : terms_) {
    if (names.empty()) {
      constant = coefficient.factor;
      continue;
    }
    if (!joined.empty()) joined += " + ";
    joined += coefficient.factor == 1 ? names : std::to_string(coefficient.factor) + "*" + names;
  }
  if (joined.empty()) return std::to_string(constant);
  return constant == 0 ? joined : joined + " + " + std::to_string(constant);
}

std::uint64_t Polynomial::divisor() const {
  if (is_unknown_) return 1;
  std::uint64_t common = 0;  // 0 is divided by everything
  for (const auto& [names, coefficient] : terms_)
    common = std::gcd(
        common,
        checked_multiply(coefficient.factor, coefficient.divisor).value_or(coefficient.factor));
  return common;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial& other) const {
  if (is_unknown_ || other.is_unknown_) return unknown();
  Polynomial sum = *this;
  for (const auto& [names, coefficient] : other.terms_) {
    Coefficient& mine = sum.terms_[names];
    const auto factor = checked_add(mine.factor, coefficient.factor);
    if (!factor) return std::nullopt;
    mine = {*factor, coefficient.divisor};
  }
  return sum.shortened();
}

std::optional<Polynomial> Polynomial::minus(const Polynomial& other) const {
  if (!dominates(other)) return std::nullopt;
  Polynomial difference = *this;
  for (const auto& [names, coefficient] : other.terms_) {
    const auto mine = difference.terms_.find(names);
    mine->second.factor -= coefficient.factor;
    if (mine->second.factor == 0) difference.terms_.erase(mine);
  }
  return difference;
}

std::optional<Polynomial> Polynomial::times(const Polynomial& other) const {
  if (terms_.empty() && !is_unknown_) return *this;
  if (other.terms_.empty() && !other.is_unknown_) return other;
  if (is_unknown_ || other.is_unknown_ || terms_.size() * other.terms_.size() > max_terms)
    return unknown();
  Polynomial product;
  for (const auto& [left_names, left] : terms_) {
    for (const auto& [right_names, right] : other.terms_) {
      const auto factor = checked_multiply(left.factor, right.factor);
      if (!factor) return std::nullopt;
      Polynomial term;
      const std::string names =
          left_names + (left_names.empty() || right_names.empty() ? "" : "*") + right_names;
      term.terms_[names] = {*factor, checked_multiply(left.divisor, right.divisor).value_or(1)};
      auto sum = product.plus(term);
      if (!sum) return std::nullopt;
      product = std::move(*sum);
    }
  }
  return product.shortened();
}

std::optional<Polynomial> Polynomial::aligned_up(std::uint64_t unit) const {
  if (const auto known = value()) {
    const auto aligned = checked_align_up(*known, unit);
    return aligned ? std::optional(constant(*aligned)) : std::nullopt;
  }
  if (is_unknown_ || divisor() % unit == 0) return *this;
  return opaque("align_up(" + text() + ", " + std::to_string(unit) + ")", unit).shortened();
}

bool Polynomial::dominates(const Polynomial& other) const {
  if (is_unknown_ || other.is_unknown_) return false;
  return std::all_of(other.terms_.begin(), other.terms_.end(), [&](const auto& term) {
    const auto mine = terms_.find(term.first);
    return mine != terms_.end() && mine->second.factor >= term.second.factor;
  });
}

Polynomial Polynomial::larger(const Polynomial& other) const {
  if (is_unknown_ || other.is_unknown_) return unknown();
  if (dominates(other)) return *this;
  if (other.dominates(*this)) return other;
  return opaque("max(" + text() + ", " + other.text() + ")", std::gcd(divisor(), other.divisor()))
      .shortened();
}

Polynomial Polynomial::shortened() const {
  return terms_.size() <= max_terms && text().size() <= max_expression_bytes ? *this : unknown();
}

Polynomial Polynomial::unknown() {
  Polynomial made;
  made.is_unknown_ = true;
  return made;
}

}  // namespace slabscope
