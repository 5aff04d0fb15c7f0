// Slabs in an arena: parameters, what is uploaded, overlaps against a map of every byte, and the
// figures of the engine's own scratch buffer.
#include <slabscope/arena/arena_reader.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace slabscope {
namespace {

using tests::given;
using tests::PseudoRandom;

PlacedArena placed(Arena arena) {
  Result<PlacedArena> made = place_arena(std::move(arena));
  INFO("error: ", made ? "" : made.error().message);
  REQUIRE(made.has_value());
  return *std::move(made);
}

PlacedArena scratch(std::uint64_t padded_rows, std::uint64_t max_blocks,
                    std::string_view phase = "propose") {
  Result<Arena> arena = builtin_arena("scratch");
  REQUIRE(arena.has_value());
  REQUIRE(set_params(*arena, given({{"max_batch_size", 32},
                                    {"padded_rows", padded_rows},
                                    {"max_blocks", max_blocks},
                                    {"entries", 448}}))
              .has_value());
  arena->slabs[1].phase = phase;
  return placed(*std::move(arena));
}

// Where the uploaded rows of the decode slab end in the arena.
std::uint64_t uploaded_end(const PlacedArena& arena) {
  return arena.slabs[0].begin() + uploaded_ranges(*arena.slabs[0].layout).back().end;
}

TEST_CASE("the scratch buffer of the engine: figures that its authors give") {
  CHECK(uploaded_end(scratch(15, 257)) == 48956);
  CHECK(uploaded_end(scratch(16, 257)) == 49984);
  CHECK(uploaded_end(scratch(16, 244)) == 49152);  // 3904 entries end exactly there

  const PlacedArena apart = scratch(15, 257);
  REQUIRE(apart.overlaps.size() == 1);
  CHECK_FALSE(apart.overlaps[0].is_uploaded);
  CHECK_FALSE(apart.overlaps[0].is_error());

  const PlacedArena shared = scratch(16, 257);
  REQUIRE(shared.overlaps.size() == 1);
  CHECK(shared.overlaps[0].is_uploaded);
  CHECK(shared.overlaps[0].offset == 49152);
  CHECK(shared.overlaps[0].bytes == 832);
  CHECK_FALSE(shared.overlaps[0].is_error());  // by design: the phases differ
  CHECK(shared.is_sound());

  const PlacedArena broken = scratch(16, 257, "decode");
  CHECK(broken.overlaps[0].is_error());
  CHECK_FALSE(broken.is_sound());
  CHECK_FALSE(scratch(16, 244, "decode").overlaps[0].is_uploaded);
  CHECK(scratch(16, 245, "decode").overlaps[0].is_uploaded);
}

TEST_CASE("parameters that avoid an overlap: the largest value does, the next one does not") {
  const PlacedArena arena = scratch(16, 257, "decode");
  std::map<std::string, std::uint64_t> largest;
  for (const AvoidingParam& each : arena.overlaps[0].avoided_by) largest[each.name] = each.largest;
  CHECK(largest == std::map<std::string, std::uint64_t>{{"padded_rows", 15}, {"max_blocks", 244}});
}

TEST_CASE("a parameter that nobody set is named where it is the number of uploaded rows") {
  Result<Arena> arena = builtin_arena("scratch");
  REQUIRE(arena.has_value());
  REQUIRE(
      set_params(*arena, given({{"max_batch_size", 32}, {"max_blocks", 257}, {"mtp.entries", 1}}))
          .has_value());
  const PlacedArena made = placed(*std::move(arena));
  bool names_padded_rows = false;
  for (const AvoidingParam& each : made.overlaps.at(0).avoided_by)
    names_padded_rows = names_padded_rows || (each.name == "padded_rows" && each.largest == 15);
  CHECK(names_padded_rows);
}

// ---- Against a map of every byte

DescriptionPtr random_layout(PseudoRandom& random) {
  std::string fields;
  const std::uint64_t count = random.below(4);
  for (std::uint64_t index = 0; index < count; ++index) {
    const bool per_row = random.one_in(2);
    fields += std::string(index == 0 ? "" : ", ") + R"({"name": "f)" + std::to_string(index) +
              R"(", "type": ")" + (random.one_in(2) ? "u8" : "i32") + R"(", "shape": [)" +
              (per_row ? "\"rows\", " : "") + std::to_string(random.below(5)) + "]" +
              (random.one_in(3) ? R"(, "align": 16)" : "") + "}";
  }
  return tests::described(
      R"({"name": "any", "params": {"rows": {}, "padded_rows": {"default": "row_count"}},
          "row_param": "rows", "gaps": ")" +
      std::string(random.one_in(2) ? "zero" : "any") + R"(", "fields": [)" + fields + "]}");
}

