// pack_into writes the first layout.size bytes of a region and no other, nothing when it refuses,
// and takes nothing from the heap.
#include <slabscope/slab/pack.h>

#include "../support/documents.h"
#include "../support/heap.h"
#include "../support/naive_pack.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace slabscope::tests {
namespace {

constexpr std::byte canary{0xC3};

// Rows with their layout and the slab that they make.
struct Case {
  std::string name;
  Layout layout;
  Rows rows;
  Bytes wanted;
};

std::vector<PlainRow> some_rows(std::size_t count) {
  std::vector<PlainRow> rows(count);
  for (std::size_t index = 0; index < count; ++index) {
    const auto number = static_cast<std::uint32_t>(index);
    rows[index] = {.position = 0xF0000000U + number,
                   .slot = -9'000'000'000 + number,
                   .seq_len = -5 - static_cast<std::int32_t>(number)};
    for (std::size_t entry = 0; entry < index % 4; ++entry)
      rows[index].block_table.push_back(static_cast<std::int64_t>(100 * index + entry));
    if (index % 3 == 1) rows[index].seq_slot = static_cast<std::int32_t>(number);
  }
  return rows;
}

Case make(std::string name, std::string_view layout, const Params& params,
          const std::vector<PlainRow>& rows, NaiveSlab naive) {
  const DescriptionPtr description = builtin(layout);
  return {std::move(name), resolved(description, params, {rows.size(), {}}),
          columns_of(*description, rows), std::move(naive.bytes)};
}

std::vector<Case> cases() {
  std::vector<Case> made;
  const auto three = some_rows(4).back();
  made.push_back(make("mtp", "mtp", {{"entries", 5}}, {three}, naive_mtp(three, 5)));
  const auto none = some_rows(1).front();
  made.push_back(make("mtp without entries", "mtp", {{"entries", 0}}, {none}, naive_mtp(none, 0)));
  for (const std::size_t count : {0U, 1U, 2U, 5U, 33U}) {
    const auto rows = some_rows(count);
    const std::string tail = " of " + std::to_string(count) + " rows";
    made.push_back(make("mtp_batch" + tail, "mtp_batch", {{"rows", count}, {"max_blocks", 3}}, rows,
                        naive_mtp_batch(rows, 3)));
    const NaiveDecode decode{.max_batch_size = 35,
                             .max_blocks = 3,
                             .padded_rows = 34,
                             .dummy_block = 77,
                             .block_size = 16};
    made.push_back(make("decode" + tail, "decode",
                        {{"max_batch_size", 35},
                         {"max_blocks", 3},
                         {"padded_rows", 34},
                         {"dummy_block", 77},
                         {"block_size", 16}},
                        rows, naive_decode(rows, decode)));
  }
  return made;
}

TEST_CASE("a region of exactly the slab's size is written whole") {
  for (const Case& each : cases()) {
    INFO(each.name);
    const RowsViewOf rows(each.rows);
    // A heap block of this size, so that AddressSanitizer sees one byte too many.
    const auto region = std::make_unique<std::byte[]>(each.layout.size);
    std::fill_n(region.get(), each.layout.size, canary);
    const std::span<std::byte> bytes(region.get(), each.layout.size);
    const auto size = pack_into(bytes, each.layout, rows.view());
    REQUIRE(size.has_value());
    CHECK(*size == each.layout.size);
    CHECK_MESSAGE(same(bytes, each.wanted), difference(bytes, each.wanted));
  }
}

TEST_CASE("no byte around the slab is written, wherever it begins") {
  for (const Case& each : cases()) {
    for (const std::size_t begin : {0U, 1U, 3U, 8U, 64U}) {
      INFO(each.name, " at ", begin);
      const RowsViewOf rows(each.rows);
      Bytes memory(begin + each.layout.size + 100, canary);
      const std::span<std::byte> all(memory);
      const auto size = pack_into(all.subspan(begin), each.layout, rows.view());
      REQUIRE(size.has_value());
      CHECK(same(all.subspan(begin, *size), each.wanted));
      CHECK(all_are(all.first(begin), canary));
      CHECK(all_are(all.subspan(begin + *size), canary));
    }
  }
}

TEST_CASE("a slab is packed without taking memory") {
  for (const Case& each : cases()) {
    INFO(each.name);
    const RowsViewOf rows(each.rows);
    Bytes region(each.layout.size);
    std::uint64_t allocations = 0;
    bool ok = false;
    {
      const AllocationCount count;
      ok = pack_into(region, each.layout, rows.view()).has_value();
      allocations = count.so_far();
    }
    CHECK(ok);
    CHECK(allocations == 0);
  }
}

TEST_CASE("the counter counts") {
  const AllocationCount count;
  void* const made = ::operator new(100);
  const std::uint64_t allocations = count.so_far();
  ::operator delete(made);
  CHECK(allocations == 1);
}

// Packs into a region of canaries, of which none may change.
Error refused(const Layout& layout, const Rows& rows, std::size_t region_bytes) {
  const RowsViewOf view(rows);
  Bytes region(region_bytes, canary);
  const auto size = pack_into(region, layout, view.view());
  REQUIRE_FALSE(size.has_value());
  CHECK(all_are(region, canary));
  return size.error();
}

TEST_CASE("nothing is written when the region is too small") {
  for (const Case& each : cases()) {
    if (each.layout.size == 0) continue;
    for (const std::uint64_t region :
         {std::uint64_t{0}, each.layout.size / 2, each.layout.size - 1}) {
      INFO(each.name, " in ", region);
      const Error failed = refused(each.layout, each.rows, region);
      CHECK(failed.code == ErrorCode::region_exceeded);
      CHECK(failed.message.find("exceeds meta stride: needs " + std::to_string(each.layout.size) +
                                " B, have " + std::to_string(region) + " B") != std::string::npos);
    }
  }
}

TEST_CASE("nothing is written when the rows are refused") {
  const DescriptionPtr batch = builtin("mtp_batch");
  const DescriptionPtr decode = builtin("decode");
  const auto rows = some_rows(4);  // the last has three entries

  const Error longer = refused(resolved(batch, {{"rows", 4}, {"max_blocks", 2}}, {4, {}}),
                               columns_of(*batch, rows), 4096);
  CHECK(longer.code == ErrorCode::list_too_long);
  CHECK(longer.message ==
        "MTP attention metadata exceeds meta stride: needs 96 B, have 4096 B; row 3: 'block_table' "
        "has 3 block-table entries, its dimension max_blocks is 2");

  const Error number = refused(resolved(batch, {{"rows", 3}, {"max_blocks", 3}}, {3, {}}),
                               columns_of(*batch, rows), 4096);
  CHECK(number.code == ErrorCode::row_count);

  const Error more = refused(resolved(batch, {{"rows", 3}, {"max_blocks", 3}}, {4, {}}),
                             columns_of(*batch, rows), 4096);
  CHECK(more.code == ErrorCode::row_count);

  const Params params = {{"max_blocks", 3}, {"max_batch_size", 4}, {"block_size", 16}};
  Params padded = params;
  padded["padded_rows"] = 33;
  const Error padding = refused(resolved(decode, padded, {4, {}}), columns_of(*decode, rows), 4096);
  CHECK(padding.code == ErrorCode::padded_rows);
  CHECK(padding.message.find("33 padded rows") != std::string::npos);
  CHECK(padding.message.find("32 rows") != std::string::npos);

  padded["padded_rows"] = 3;
  CHECK(refused(resolved(decode, padded, {4, {}}), columns_of(*decode, rows), 4096).code ==
        ErrorCode::padded_rows);
  CHECK(refused(resolved(decode, params, {4, 5}), columns_of(*decode, rows), 4096).code ==
        ErrorCode::live_rows);
}

TEST_CASE("the first row of a list that is too long is named, then the first field") {
  const DescriptionPtr description = description_of(R"({
    "name": "lists", "row_param": "rows", "params": {"rows": {}},
    "fields": [
      {"name": "left", "type": "u8", "shape": ["rows", 1]},
      {"name": "nested", "type": "u8", "shape": ["rows", 2, 1]},
      {"name": "right", "type": "u8", "shape": ["rows", 1]}]})");
  struct {
    const char* name;
    const char* rows;
    const char* wanted;
  } const table[] = {
      {"a later row of the first field", R"([[[], [], []], [[], [], []], [[1,2], [], []]])",
       "row 2: 'left' has 2 entries"},
      {"an earlier row of a later field", R"([[[], [], []], [[], [], [1,2]], [[1,2], [], []]])",
       "row 1: 'right' has 2 entries"},
      {"the first field of a row", R"([[[], [], []], [[1,2,3], [], [1,2]], [[], [], []]])",
       "row 1: 'left' has 3 entries"},
      {"an inner list", R"([[[], [[1]], []], [[], [[1],[2,3]], []], [[], [], []]])",
       "row 1: 'nested' has 2 entries"},
      {"an outer list", R"([[[], [[1]], []], [[], [[1],[2],[3]], []], [[], [], []]])",
       "row 1: 'nested' has 3 entries"},
      {"an inner list before an outer one",
       R"([[[], [[1]], []], [[], [[1],[2,3,4,5]], []], [[], [[],[],[]], []]])",
       "row 1: 'nested' has 4 entries"},
  };
  for (const auto& [name, text, wanted] : table) {
    INFO(std::string(name));
    // Brackets only: rows of [left, nested, right].
    Rows rows(*description);
    std::size_t depth = 0;
    std::size_t field = 0;
    std::uint64_t counts[5] = {};
    for (const char* at = text; *at != '\0'; ++at) {
      if (*at == '[') {
        if (depth == 2) field = counts[2];
        if (depth >= 2) ++counts[depth];
        counts[++depth] = 0;
      } else if (*at == ']') {
        if (depth == 2) rows.add_row();
        if (depth >= 3) rows.column(field).counts[depth - 3].append(counts[depth]);
        --depth;
      } else if (*at >= '0' && *at <= '9') {
        ++counts[depth];
        *rows.column(field).elements.extend(1) = std::byte{1};
      }
    }
    REQUIRE(rows.row_count() == 3);
    const Error failed = refused(resolved(description, {{"rows", 3}}, {3, {}}), rows, 100);
    CHECK(failed.code == ErrorCode::list_too_long);
    INFO(failed.message);
    CHECK(failed.message.find(wanted) != std::string::npos);
  }
}

