#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  for (const Error& each : batch.layout().warnings) {
    Finding& found = report.slab(each.message);
    found.value = each.got;
    found.expected = each.allowed;
  }
}

}  // namespace

extern const Rule policy_ceiling;
const Rule policy_ceiling{
    .id = "policy-ceiling",
    .severity = FindingSeverity::warning,
    .fires_when = "a parameter is above the soft maximum that its layout states",
    .explanation = "The layout itself allows it, but the engine is not expected to serve it.",
    .check = check};

}  // namespace slabscope
