#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

void check(const Batch& batch, Reporter& report) {
  for (Finding& each : overlaps_of(*batch.source().arena, batch.source().slab))
    report.add(std::move(each));
}

}  // namespace

extern const Rule region_overlap;
const Rule region_overlap{
    .id = "region-overlap",
    .severity = FindingSeverity::error,
    .fires_when =
        "two slabs of an arena overlap (a note unless both are uploaded there in one phase)",
    .explanation =
        "The upload of one slab destroys the other: its rows read block ids or positions of "
        "another kind. It begins with larger batches or longer tables than the offsets were made "
        "for. Slabs of different phases may share bytes by design, if one is done with before the "
        "other is uploaded. `layout --arena` shows the map.",
    .check = check,
    .of_arena = true};

// Each overlap once, at the slab that begins first.
Findings overlaps_of(const PlacedArena& arena, std::uint64_t slab) {
  Findings findings;
  for (const SlabOverlap& each : arena.overlaps) {
    if (each.first != slab) continue;
    Finding& made = findings.emplace_back();
    made.rule = region_overlap.id;
    made.severity = each.is_error() ? region_overlap.severity : FindingSeverity::note;
    made.slab = slab;
    made.offset = each.offset - arena.slabs[each.first].begin();
    made.bytes = each.end - each.offset;
    made.message = overlap_text(arena, each);
  }
  return findings;
}

}  // namespace slabscope
