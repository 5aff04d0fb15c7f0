// The owner of every byte, against fields and indices counted up by hand in nested loops.
#include <slabscope/layout/owner.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// What every byte of a slab is expected to be, byte by byte.
using Owners = std::vector<std::string>;

void put(Owners& owners, const std::string& text, std::uint64_t bytes) {
  owners.insert(owners.end(), bytes, text);
}

std::string indexed(const std::string& field, std::initializer_list<std::uint64_t> indices) {
  std::string text = field;
  for (const std::uint64_t each : indices) text += "[" + std::to_string(each) + "]";
  return text;
}

void check_owners(const Layout& layout, const Owners& owners) {
  REQUIRE(layout.size == owners.size());
  std::size_t longest = 0;
  for (std::uint64_t offset = 0; offset < layout.size; ++offset) {
    const auto owner = owner_of(layout, offset);
    REQUIRE(owner.has_value());
    CHECK(to_text(*owner) == owners[offset]);
    // An owner begins where the text changes, and ends where it changes again.
    CHECK((owner->offset <= offset && offset < owner->offset + owner->bytes));
    CHECK((owner->offset == 0 || owners[owner->offset - 1] != owners[offset]));
    CHECK(owners[owner->offset + owner->bytes - 1] == owners[offset]);
    CHECK(owner->is_gap() == (owners[offset] == "(gap)"));
    if (!owner->is_gap()) longest = std::max(longest, owners[offset].size());
  }
  CHECK(longest_text(layout) == longest);
  CHECK_FALSE(owner_of(layout, layout.size).has_value());
  CHECK_FALSE(owner_of(layout, ~std::uint64_t{0}).has_value());
}

// Of a built-in layout, from the tiles that the naive packer has: one dimension for the rows if
// there are any, one more for the table.
Owners owners_of(const std::vector<NaiveOwner>& tiles, std::uint64_t rows, bool has_rows,
                 std::uint64_t table_entries) {
  Owners owners;
  for (const NaiveOwner& tile : tiles) {
    if (tile.field.empty()) {
      put(owners, "(gap)", tile.bytes);
      continue;
    }
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::string of_row = has_rows ? indexed(tile.field, {row}) : tile.field;
      const std::uint64_t count = tile.field == "block_table" ? table_entries : 1;
      for (std::uint64_t entry = 0; entry < count; ++entry)
        put(owners, tile.field == "block_table" ? indexed(of_row, {entry}) : of_row,
            tile.bytes / rows / count);
    }
  }
  return owners;
}

TEST_CASE("every byte of the built-in layouts") {
  for (const std::uint64_t blocks : {0U, 1U, 3U}) {
    CAPTURE(blocks);
    check_owners(resolved(builtin("mtp"), {{"entries", blocks}}),
                 owners_of(mtp_owners(blocks), 1, false, blocks));
    for (const std::uint64_t rows : {1U, 2U, 3U, 5U}) {
      CAPTURE(rows);
      check_owners(resolved(builtin("mtp_batch"), {{"rows", rows}, {"max_blocks", blocks}}),
                   owners_of(mtp_batch_owners(rows, blocks), rows, true, blocks));
    }
    check_owners(resolved(builtin("decode"), {{"max_batch_size", 33}, {"max_blocks", blocks}}),
                 owners_of(decode_owners(33, blocks), 33, true, blocks));
  }
}

TEST_CASE("several dimensions, fields that are no row's, gaps at either end") {
  const Layout layout = resolved(description_of(R"({
    "name": "shapes", "row_param": "rows", "params": {"rows": {}},
    "fields": [
      {"name": "pages", "type": "u16", "shape": ["rows", 2, 3], "offset": 4},
      {"name": "none", "type": "u64", "shape": ["rows", 0]},
      {"name": "grid", "type": "u8", "shape": [2, 2]},
      {"name": "stamp", "type": "u32", "shape": [], "align": 64},
      {"name": "end", "type": "u8", "shape": [0], "offset": 80}]})"),
                                 {{"rows", 2}});
  Owners owners;
  put(owners, "(gap)", 4);
  for (std::uint64_t row = 0; row < 2; ++row)
    for (std::uint64_t level = 0; level < 2; ++level)
      for (std::uint64_t page = 0; page < 3; ++page)
        put(owners, indexed("pages", {row, level, page}), 2);
  put(owners, "(gap)", 4);  // "none" is aligned to 32, and "grid" begins there
  for (std::uint64_t line = 0; line < 2; ++line)
    for (std::uint64_t column = 0; column < 2; ++column)
      put(owners, indexed("grid", {line, column}), 1);
  put(owners, "(gap)", 28);
  put(owners, "stamp", 4);
  put(owners, "(gap)", 12);
  check_owners(layout, owners);

  CHECK(row_of(layout, *owner_of(layout, 4 + 12)) == std::uint64_t{1});
  CHECK_FALSE(row_of(layout, *owner_of(layout, 32)).has_value());  // grid
  CHECK_FALSE(row_of(layout, *owner_of(layout, 0)).has_value());   // a gap
  const Owner last_page = *owner_of(layout, 4 + 23);
  CHECK(last_page.item == 1);
  CHECK(last_page.element == 5);
  CHECK(to_text(owner_at(*last_page.field, 0, 4)) == "pages[0][1][1]");
  CHECK(owner_at(*last_page.field, 0, 4).offset == 4 + 8);
}

TEST_CASE("without a row parameter everything is row 0's") {
  const Layout layout = resolved(builtin("mtp"), {{"entries", 2}});
  CHECK(row_of(layout, *owner_of(layout, 260)) == std::uint64_t{0});
  CHECK(owner_of(layout, 260)->element == 1);
}

TEST_CASE("a slab without bytes has no owners") {
  const Layout layout = resolved(builtin("mtp_batch"), {{"rows", 0}, {"max_blocks", 1}});
  CHECK_FALSE(owner_of(layout, 0).has_value());
}

}  // namespace
}  // namespace slabscope::tests