// Every byte that the slab takes, and every one that is uploaded, by the definition.
struct Bytes {
  std::set<std::uint64_t> taken;
  std::set<std::uint64_t> uploaded;
};
Bytes bytes_of(const PlacedSlab& slab) {
  Bytes bytes;
  const Layout& layout = *slab.layout;
  for (std::uint64_t at = 0; at < layout.size; ++at) {
    bytes.taken.insert(slab.begin() + at);
    bool is_written = layout.description->gaps_are_zero;
    for (const ResolvedField& field : layout.fields) {
      if (at < field.offset || at >= field.offset + field.bytes) continue;
      is_written = !field.description->per_row ||
                   (at - field.offset) / field.item_bytes() < layout.padded_rows;
    }
    if (is_written) bytes.uploaded.insert(slab.begin() + at);
  }
  return bytes;
}

std::set<std::uint64_t> both(const std::set<std::uint64_t>& left,
                             const std::set<std::uint64_t>& right) {
  std::set<std::uint64_t> shared;
  for (const std::uint64_t each : left)
    if (right.contains(each)) shared.insert(each);
  return shared;
}

TEST_CASE("overlaps and gaps agree with a map of every byte") {
  PseudoRandom random(20);
  std::uint64_t overlaps = 0;
  std::uint64_t gaps = 0;
  for (int round = 0; round < 2000; ++round) {
    Arena arena;
    const std::uint64_t count = random.below(5);
    std::uint64_t offset = 0;
    for (std::uint64_t index = 0; index < count; ++index) {
      offset += random.below(12);
      const std::uint64_t rows = random.below(4);
      arena.slabs.push_back(
          {.name = "s" + std::to_string(index),
           .layout = random_layout(random),
           .params = given({{"rows", rows}, {"padded_rows", random.below(rows + 1)}}),
           .offset = offset,
           .region_bytes = {},
           .phase = random.one_in(2) ? "a" : "b",
           .live_rows = {},
           .origin = {}});
    }
    const std::uint64_t room = random.below(200);
    arena.bytes = offset + room;
    const PlacedArena made = placed(std::move(arena));

    std::vector<Bytes> bytes;
    for (const PlacedSlab& each : made.slabs) bytes.push_back(bytes_of(each));
    std::map<std::pair<std::size_t, std::size_t>, SlabOverlap> told;
    for (const SlabOverlap& each : made.overlaps) {
      CHECK(made.slabs[each.first].begin() <= made.slabs[each.second].begin());
      told[{each.first, each.second}] = each;
    }
    REQUIRE(told.size() == made.overlaps.size());
    std::set<std::uint64_t> taken;
    for (std::size_t first = 0; first < bytes.size(); ++first) {
      taken.insert(bytes[first].taken.begin(), bytes[first].taken.end());
      for (std::size_t second = first + 1; second < bytes.size(); ++second) {
        const auto uploaded = both(bytes[first].uploaded, bytes[second].uploaded);
        const auto shared = both(bytes[first].taken, bytes[second].taken);
        const auto found = told.find({first, second});
        REQUIRE((found != told.end()) == !shared.empty());
        if (shared.empty()) continue;
        ++overlaps;
        const auto& due = uploaded.empty() ? shared : uploaded;
        CHECK(found->second.is_uploaded == !uploaded.empty());
        CHECK(found->second.offset == *due.begin());
        CHECK(found->second.end == *due.rbegin() + 1);
        CHECK(found->second.bytes == due.size());
        CHECK(found->second.is_one_phase ==
              (made.slabs[first].slab->phase == made.slabs[second].slab->phase));
      }
    }
    std::set<std::uint64_t> free;
    for (const ByteRange& each : made.gaps()) {
      REQUIRE(each.begin < each.end);
      ++gaps;
      for (std::uint64_t at = each.begin; at < each.end; ++at) CHECK(free.insert(at).second);
    }
    for (std::uint64_t at = 0; at < *made.arena.bytes; ++at)
      REQUIRE(free.contains(at) != taken.contains(at));
    bool fits = true;
    for (const PlacedSlab& each : made.slabs) {
      const bool past = each.begin() + each.layout->size > *made.arena.bytes;
      CHECK(made.is_past_room(each) == past);
      std::uint64_t largest = 1;  // element
      for (const ResolvedField& field : each.layout->fields)
        largest = std::max(largest, field.element_bytes());
      CHECK(each.is_misaligned() == (each.begin() % largest != 0));
      fits = fits && !past && each.begin() % largest == 0;
    }
    bool destroys = false;
    for (const SlabOverlap& each : made.overlaps) destroys = destroys || each.is_error();
    CHECK(made.is_sound() == (fits && !destroys));
  }
  CHECK(overlaps > 1000);
  CHECK(gaps > 1000);
}

