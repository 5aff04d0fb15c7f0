// Every byte of a slab has exactly one owner: a field or a gap. For every built-in layout at many
// parameters, against owners written out by hand.
#include "../support/documents.h"
#include "../support/naive_pack.h"

#include <slabscope/layout/catalog.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// What holds for the tiles of any layout, whatever is in it.
std::string fault_of_tiles(const Layout& layout) {
  std::uint64_t end = 0;
  bool gap_before = false;
  std::vector<std::size_t> uses(layout.fields.size());
  for (const Tile& tile : layout.tiles) {
    if (tile.offset != end) return "a hole or an overlap at " + std::to_string(end);
    if (tile.bytes == 0) return "an empty tile at " + std::to_string(end);
    if (tile.is_gap() && gap_before) return "two gaps meet at " + std::to_string(end);
    gap_before = tile.is_gap();
    end += tile.bytes;
    if (tile.is_gap()) continue;
    const ResolvedField& field = layout.fields.at(tile.field);
    ++uses[tile.field];
    if (tile.offset != field.offset || tile.bytes != field.bytes)
      return "the tile of '" + field.name() + "' is not the field";
  }
  if (end != layout.size) return "tiles end at " + std::to_string(end);
  std::uint64_t last = 0;
  for (std::size_t index = 0; index < uses.size(); ++index) {
    const ResolvedField& field = layout.fields[index];
    std::uint64_t bytes = field.element_bytes();
    for (const std::uint64_t dimension : field.shape) bytes *= dimension;
    if (field.bytes != bytes) return "'" + field.name() + "' is not as large as its shape";
    if (field.items * field.item_bytes() != bytes) return "'" + field.name() + "' has other items";
    if (uses[index] != (bytes == 0 ? 0 : 1)) return "'" + field.name() + "' is not there once";
    if (field.offset % field.element_bytes() != 0) return "'" + field.name() + "' is misaligned";
    last = std::max(last, field.offset + field.bytes);
  }
  return last == layout.size ? "" : "the size is not the end of the last field";
}

void check_owners(const Layout& layout, const std::vector<NaiveOwner>& owners) {
  CHECK(fault_of_tiles(layout) == "");
  REQUIRE(layout.tiles.size() == owners.size());
  for (std::size_t index = 0; index < owners.size(); ++index) {
    const Tile& tile = layout.tiles[index];
    CHECK((tile.is_gap() ? "" : layout.fields[tile.field].name()) == owners[index].field);
    CHECK(tile.offset == owners[index].offset);
    CHECK(tile.bytes == owners[index].bytes);
  }
}

void check_offsets(const Layout& layout, const NaiveOffsets& wanted) {
  CHECK(layout.find_field("position")->offset == wanted.position);
  CHECK(layout.find_field("slot")->offset == wanted.slot);
  CHECK(layout.find_field("seq_len")->offset == wanted.seq_len);
  CHECK(layout.find_field("block_table")->offset == wanted.block_table);
  if (wanted.seq_slot) CHECK(layout.find_field("seq_slot")->offset == *wanted.seq_slot);
  CHECK(layout.size == wanted.size);
}

// Small ones, odd ones, those beside a power of two, and larger than anything served.
constexpr std::uint64_t counts[] = {0,   1,   2,   3,   4,   5,   6,    7,    8,    9,
                                    15,  16,  17,  31,  32,  33,  63,   64,   65,   99,
                                    127, 128, 129, 255, 256, 257, 1000, 1023, 4095, 65537};

TEST_CASE("mtp") {
  const DescriptionPtr description = builtin("mtp");
  for (const std::uint64_t entries : counts) {
    INFO(entries, " entries");
    const Layout layout = resolved(description, {{"entries", entries}});
    check_owners(layout, mtp_owners(entries));
    check_offsets(layout, mtp_offsets(entries));
    CHECK(layout.capacity == 1);
  }
}

