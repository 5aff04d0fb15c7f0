#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  const auto region = batch.source().region_bytes;
  const std::uint64_t size = batch.layout().size;
  if (!region || size <= *region) return;
  Finding& found = report.slab(refusal(*batch.layout().description, size, region) + " (" +
                               extent_text(batch.layout()) + ")");
  found.offset = region;
  found.bytes = size - *region;
  found.value = std::to_string(size);
  found.expected = "up to " + std::to_string(*region);
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
    .check = check};

}  // namespace slabscope