// ---- Parameters

TEST_CASE("parameters go to the slabs that take them") {
  Result<Arena> arena = builtin_arena("scratch");
  REQUIRE(arena.has_value());
  REQUIRE(set_params(*arena, given({{"block_size", 16},
                                    {"max_blocks", 4},
                                    {"mtp.entries", 3},
                                    {"decode.block_size", 32},
                                    {"padded_rows", 2}}))
              .has_value());
  REQUIRE(set_live_rows(*arena, 2).has_value());
  const auto value = [&](std::size_t slab, std::string_view name) {
    const Assignment* const found = find(arena->slabs[slab].params, name);
    return found == nullptr ? -1 : static_cast<int>(found->value);
  };
  CHECK(value(0, "block_size") == 32);  // that slab's own word
  CHECK(value(1, "block_size") == 16);  // well known, whether declared or not
  CHECK(value(0, "max_blocks") == 4);
  CHECK(value(1, "max_blocks") == -1);
  CHECK(value(1, "entries") == 3);
  CHECK(value(1, "padded_rows") == -1);  // it has no rows
  CHECK(arena->slabs[0].live_rows == 2);
  CHECK_FALSE(arena->slabs[1].live_rows.has_value());
}

TEST_CASE("a slab that is not laid out leaves what is behind it unknown") {
  Result<Arena> arena = builtin_arena("scratch");
  REQUIRE(arena.has_value());
  const PlacedArena made = placed(*std::move(arena));
  CHECK(made.slabs[0].unset == std::vector<std::string>{"max_batch_size", "max_blocks"});
  CHECK(made.slabs[1].unset == std::vector<std::string>{"entries"});
  REQUIRE(made.gaps().size() == 1);
  CHECK(made.gaps()[0].begin == 0);
  CHECK(made.gaps()[0].end == 32768);
  CHECK(made.is_sound());
}

TEST_CASE("nothing is known behind a slab that is not laid out, whatever stands beside it") {
  Arena arena;
  arena.bytes = 200;
  const DescriptionPtr description = tests::described(tests::one_field("\"n\": {}", "n"));
  for (const char* const name : {"unset", "empty"})
    arena.slabs.push_back({.name = name,
                           .layout = description,
                           .params = {},
                           .offset = 0,
                           .region_bytes = {},
                           .phase = {},
                           .live_rows = {},
                           .origin = {}});
  arena.slabs[1].params = given({{"n", 0}});
  CHECK(placed(std::move(arena)).gaps().empty());
}

TEST_CASE("more rows than a slab has room for are refused, as they are in a document") {
  const auto code = [](std::initializer_list<std::pair<std::string_view, std::uint64_t>> params,
                       std::optional<std::uint64_t> live_rows) {
    Result<Arena> arena = builtin_arena("scratch");
    REQUIRE(arena.has_value());
    REQUIRE(set_params(*arena, given(params)).has_value());
    if (live_rows) REQUIRE(set_live_rows(*arena, *live_rows).has_value());
    const Result<PlacedArena> made = place_arena(*std::move(arena));
    return made ? "fits" : std::string(info(made.error().code).name);
  };
  CHECK(code({{"max_batch_size", 32}, {"max_blocks", 4}}, 32) == "fits");
  CHECK(code({{"max_batch_size", 32}, {"max_blocks", 4}}, 33) == "row_count");
  CHECK(code({{"max_batch_size", 32}, {"max_blocks", 4}, {"padded_rows", 32}}, {}) == "fits");
  CHECK(code({{"max_batch_size", 32}, {"max_blocks", 4}, {"block_size", 16}, {"padded_rows", 33}},
             {}) == "padded_rows");
  CHECK(code({{"max_batch_size", 32}, {"max_blocks", 4}, {"padded_rows", 8}}, 9) == "padded_rows");
}

TEST_CASE("a slab that would end past 2^63 is refused") {
  Arena arena;
  arena.slabs.push_back({.name = "far",
                         .layout = tests::described(tests::one_field("\"n\": {}", "n")),
                         .params = given({{"n", 8}}),
                         .offset = max_slab_size - 8,
                         .region_bytes = {},
                         .phase = {},
                         .live_rows = {},
                         .origin = {}});
  CHECK(place_arena(arena).has_value());
  ++arena.slabs[0].offset;
  const Result<PlacedArena> refused = place_arena(arena);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::size_overflow);
}

}  // namespace
}  // namespace slabscope