TEST_CASE("mtp_batch") {
  const DescriptionPtr description = builtin("mtp_batch");
  for (const std::uint64_t rows : counts) {
    for (const std::uint64_t max_blocks : counts) {
      INFO(rows, " rows of ", max_blocks);
      const Layout layout = resolved(description, {{"rows", rows}, {"max_blocks", max_blocks}});
      check_owners(layout, mtp_batch_owners(rows, max_blocks));
      check_offsets(layout, mtp_batch_offsets(rows, max_blocks));
      CHECK(layout.capacity == rows);
    }
  }
}

TEST_CASE("decode") {
  const DescriptionPtr description = builtin("decode");
  for (const std::uint64_t max_batch_size : counts) {
    for (const std::uint64_t max_blocks : counts) {
      INFO(max_batch_size, " rows of ", max_blocks);
      const Layout layout =
          resolved(description, {{"max_batch_size", max_batch_size}, {"max_blocks", max_blocks}});
      const std::uint64_t capacity = decode_capacity(max_batch_size);
      check_owners(layout, decode_owners(capacity, max_blocks));
      check_offsets(layout, decode_offsets(capacity, max_blocks));
      CHECK(layout.capacity == capacity);
      CHECK(layout.warnings.size() == (max_batch_size > 128 ? 1 : 0));
    }
  }
}

// A layout that is added later is found here without an edit: its parameters get small values.
TEST_CASE("every layout of the catalog at small parameters") {
  for (const std::string_view name : builtin_layout_names()) {
    const DescriptionPtr description = builtin(name);
    std::size_t resolved_ones = 0;
    for (std::uint64_t first = 0; first < 12; ++first) {
      for (std::uint64_t other = 0; other < 6; ++other) {
        Assignments params;
        for (const ParamDescription& param : description->params)
          if (!param.value) params.push_back({param.name, params.empty() ? first : other, {}});
        const auto layout = resolve(description, params, {});
        if (!layout) continue;
        ++resolved_ones;
        INFO(std::string(name), " at ", first, " and ", other);
        CHECK(fault_of_tiles(*layout) == "");
      }
    }
    INFO(std::string(name));
    CHECK(resolved_ones > 0);
  }
}

TEST_CASE("gaps before, between and behind fields; fields without bytes; any order") {
  struct {
    const char* name;
    const char* fields;
    std::uint64_t size;
    const char* tiles;  // a letter for a byte of a field, a dot for one of a gap
  } const table[] = {
      {"no field has bytes", R"({"name": "a", "type": "u8", "shape": [0]})", 0, ""},
      {"a gap before the first", R"({"name": "a", "type": "u16", "shape": [2], "offset": 4})", 8,
       "....aaaa"},
      {"an empty field's offset counts",
       R"({"name": "a", "type": "u8", "shape": []},
          {"name": "b", "type": "u32", "shape": [0, 5], "offset": 8})",
       8, "a......."},
      {"an empty field inside another",
       R"({"name": "a", "type": "u32", "shape": [2]},
          {"name": "b", "type": "u16", "shape": [0], "offset": 2})",
       8, "aaaaaaaa"},
      {"described in another order than it lies",
       R"({"name": "a", "type": "u8", "shape": [3], "offset": 6},
          {"name": "b", "type": "u8", "shape": [2], "offset": 1},
          {"name": "c", "type": "u16", "shape": []})",
       9, ".bb.ccaaa"},
      {"alignment of the offset",
       R"({"name": "a", "type": "u8", "shape": []},
          {"name": "b", "type": "u8", "shape": [2], "align": 4})",
       6, "a...bb"},
  };
  for (const auto& [name, fields, size, tiles] : table) {
    INFO(std::string(name));
    const std::string text =
        R"({"name": "shapes", "params": {}, "fields": [)" + std::string(fields) + "]}";
    const Layout layout = resolved(description_of(text), {});
    CHECK(fault_of_tiles(layout) == "");
    CHECK(layout.size == size);
    std::string drawn;
    for (const Tile& tile : layout.tiles)
      drawn += std::string(tile.bytes, tile.is_gap() ? '.' : layout.fields[tile.field].name()[0]);
    CHECK(drawn == tiles);
  }
}

}  // namespace
}  // namespace slabscope::tests
