// Runs the rules over a slab, and says which findings follow from which.
#pragma once

#include <slabscope/check/rule.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

using RuleSet = std::vector<const Rule*>;

// Error usage: there is no such rule.
Result<const Rule*> named_rule(const std::string& id);

// The rules that are named in `only`, or all, without those named in `disable`, in order. Error
// usage: a name that is no rule.
Result<RuleSet> choose_rules(std::span<const std::string> only,
                             std::span<const std::string> disable);

// A rule that could not run, and the parameters that it lacks.
struct NotRun {
  std::string_view rule;
  std::vector<std::string_view> missing;
};

struct LintResult {
  Findings findings;  // causes before consequences
  std::vector<NotRun> not_run;
  // Of the rules chosen, those that are about something that this slab has, whether they ran or
  // not, and those about fields whose roles its layout does not have. Neither has rules that only
  // explain what others find.
  RuleSet applicable;
  RuleSet lacking_roles;
  std::vector<Assignment> unstated;  // what not_run names and the layout has a default for
  // Nobody said which of several rows are of one sequence: each is taken for one of its own.
  bool rows_are_sequences = false;
};

// Cost: linear in the slab, a few times a copy of its tables (tests/bench/run lint), as long
// as no block is used twice and ids are not far beyond the number of entries; else its used blocks
// and its tables are sorted too. Memory: a bit for each block of the pool, 56 B for each used table
// entry when they are sorted, and the findings of this slab.
LintResult lint(const Batch& batch, const RuleSet& chosen);

// Of a slab for which there are only `have` bytes: of the rules chosen region-fit, and in an arena
// region-overlap; no others.
LintResult lint_cut_slab(const Layout& layout, std::uint64_t have, std::uint64_t slab,
                         const PlacedArena* arena, const RuleSet& chosen);

}  // namespace slabscope
