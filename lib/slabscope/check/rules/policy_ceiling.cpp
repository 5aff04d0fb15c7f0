#include <slabscope/check/fault_plan.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <vector>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  for (const Error& each : batch.layout().warnings) {
    Finding& found = report.slab(each.message);
    found.value = each.got;
    found.expected = each.allowed;
  }
}

Result<void> plan(FaultPlan& plan) {
  std::vector<const ParamDescription*> limited;
  for (const ParamDescription& each : plan.description().params)
    if (each.soft_max) limited.push_back(&each);
  if (limited.empty())
    return impossible("the layout '" + plan.description().name +
                      "' has no parameter with a soft maximum");
  if (plan.has_warnings()) return {};
  const std::uint64_t first = plan.random().between(0, limited.size() - 1);
  std::ranges::rotate(limited, limited.begin() + static_cast<std::ptrdiff_t>(first));
  for (const ParamDescription* const param : limited) {
    const auto ceiling = plan.value(*param->soft_max);
    if (!ceiling) continue;
    const std::uint64_t over = std::max(plan.options().rows, *ceiling) +
                               (plan.random().one_in(2) ? 1 : plan.random().between(1, 128));
    for (const std::uint64_t value : {over, *ceiling + 1})
      if (plan.set(param->name, value) && plan.has_warnings()) return {};
  }
  return impossible("none of the layout's parameters may be above its soft maximum here");
}

}  // namespace

extern const Rule policy_ceiling;
const Rule policy_ceiling{
    .id = "policy-ceiling",
    .severity = FindingSeverity::warning,
    .fires_when = "a parameter is above the soft maximum that its layout states",
    .explanation = "The layout itself allows it, but the engine is not expected to serve it.",
    .check = check,
    .fault = {.least_rows = 0, .plan = plan}};

}  // namespace slabscope
