// Property: the changes between two slabs of one layout, at any parameters, are in order, lie
// inside the slab, and hold every byte that differs and no element or run of a gap without one;
// what is ignored is ignored alone; a slab against itself has none; every report holds them all.
// Input: a slab case (support/slab_case.h), then edits of the second slab, three bytes each.
#include "support/changed_bytes.h"
#include "support/limits.h"
#include "support/property.h"
#include "support/slab_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slabscope;
  if (size > fuzz::max_input_bytes) return 0;
  const auto made = fuzz::read_slab_case({data, size});
  if (!made) return 0;
  std::vector<std::byte> after = made->slab;
  for (std::size_t at = made->header_bytes + after.size(); at + 3 <= size && !after.empty();
       at += 3)
    after[(data[at] * 256U + data[at + 1]) % after.size()] ^= std::byte{data[at + 2]};
  for (const DiffRules& rules :
       {DiffRules{}, DiffRules{true, false, {}}, DiffRules{true, true, {}}}) {
    const auto diff = SlabDiff::of(made->layout, rules);
    if (!diff) return fuzz::check_error(diff.error(), {}, {}), 0;
    for (const bool changed : fuzz::changed_bytes(*diff, made->slab, made->slab))
      fuzz::require(!changed, "a slab does not differ from itself");
    const auto told = fuzz::changed_bytes(*diff, made->slab, after);
    for (std::size_t at = 0; at < told.size(); ++at) {
      const bool differs = made->slab[at] != after[at];
      const auto looked_at = fuzz::is_looked_at(made->layout, rules, at);
      fuzz::require(looked_at ? told[at] == (differs && *looked_at) : !told[at] || differs,
                    "the changes hold the bytes that differ, but for those ignored");
    }
  }
  return 0;
}
