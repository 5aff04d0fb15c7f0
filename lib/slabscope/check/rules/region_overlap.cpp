#include <slabscope/check/rule.h>

namespace slabscope {
namespace {

// Each overlap once, at the slab that begins first.
void check(const Batch& batch, Reporter& report) {
  const PlacedArena& arena = *batch.source().arena;
  const std::uint64_t slab = batch.source().slab;
  for (const SlabOverlap& each : arena.overlaps) {
    if (each.first != slab) continue;
    Finding& found = report.slab(overlap_text(arena, each));
    if (!each.is_error()) found.severity = FindingSeverity::note;
    found.offset = each.offset - arena.slabs[each.first].begin();
    found.bytes = each.bytes;
  }
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

}  // namespace slabscope
