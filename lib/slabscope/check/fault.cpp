#include <slabscope/check/fault.h>

#include <slabscope/check/fault_plan.h>
#include <slabscope/check/fault_slab.h>
#include <slabscope/check/lint.h>

#include <algorithm>

namespace slabscope {
namespace {

bool lists(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What is broken must be there, in a shape that the rule reads.
Result<void> check_roles(const Rule& rule, const Description& description) {
  for (const std::string_view role : rule.roles) {
    const FieldDescription* found = nullptr;
    for (const FieldDescription& each : description.fields) {
      if (each.role != role) continue;
      if (found != nullptr)
        return impossible("the layout '" + description.name + "' has two fields of role '" +
                          std::string(role) + "', and '" + std::string(rule.id) + "' reads one");
      found = &each;
    }
    if (found == nullptr)
      return impossible("the layout '" + description.name + "' has no field of role '" +
                        std::string(role) + "', which '" + std::string(rule.id) + "' is about");
    const std::size_t dimensions = found->shape.size() - (found->per_row ? 1 : 0);
    if (dimensions != (role == "block_table" ? 1U : 0U) || !description.is_of_rows(*found))
      return impossible("the field '" + found->name + "' has no shape that goes with its role '" +
                        std::string(role) + "'");
  }
  return {};
}

// Live rows that the fault takes. Two of them are of different groups.
std::uint64_t least_rows(const Rule& rule, const FaultPlan& plan) {
  const auto& group = plan.description().rows_per_group;
  if (rule.fault.least_rows < 2 || !group) return rule.fault.least_rows;
  return std::max(rule.fault.least_rows, plan.value(*group).value_or(1) + 1);
}

Result<std::uint64_t> choose_rows(const Rule& rule, std::uint64_t least,
                                  const Description& description, const FaultOptions& options,
                                  PseudoRandom& random) {
  if (least > 1 && !description.row_param)
    return impossible("'" + std::string(rule.id) + "' takes " + std::to_string(least) +
                      " rows, and the layout '" + description.name + "' holds exactly one");
  if (!options.rows) return std::max<std::uint64_t>(least, 1);
  SLABSCOPE_TRY(check_generated_rows(options.rows->most));
  if (options.rows->most < least) {
    Error made = error(ErrorCode::fault_impossible, "'" + std::string(rule.id) + "' takes " +
                                                        counted(least, "live row") +
                                                        (least > 1 ? " of different groups" : ""));
    made.pointer = "--rows";
    return fail(std::move(made).with(std::to_string(options.rows->most),
                                     std::to_string(least) + " or more"));
  }
  return random.between(std::max(least, options.rows->least), options.rows->most);
}

// One document, whatever the rules say of it.
Result<FaultyDocument> try_fault(const Rule& rule, FaultPlan& plan) {
  SLABSCOPE_TRY_ASSIGN(
      rows, generate_rows(plan.description_ptr(), plan.params(), plan.options(), plan.random()));
  FaultyDocument document;
  SLABSCOPE_TRY_ASSIGN(slab, FaultSlab::of(plan, rows, document));
  if (rule.fault.put != nullptr) SLABSCOPE_TRY(rule.fault.put(slab));
  return document;
}

Result<Findings> findings_of(const FaultyDocument& document) {
  const ListLengths lists(document);
  SLABSCOPE_TRY_ASSIGN(view, SlabView::of(document.layout, document.slab.bytes()));
  SLABSCOPE_TRY_ASSIGN(batch, Batch::of(view, {0, document.region_bytes, {}, &lists.view()}));
  return lint(batch, RuleSet(rules().begin(), rules().end())).findings;
}

}  // namespace

ListLengths::ListLengths(const FaultyDocument& document)
    : counts_(document.lengths.size()), columns_(document.lengths.size()) {
  for (std::size_t field = 0; field < columns_.size(); ++field) {
    counts_[field].each = document.lengths[field];
    columns_[field].counts = std::span(counts_).subspan(field, 1);
  }
  view_ = {document.layout.row_count, columns_};
}

std::optional<std::string_view> spoils(const Rule& rule, const Findings& findings) {
  bool has_fired = false;
  for (const Finding& each : findings) {
    const bool is_explained = lists(rule.attaches_to, each.rule);
    if (each.rule == rule.id) {
      has_fired = has_fired || !each.consequence_of || !rule.attaches_to.empty();
    } else if (!is_explained) {
      const auto may_cause = [&](std::string_view cause) {
        return find_rule(cause)->may_cause(each.rule);
      };
      const bool follows = rule.may_cause(each.rule) ||
                           std::any_of(rule.attaches_to.begin(), rule.attaches_to.end(), may_cause);
      if (!follows || !each.consequence_of) return each.rule;
    }
  }
  return has_fired ? std::nullopt : std::optional(rule.id);
}

Result<FaultyDocument> generate_fault(const Rule& rule, const DescriptionPtr& description,
                                      const Assignments& given, const FaultOptions& options,
                                      PseudoRandom& random) {
  if (rule.of_arena)
    return impossible("'" + std::string(rule.id) +
                      "' is about slabs of one arena, and a rows document has one slab");
  SLABSCOPE_TRY(check_roles(rule, *description));
  std::vector<std::string_view> spoiled_by;
  std::optional<Error> no_place;
  GenerateOptions healthy;
  const std::uint64_t least = least_rows(rule, FaultPlan(description, given, healthy, random));
  for (int number = 0; number < fault_tries; ++number) {
    SLABSCOPE_TRY_ASSIGN(rows, choose_rows(rule, least, *description, options, random));
    healthy.rows = rows;
    healthy.share_prefix = options.share_prefix;
    FaultPlan plan(description, given, healthy, random);
    SLABSCOPE_TRY(plan.choose_pool(lists(rule.params, "block_size")));
    if (rule.fault.plan != nullptr) SLABSCOPE_TRY(rule.fault.plan(plan));
    Result<FaultyDocument> document = try_fault(rule, plan);
    if (!document && document.error().code != ErrorCode::fault_impossible) return document;
    if (!document) {
      no_place = std::move(document).error();
      continue;
    }
    SLABSCOPE_TRY_ASSIGN(findings, findings_of(*document));
    const auto spoiler = spoils(rule, findings);
    if (!spoiler) {
      document->spoiled_by = std::move(spoiled_by);
      return document;
    }
    spoiled_by.push_back(*spoiler);
  }
  if (no_place) return fail(*std::move(no_place));
  const std::string_view spoiler = spoiled_by.back();
  return impossible(
      "the layout '" + description->name + "' cannot break '" + std::string(rule.id) +
      "' alone at these parameters: " +
      (spoiler == rule.id ? "it does not fire" : "'" + std::string(spoiler) + "' fires too"));
}

}  // namespace slabscope
