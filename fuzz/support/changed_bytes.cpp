#include "changed_bytes.h"

#include "property.h"

#include <slabscope/report/diff_report.h>

#include <tests/support/json_reference.h>
#include <tests/support/paced_source.h>

#include <algorithm>

namespace slabscope::fuzz {

std::vector<bool> changed_bytes(const SlabDiff& diff, std::span<const std::byte> before,
                                std::span<const std::byte> after) {
  std::vector<bool> changed(before.size());
  tests::KeepingSink sink;
  TextWriter text(sink);
  DiffReport report(DiffFormat::json, diff, text);
  report.begin_slab(0, 0);
  std::uint64_t end = 0;
  diff.compare(before, after, [&](const Change& each) {
    const std::uint64_t bytes = each.before.size();
    require(each.offset >= end && bytes != 0 && bytes == each.after.size() &&
                each.offset + bytes <= before.size(),
            "changes are in order and inside the slab");
    end = each.offset + bytes;
    require(each.before.data() == before.data() + each.offset &&
                each.after.data() == after.data() + each.offset,
            "a change holds the bytes at its offset");
    require(!std::equal(each.before.begin(), each.before.end(), each.after.begin()),
            "a change changes something");
    require(each.owner.is_gap() || bytes == each.owner.field->element_bytes(),
            "an element is one change");
    for (std::uint64_t at = each.offset; at < end; ++at) changed[at] = before[at] != after[at];
    report.add(each);
  });
  report.finish();
  require(text.finish().has_value(), "a sink that takes everything is no error");
  const auto json = tests::read_reference(sink.text);
  require(json && (*json)["changes"].children.size() == report.changes(),
          "a report as JSON has all changes");
  return changed;
}

std::optional<bool> is_looked_at(const Layout& layout, const DiffRules& rules, std::uint64_t at) {
  for (const ResolvedField& field : layout.fields) {
    if (at < field.offset || at - field.offset >= field.bytes) continue;
    if (!rules.ignore_stale) return true;
    if (field.description->per_row &&
        (at - field.offset) / field.item_bytes() >= layout.padded_rows)
      return false;
    return field.description->role == "block_table" ? std::nullopt : std::optional(true);
  }
  return !rules.ignore_gaps;
}

}  // namespace slabscope::fuzz
