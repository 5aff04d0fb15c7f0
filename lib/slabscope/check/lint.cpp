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

void add_params(const Description& description, const Expression& expression,
                std::vector<std::string_view>& names) {
  std::vector<const Expression*> open = {&expression};
  std::vector<std::string_view> looked_into;  // each once: they may form a circle
  const auto is_new = [](std::vector<std::string_view>& known, std::string_view name) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return false;
    known.push_back(name);
    return true;
  };
  while (!open.empty()) {
    const Expression& each = *open.back();
    open.pop_back();
    each.for_each_name([&](std::string_view name, std::size_t) {
      const ParamDescription* const param = description.find_param(name);
      if (param == nullptr) return;  // row_count, live_rows
      const auto& behind =
          param->value || is_well_known(name) ? param->value : param->default_value;
      if (!behind)
        is_new(names, param->name);
      else if (is_new(looked_into, param->name))
        open.push_back(&*behind);
    });
  }
}

Result<const Rule*> named_rule(const std::string& id) {
  if (const Rule* const found = find_rule(id)) return found;
  std::vector<std::string_view> known;
  for (const Rule* rule : rules()) known.push_back(rule->id);
  return fail(error(ErrorCode::usage, "'" + printable(id, 80) + "' is no rule")
                  .with(printable(id, 80), joined(known)));
}

Result<RuleSet> choose_rules(std::span<const std::string> only,
                             std::span<const std::string> disable) {
  for (const std::span<const std::string> names : {only, disable})
    for (const std::string& each : names) SLABSCOPE_TRY(named_rule(each));
  const auto names = [](std::span<const std::string> list, const Rule& rule) {
    return std::find(list.begin(), list.end(), rule.id) != list.end();
  };
  RuleSet chosen;
  for (const Rule* rule : rules())
    if ((only.empty() || names(only, *rule)) && !names(disable, *rule)) chosen.push_back(rule);
  if (chosen.empty()) return fail(ErrorCode::usage, "no rule is left to run");
  for (const Rule* rule : chosen) {
    const auto explains = [&](const Rule* each) {
      return std::find(rule->attaches_to.begin(), rule->attaches_to.end(), each->id) !=
             rule->attaches_to.end();
    };
    if (only.empty() || rule->attaches_to.empty() ||
        std::any_of(chosen.begin(), chosen.end(), explains))
      continue;
    return fail(error(ErrorCode::usage, "'" + std::string(rule->id) +
                                            "' explains findings of other rules: choose one too")
                    .with({}, joined(rule->attaches_to)));
  }
  return chosen;
}

namespace {

bool has_roles(const Rule& rule, const Batch& batch) {
  return std::all_of(rule.roles.begin(), rule.roles.end(), [&](std::string_view role) {
    return batch.layout().find_role(role) != nullptr;
  });
}

// Is there what the rule is about: the roles, an arena?
bool applies(const Rule& rule, const Batch& batch) {
  return (!rule.of_arena || batch.source().arena != nullptr) && has_roles(rule, batch);
}

// Why not all that has these roles is looked at; empty if it is.
std::string_view unseen(const Rule& rule, const Batch& batch) {
  for (const std::string_view role : rule.roles) {
    const std::vector<FieldDescription>& fields = batch.layout().description->fields;
    if (std::count_if(fields.begin(), fields.end(),
                      [&](const FieldDescription& each) { return each.role == role; }) > 1)
      return "one field of each role";
    if ((role == "block_table" ? batch.table() : batch.find(role)) == nullptr)
      return "a shape that goes with each role";
  }
  return {};
}

// What the rule lacks: parameters that are not stated, fields that it can read.
std::vector<std::string_view> missing(const Rule& rule, const Batch& batch) {
  std::vector<std::string_view> needed(rule.params.begin(), rule.params.end());
  const std::string_view why = unseen(rule, batch);
  if (rule.params_of != nullptr && why.empty())
    for (const std::string_view each : rule.params_of(batch))
      if (std::find(needed.begin(), needed.end(), each) == needed.end()) needed.push_back(each);
  if (rule.by_group && batch.source().groups.empty() && batch.layout().description->rows_per_group)
    add_params(*batch.layout().description, *batch.layout().description->rows_per_group, needed);
  std::erase_if(needed, [&](std::string_view each) { return batch.stated(each).has_value(); });
  if (!why.empty()) needed.push_back(why);
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
    if (!found.row) of_slab.add(index);
    for (const auto& row : {found.row, found.other_row})
      if (row) of_row.try_emplace(*row, findings).first->second.add(index);
  }
}

}  // namespace

namespace {

void add_not_run(const Rule& rule, std::vector<std::string_view> lacks, const Layout& layout,
                 LintResult& result) {
  for (const std::string_view name : lacks) {
    const Assignment* const by_default = find(layout.params, name);
    if (by_default != nullptr && find(result.unstated, name) == nullptr)
      result.unstated.push_back(*by_default);
  }
  result.not_run.push_back({rule.id, std::move(lacks)});
}

}  // namespace

LintResult lint(const Batch& batch, const RuleSet& chosen) {
  LintResult result;
  result.rows_are_sequences = batch.live_rows() > 1 && batch.source().groups.empty() &&
                              !batch.layout().description->rows_per_group;
  for (const Rule* const rule : chosen) {
    if (!rule->attaches_to.empty()) continue;
    if (!has_roles(*rule, batch)) result.lacking_roles.push_back(rule);
    if (!applies(*rule, batch)) continue;
    result.applicable.push_back(rule);
    std::vector<std::string_view> lacks = missing(*rule, batch);
    if (!lacks.empty()) {
      add_not_run(*rule, std::move(lacks), batch.layout(), result);
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
        !missing(*rule, batch).empty())
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

LintResult lint_cut_slab(const Layout& layout, std::uint64_t have, std::uint64_t slab,
                         const PlacedArena* arena, const RuleSet& chosen) {
  LintResult result;
  for (const Rule* const rule : chosen) {
    if (rule->of_arena && arena != nullptr)
      for (Finding& each : overlaps_of(*arena, slab)) result.findings.push_back(std::move(each));
    Finding unfit = unfit_slab(layout, have, slab);
    if (rule->id != unfit.rule) continue;
    unfit.message += "; nothing of its bytes was checked";
    result.findings.push_back(std::move(unfit));
  }
  return result;
}

}  // namespace slabscope
