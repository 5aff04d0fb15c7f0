// A lint rule: one file in rules/ and one line in the list of rules.cpp.
#pragma once

#include <slabscope/check/batch.h>
#include <slabscope/check/finding.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

struct Rule;

// Takes the findings of one rule on one slab.
class Reporter {
 public:
  Reporter(const Rule& rule, const Batch& batch, Findings& into)
      : rule_(rule), batch_(batch), into_(into) {}

  // Of the slab as a whole.
  Finding& slab(std::string message);
  // Of one element of a row. Value and place are filled in.
  Finding& element(std::uint64_t row, const ResolvedField& field, std::uint64_t index,
                   std::string expected, std::string message);

 private:
  const Rule& rule_;
  const Batch& batch_;
  Findings& into_;
};

struct Rule {
  std::string_view id;
  FindingSeverity severity;
  std::string_view fires_when;                    // one line
  std::string_view explanation;                   // what goes wrong, and where to look
  std::span<const std::string_view> params = {};  // must be stated
  std::span<const std::string_view> roles = {};   // fields that the layout must have
  // Rules that may fire on the same row because of the same cause.
  std::span<const std::string_view> implies = {};
  // Runs only when one of these has fired, and explains it.
  std::span<const std::string_view> attaches_to = {};
  void (*check)(const Batch& batch, Reporter& report) = nullptr;
  // Further parameters, which the layout's own expressions need.
  std::vector<std::string_view> (*params_of)(const Description& description) = nullptr;

  [[nodiscard]] bool may_cause(std::string_view rule) const noexcept;
};

// For `implies`: all other rules.
inline constexpr std::string_view everything[] = {"*"};
inline constexpr std::string_view block_and_slot[] = {"slot-formula", "block-range"};

// Adds the well-known parameters that an expression names.
void add_well_known(const Expression& expression, std::vector<std::string_view>& names);

// All rules, causes before what follows from them.
[[nodiscard]] std::span<const Rule* const> rules() noexcept;
[[nodiscard]] const Rule* find_rule(std::string_view id) noexcept;

}  // namespace slabscope