TEST_CASE("a fill that nobody knows is only missed where a list is short") {
  const DescriptionPtr description = description_of(R"({
    "name": "filled", "row_param": "rows", "params": {"rows": {}, "filler": {}},
    "fields": [{"name": "list", "type": "u8", "shape": ["rows", 2], "fill": "filler"}]})");
  const Layout layout = resolved(description, {{"rows", 2}}, {2, {}});
  const auto lists = [&](std::uint64_t second) {
    Rows rows(*description);
    for (const std::uint64_t count : {std::uint64_t{2}, second}) {
      rows.column(0).counts[0].append(count);
      for (std::uint64_t entry = 0; entry < count; ++entry)
        *rows.column(0).elements.extend(1) = std::byte{9};
      rows.add_row();
    }
    return rows;
  };
  Bytes region(4, canary);
  const Rows full = lists(2);
  CHECK(pack_into(region, layout, RowsViewOf(full).view()).has_value());
  CHECK(all_are(region, std::byte{9}));
  CHECK(refused(layout, lists(1), 4).code == ErrorCode::param_missing);
  CHECK(refused(layout, lists(0), 4).code == ErrorCode::param_missing);
}

TEST_CASE("a slab of its own is bounded before memory is taken") {
  const DescriptionPtr description = builtin("mtp_batch");
  const auto rows = some_rows(2);
  const Rows columns = columns_of(*description, rows);
  const RowsViewOf view(columns);
  const Layout layout =
      resolved(description, {{"rows", 2}, {"max_blocks", std::uint64_t{1} << 40U}}, {2, {}});
  const auto slab = pack(layout, view.view());
  REQUIRE_FALSE(slab.has_value());
  CHECK(slab.error().code == ErrorCode::slab_limit);
  const Layout small = resolved(description, {{"rows", 2}, {"max_blocks", 2}}, {2, {}});
  CHECK(pack(small, view.view(), {}, 48).has_value());
  const auto limited = pack(small, view.view(), {}, 47);
  REQUIRE_FALSE(limited.has_value());
  CHECK(limited.error().code == ErrorCode::slab_limit);
}

}  // namespace
}  // namespace slabscope::tests
