// Property: a layout at any parameters is resolved exactly as an independent evaluation in 128 bits
// does it, or refused by both; every byte then has one owner; it fits a region exactly when its
// size is at most that; a parameter that is left out can be found again from the size. Input: bytes
// that describe a layout (support/described.h) or choose one, then its parameters.
#include "support/described.h"
#include "support/layouts.h"
#include "support/property.h"

#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/embedded.h>

namespace {

using namespace slabscope;

void check_regions(const Layout& layout, std::uint64_t region) {
  for (const std::uint64_t bytes : {region, layout.size, layout.size - 1}) {
    const bool fits = int128{layout.size} <= int128{bytes};
    const bool has_numbered_rows = layout.row_count <= max_slab_size &&
                                   std::min(layout.padded_rows, layout.capacity) <= max_slab_size;
    fuzz::require(
        check_size(layout, max_slab_size, bytes).has_value() == (fits && has_numbered_rows),
        "a slab fits a region of at least its size",
        [&] { return std::to_string(layout.size) + " in " + std::to_string(bytes); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzedInput input(data, size);
  const std::size_t known = fuzz::layouts().size();
  const std::size_t chosen = input.below(2 * known);
  const std::string text =
      chosen < known ? std::string(fuzz::layouts()[chosen].text) : fuzz::described(input);
  MemorySource source(text);
  const auto description = read_description(source, "layout.json");
  if (!description) return fuzz::check_error(description.error(), text, "layout.json"), 0;
  const auto tree = tests::read_reference(text);
  fuzz::ReferenceRowNumbers rows;
  if (!input.one_in(4)) rows.row_count = input.number();
  if (input.one_in(4)) rows.live_rows = input.number();
  fuzz::ReferenceParams given;
  for (const ParamDescription& each : (*description)->params)
    if (each.value ? input.one_in(64) : !input.one_in(5))
      given.emplace_back(each.name, input.number());
  if (input.one_in(16) && !fuzz::find_param(given, "block_size"))
    given.emplace_back("block_size", input.number());
  if (input.one_in(64)) given.emplace_back("nobody", input.number());
  const auto layout = fuzz::check_resolution(*description, *tree, given, rows);
  if (!layout) return 0;
  check_regions(*layout, input.number());
  if (given.empty() || !rows.row_count) return 0;
  const std::string& unset = given[input.below(given.size())].first;
  fuzz::check_outline(*layout, unset);
  if (chosen < embedded_layouts().size()) fuzz::check_solved(*layout, unset);
  return 0;
}
