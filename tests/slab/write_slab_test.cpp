// write_slab streams what pack() holds: slabs of several chunks, lists and runs of residue across
// their borders, and sinks that fail.
#include <slabscope/slab/pack.h>

#include "../support/documents.h"
#include "../support/paced_source.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// Bytes before elements of eight, so that no chunk ends where an element does.
DescriptionPtr uneven() {
  return description_of(R"({
    "name": "uneven", "row_param": "rows", "params": {"rows": {}, "blocks": {}, "lead": {},
                                                      "padded_rows": {"default": "row_count"}},
    "fields": [
      {"name": "lead", "type": "u8", "shape": ["lead"], "fill": 7},
      {"name": "slot", "type": "i64", "shape": ["rows"], "pad": -2},
      {"name": "kind", "type": "u8", "shape": ["rows"], "pad": 3},
      {"name": "table", "type": "u32", "shape": ["rows", "blocks"], "fill": "0x01020304"}]})");
}

struct Case {
  const char* name;
  std::uint64_t rows;    // of capacity
  std::uint64_t given;   // written in the document
  std::uint64_t padded;  // with padding rows
  std::uint64_t blocks;  // of a table
  std::uint64_t lead;    // bytes before the rows
  bool is_ragged;
};
constexpr Case table[] = {
    {"one chunk", 10, 10, 10, 4, 3, false},
    {"whole lists", 40000, 40000, 40000, 5, 262143, false},
    {"ragged lists", 9000, 9000, 9000, 33, 100001, true},
    {"mostly padding", 30000, 5, 29999, 9, 1, true},
    {"mostly unused", 60000, 3, 4, 5, 0, true},
    {"one long list", 1, 1, 1, 500000, 5, false},
    {"one short list", 1, 1, 1, 500000, 5, true},
};

Rows rows_of(const Case& each, const Description& description) {
  PseudoRandom random(31);
  Rows rows(description);
  const auto put = [&](std::size_t field, std::uint64_t count, std::uint64_t bytes) {
    rows.column(field).counts[0].append(count);
    std::byte* const room = rows.column(field).elements.extend(count * bytes);
    for (std::uint64_t index = 0; index < count * bytes; ++index)
      room[index] = static_cast<std::byte>(random.bits());
  };
  put(0, each.lead / 2, 1);
  for (std::uint64_t row = 0; row < each.given; ++row) {
    put(1, 1, 8);
    put(2, 1, 1);
    put(3, each.is_ragged ? random.below(each.blocks + 1) : each.blocks, 4);
    rows.add_row();
  }
  return rows;
}

Residue random_residue(std::uint64_t size) {
  PseudoRandom random(32);
  Residue residue;
  std::uint64_t end = 0;
  const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
    if (offset < end || bytes == 0 || offset + bytes > size) return;
    residue.runs.push_back({offset, bytes, residue.bytes.size()});
    for (std::uint64_t index = 0; index < bytes; ++index)
      *residue.bytes.extend(1) = static_cast<std::byte>(random.bits());
    end = offset + bytes;
  };
  add(0, 1);
  add(5, 2);
  for (std::uint64_t border = std::uint64_t{1} << 18U; border < size; border += border) {
    add(border - 9, 1);
    add(border - 8, 16);
    add(border + 8, 1);
  }
  add(size - 20, 1);
  add(size - 3, 3);
  return residue;
}

TEST_CASE("what is streamed is what is packed") {
  const DescriptionPtr description = uneven();
  for (const Case& each : table) {
    INFO(std::string(each.name));
    const Layout layout = resolved(description,
                                   {{"rows", each.rows},
                                    {"blocks", each.blocks},
                                    {"lead", each.lead},
                                    {"padded_rows", each.padded}},
                                   {each.given, {}});
    const Rows rows = rows_of(each, *description);
    const RowsViewOf view(rows);
    const auto slab = pack(layout, view.view());
    REQUIRE(slab.has_value());
    Residue whole;  // one run over several chunks
    whole.runs.push_back({1, layout.size - 2, 0});
    whole.bytes = Buffer(layout.size - 2);
    for (std::size_t index = 0; index < whole.bytes.size(); ++index)
      whole.bytes.bytes()[index] = static_cast<std::byte>(index * 7 + index / 251);
    const Residue runs = random_residue(layout.size);
    const Residue none;
    for (const Residue* const residue : {&none, &runs, static_cast<const Residue*>(&whole)}) {
      ByteSink sink;
      REQUIRE(write_slab(layout, view.view(), *residue, sink).has_value());
      Bytes wanted(slab->bytes().begin(), slab->bytes().end());
      lay_over(*residue, 0, wanted);
      CHECK_MESSAGE(same(sink.bytes, wanted), difference(sink.bytes, wanted));
      // In pieces: the slab is never held whole.
      CHECK((sink.writes > 1) == (layout.size > (std::size_t{1} << 18U)));
    }
  }
}

TEST_CASE("a sink that fails is told, at whatever byte") {
  const DescriptionPtr description = uneven();
  const Case& each = table[2];
  const Layout layout =
      resolved(description, {{"rows", each.rows}, {"blocks", each.blocks}, {"lead", each.lead}},
               {each.given, {}});
  const Rows rows = rows_of(each, *description);
  const RowsViewOf view(rows);
  for (const std::size_t room :
       {std::size_t{0}, std::size_t{1} << 18U, std::size_t{600000}, layout.size - 1}) {
    INFO("room for ", room, " bytes");
    KeepingSink sink(room);
    const auto written = write_slab(layout, view.view(), {}, sink);
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().code == ErrorCode::write_failed);
    CHECK(sink.text.size() <= room);
    CHECK(sink.writes * (std::size_t{1} << 18U) < room + (std::size_t{2} << 18U));
  }
  KeepingSink enough(layout.size);
  CHECK(write_slab(layout, view.view(), {}, enough).has_value());
}

TEST_CASE("an empty slab writes nothing") {
  const Layout layout = resolved(uneven(), {{"rows", 0}, {"blocks", 4}, {"lead", 0}}, {0, {}});
  Rows rows(*layout.description);
  rows.column(0).counts[0].append(0);
  ByteSink sink;
  CHECK(write_slab(layout, RowsViewOf(rows).view(), {}, sink).has_value());
  CHECK(sink.bytes.empty());
}

}  // namespace
}  // namespace slabscope::tests
