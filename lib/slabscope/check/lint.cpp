#include <slabscope/check/lint.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <unordered_map>

namespace slabscope {

std::string_view name(FindingSeverity severity) noexcept {
  constexpr std::string_view names[] = {"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

Finding& Reporter::slab(std::string message) {
  Finding& made = into_.emplace_back();
  made.rule = rule_.id;
  made.severity = rule_.severity;
  made.slab = batch_.source().slab;
  made.message = std::move(message);
  return made;
}

Finding& Reporter::element(std::uint64_t row, const ResolvedField& field, std::uint64_t index,
                           std::string expected, std::string message) {
  Finding& made = slab(std::move(message));
  made.row = row;
  made.field = field.name();
  if (!field.item_shape().empty()) made.index = index;
  made.offset = batch_.offset(field, row, index);
  made.bytes = field.element_bytes();
  made.value = to_text(batch_.view().element(field, row, index));
  made.expected = std::move(expected);
  return made;
}

bool Rule::may_cause(std::string_view rule) const noexcept {
  return std::any_of(implies.begin(), implies.end(), [&](std::string_view each) {
    return each == rule || (each == everything[0] && id != rule);
  });
}

void add_well_known(const Expression& expression, std::vector<std::string_view>& names) {
  expression.for_each_name([&](std::string_view name, std::size_t) {
    const auto known = std::find(std::begin(well_known_params), std::end(well_known_params), name);
    if (known != std::end(well_known_params) &&
        std::find(names.begin(), names.end(), *known) == names.end())
      names.push_back(*known);
  });
}

Result<RuleSet> choose_rules(std::span<const std::string> only,
                             std::span<const std::string> disable) {
  for (const std::span<const std::string> names : {only, disable})
    for (const std::string& each : names) {
      if (find_rule(each) != nullptr) continue;
      std::string known;
      for (const Rule* rule : rules()) known.append(known.empty() ? "" : ", ").append(rule->id);
      return fail(error(ErrorCode::usage, "'" + printable(each, 80) + "' is no rule")
                      .with(printable(each, 80), known));
    }
  const auto names = [](std::span<const std::string> list, const Rule& rule) {
    return std::find(list.begin(), list.end(), rule.id) != list.end();
  };
  RuleSet chosen;
  for (const Rule* rule : rules())
    if ((only.empty() || names(only, *rule)) && !names(disable, *rule)) chosen.push_back(rule);
  return chosen;
}

namespace {

bool applies(const Rule& rule, const Batch& batch) {
  return std::all_of(rule.roles.begin(), rule.roles.end(), [&](std::string_view role) {
    return role == "block_table" ? batch.table() != nullptr : batch.find(role) != nullptr;
  });
}

std::vector<std::string_view> missing_params(const Rule& rule, const Batch& batch) {
  std::vector<std::string_view> needed(rule.params.begin(), rule.params.end());
  if (rule.params_of != nullptr)
    for (const std::string_view each : rule.params_of(*batch.layout().description))
      needed.push_back(each);
  std::erase_if(needed, [&](std::string_view each) { return batch.stated(each).has_value(); });
  return needed;
}

// The first finding of each rule that may cause others, at most one for each rule.
class Causes {
 public:
  explicit Causes(const Findings& findings) : findings_(findings) {}
  void add(std::size_t index) {
    const std::string_view rule = findings_[index].rule;
    if (find_rule(rule)->implies.empty()) return;
    for (const std::size_t each : indices_)
      if (findings_[each].rule == rule) return;
    indices_.push_back(index);
  }
  [[nodiscard]] std::optional<std::size_t> of(std::string_view rule) const {
    for (const std::size_t each : indices_)
      if (find_rule(findings_[each].rule)->may_cause(rule)) return each;
    return std::nullopt;
  }

 private:
  const Findings& findings_;
  std::vector<std::size_t> indices_;
};

// Findings are in the order of their rules, so that a cause stands before what follows from it.
void find_causes(Findings& findings) {
  Causes of_slab(findings);
  std::unordered_map<std::uint64_t, Causes> of_row;
  for (std::size_t index = 0; index < findings.size(); ++index) {
    Finding& found = findings[index];
    found.consequence_of = of_slab.of(found.rule);
    for (const auto& row : {found.row, found.other_row})
      if (row && !found.consequence_of)
        if (const auto causes = of_row.find(*row); causes != of_row.end())
          found.consequence_of = causes->second.of(found.rule);
    if (found.row)
      of_row.try_emplace(*found.row, findings).first->second.add(index);
    else
      of_slab.add(index);
  }
}

}  // namespace

LintResult lint(const Batch& batch, const RuleSet& chosen) {
  LintResult result;
  for (const Rule* const rule : chosen) {
    if (!rule->attaches_to.empty() || !applies(*rule, batch)) continue;
    std::vector<std::string_view> missing = missing_params(*rule, batch);
    if (!missing.empty()) {
      result.not_run.push_back({rule->id, std::move(missing)});
      continue;
    }
    Reporter report(*rule, batch, result.findings);
    rule->check(batch, report);
  }
  find_causes(result.findings);
  for (const Rule* const rule : chosen) {
    const auto explained =
        std::find_if(result.findings.begin(), result.findings.end(), [&](const Finding& each) {
          return std::find(rule->attaches_to.begin(), rule->attaches_to.end(), each.rule) !=
                 rule->attaches_to.end();
        });
    if (explained == result.findings.end() || !applies(*rule, batch) ||
        !missing_params(*rule, batch).empty())
      continue;
    const auto cause = static_cast<std::size_t>(explained - result.findings.begin());
    const std::size_t before = result.findings.size();
    Reporter report(*rule, batch, result.findings);
    rule->check(batch, report);
    for (std::size_t index = before; index < result.findings.size(); ++index)
      result.findings[index].consequence_of = cause;
  }
  return result;
}

}  // namespace slabscope
