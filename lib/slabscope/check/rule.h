// A lint rule: one file in rules/ and one line in rules.cpp.
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

  void add(Finding made) { into_.push_back(std::move(made)); }
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

class FaultPlan;
class FaultSlab;

// How rows that a healthy engine would upload are made to break the rule: see fault.h. Whatever
// else fires must follow from the rule.
struct Fault {
  std::uint64_t least_rows = 1;  // live ones
  // Before there are rows. Null: the rule's own parameters will do.
  Result<void> (*plan)(FaultPlan& plan) = nullptr;
  // With the rows packed. Null: the parameters break the rule. Errors: fault_impossible, which
  // other rows may help.
  Result<void> (*put)(FaultSlab& slab) = nullptr;
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
  // Further parameters: those that the layout's own expressions come from.
  std::vector<std::string_view> (*params_of)(const Batch& batch) = nullptr;
  bool by_group = false;  // rows of one group are looked at as one
  bool of_arena = false;  // is about slabs of one arena; others are not looked at
  Fault fault = {};

  [[nodiscard]] bool may_cause(std::string_view rule) const noexcept;
};

// For `implies`: all other rules.
inline constexpr std::string_view everything[] = {"*"};
inline constexpr std::string_view block_and_slot[] = {"slot-formula", "block-range"};

// Adds the parameters that an expression comes from and that somebody has to state: those without a
// value, and well-known ones also with a default, which nobody has said holds for this engine.
void add_params(const Description& description, const Expression& expression,
                std::vector<std::string_view>& names);

// The slab takes more than the `have` bytes that there are for it.
[[nodiscard]] Finding unfit_slab(const Layout& layout, std::uint64_t have, std::uint64_t slab);

// The overlaps of a slab of an arena with those that begin behind it, in it.
[[nodiscard]] Findings overlaps_of(const PlacedArena& arena, std::uint64_t slab);

// All rules, causes before what follows from them.
[[nodiscard]] std::span<const Rule* const> rules() noexcept;
[[nodiscard]] const Rule* find_rule(std::string_view id) noexcept;

}  // namespace slabscope
