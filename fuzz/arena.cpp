// Property: any bytes, as an arena document, are read the same however they arrive, or refused with
// a place inside them; slabs come by offset; of those that are laid out, overlaps, gaps and room
// are those of a map of every byte; and both reports can be made. Input: the document.
#include "support/arena_map.h"
#include "support/limits.h"
#include "support/property.h"

#include <slabscope/arena/arena_reader.h>
#include <slabscope/report/arena_report.h>

#include <tests/support/json_reference.h>
#include <tests/support/paced_source.h>

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slabscope;
  if (size > fuzz::max_input_bytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  MemorySource whole(text);
  auto read = read_arena(whole, "arena.json");
  tests::PacedSource slow(text, tests::paces[size % std::size(tests::paces)]);
  const auto again = read_arena(slow, "arena.json");
  fuzz::require(read.has_value() == again.has_value() &&
                    (read || to_line(read.error(), "") == to_line(again.error(), "")),
                "an arena is read the same however it arrives");
  if (!read) return fuzz::check_error(read.error(), text, "arena.json"), 0;
  fuzz::require(std::is_sorted(
                    read->slabs.begin(), read->slabs.end(),
                    [](const auto& left, const auto& right) { return left.offset < right.offset; }),
                "slabs are by offset");
  const auto placed = place_arena(*std::move(read));
  if (!placed) return fuzz::check_error(placed.error(), text, "arena.json"), 0;
  fuzz::check_arena_map(*placed);
  fuzz::require(tests::read_reference(arena_json(*placed)).has_value(), "the map is JSON");
  fuzz::require(!arena_table(*placed).empty(), "the map is text");
  return 0;
}
