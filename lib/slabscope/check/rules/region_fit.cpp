#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const std::optional<std::uint64_t>& region = batch.source().region_bytes;
  if (region && batch.layout().size > *region)
    report.add(unfit_slab(batch.layout(), *region, batch.source().slab));
}

Result<void> put(FaultSlab& slab) {
  const std::uint64_t size = slab.bytes().size();
  if (size == 0) return impossible("the slab has no bytes at these parameters: it fits any region");
  slab.document().region_bytes = size - slab.distance(size);
  return {};
}

}  // namespace

extern const Rule region_fit;
const Rule region_fit{
    .id = "region-fit",
    .severity = FindingSeverity::error,
    .fires_when = "the slab ends past its region, or past the bytes that the dump holds",
    .explanation =
        "What lies behind the region is overwritten by the upload, or the upload is refused. Fewer "
        "rows or table entries fit; `layout --fit` says how many.",
    .check = check,
    .fault = {.least_rows = 0, .put = put}};

Finding unfit_slab(const Layout& layout, std::uint64_t have, std::uint64_t slab) {
  Finding made;
  made.rule = region_fit.id;
  made.severity = region_fit.severity;
  made.slab = slab;
  made.message = refusal(layout, have);
  made.offset = have;
  made.bytes = layout.size - have;
  made.value = std::to_string(layout.size);
  made.expected = "up to " + std::to_string(have);
  return made;
}

}  // namespace slabscope
