// The first look at a block table, and at padding, against one entry after the other.
#include <slabscope/check/table_scan.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::PseudoRandom;

struct Table {
  Layout layout;
  Buffer slab;
};

// Rows of `columns` entries of a type, all `start` at first.
Table table_of(std::string_view type, std::uint64_t rows, std::uint64_t columns, int128 start) {
  const DescriptionPtr description = tests::described(
      R"({"name": "t", "params": {"rows": {}, "n": {}}, "row_param": "rows", "fields": [
          {"name": "odd", "type": "u8", "shape": []},
          {"name": "table", "type": ")" +
      std::string(type) + R"(", "shape": ["rows", "n"]}]})");
  Table made{tests::resolved(description, tests::given({{"rows", rows}, {"n", columns}})), {}};
  made.slab.resize_uninitialised(made.layout.size);
  std::fill(made.slab.bytes().begin(), made.slab.bytes().end(), std::byte{0});
  const ResolvedField& field = made.layout.fields[1];
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 0; column < columns; ++column)
      store_element(field.type(),
                    made.slab.data() + field.item_offset(row) + column * field.element_bytes(),
                    start);
  return made;
}

TEST_CASE("a table's rows, its shared blocks and who uses which, entry by entry") {
  PseudoRandom random(31);
  std::uint64_t sharing = 0;
  std::uint64_t apart = 0;
  for (int round = 0; round < 6000; ++round) {
    const ElementType element = static_cast<ElementType>(random.below(8));
    const std::uint64_t rows = random.below(5);
    const std::uint64_t columns = random.below(70);
    const int128 fill = static_cast<int128>(random.below(3)) - (random.one_in(2) ? 1 : 0);
    const bool has_fill = random.one_in(2) && fits(element, fill);
    Table table = table_of(name(element), rows, columns, has_fill ? fill : 0);
    const ResolvedField& field = table.layout.fields[1];
    // Few ids or many, near each other or far apart.
    const std::uint64_t pool =
        random.one_in(2) ? 1 + random.below(9) : std::uint64_t{1} << random.below(64);
    const std::vector<int128> nobodys = {0, random.one_in(2) ? -1 : 3};
    const SlabView view = *SlabView::of(table.layout, table.slab.bytes());
    TableScan scan(view, field, nobodys, has_fill ? std::optional(fill) : std::nullopt, rows);
    std::map<int128, int> uses;
    std::vector<RowScan> due(rows);
    std::vector<bool> is_added(rows);
    for (std::uint64_t row = 0; row < rows; ++row) {
      is_added[row] = !random.one_in(4);
      const std::uint64_t present = random.below(columns + 1);
      const std::uint64_t used = random.below(present + 1);
      const std::uint64_t written = std::min(present, used + random.below(3));
      for (std::uint64_t column = 0; column < written; ++column) {
        int128 entry = static_cast<int128>(random.bits() % pool) - (random.one_in(50) ? 2 : 0);
        if (!fits(element, entry)) entry = maximum(element);
        store_element(element,
                      table.slab.data() + field.item_offset(row) + column * field.element_bytes(),
                      entry);
      }
      if (!is_added[row]) continue;
      for (std::uint64_t column = 0; column < present; ++column) {
        const int128 entry = view.element(field, row, column);
        if (!has_fill || entry != fill) due[row].tail = column + 1;
        if (column >= used) continue;
        due[row].least = column == 0 ? entry : std::min(due[row].least, entry);
        due[row].most = column == 0 ? entry : std::max(due[row].most, entry);
        const bool is_nobodys = std::count(nobodys.begin(), nobodys.end(), entry) != 0;
        due[row].has_nobodys = due[row].has_nobodys || is_nobodys;
        if (!is_nobodys && entry >= 0) ++uses[entry];
      }
      if (!has_fill) due[row].tail = present;
      scan.add(row, used, present);
    }
    scan.finish();
    CAPTURE(round);
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (!is_added[row]) continue;
      const RowScan& got = scan.row(row);
      CHECK(got.least == due[row].least);
      CHECK(got.most == due[row].most);
      CHECK(got.has_nobodys == due[row].has_nobodys);
      CHECK(got.tail == due[row].tail);
    }
    const bool shares =
        std::any_of(uses.begin(), uses.end(), [](const auto& each) { return each.second > 1; });
    CHECK(scan.shares_blocks() == shares);
    ++(shares ? sharing : apart);
    for (const auto& [block, count] : uses) {
      CHECK(scan.uses(block));
      for (const int128 near : {block - 1, block + 1, block + 64, -block - 1})
        CHECK(scan.uses(near) == uses.contains(near));
    }
  }
  CHECK(sharing > 1000);
  CHECK(apart > 1000);
}

TEST_CASE("the first element that is not its pad") {
  PseudoRandom random(32);
  for (int round = 0; round < 4000; ++round) {
    const ElementType element = static_cast<ElementType>(random.below(8));
    const std::uint64_t columns = random.below(300);
    std::vector<int128> pad(1 + random.below(3));
    for (int128& each : pad) each = static_cast<int128>(random.below(4)) - 1;
    if (random.one_in(9)) pad.back() = int128{1} << 70;  // no element is that
    Table table = table_of(name(element), 2, columns, fits(element, pad.back()) ? pad.back() : 0);
    const ResolvedField& field = table.layout.fields[1];
    const auto at = [&](std::uint64_t index) {
      return table.slab.data() + field.item_offset(1) + index * field.element_bytes();
    };
    for (std::uint64_t index = 0; index < columns && index + 1 < pad.size(); ++index)
      if (fits(element, pad[index])) store_element(element, at(index), pad[index]);
    for (std::uint64_t change = random.below(3); change != 0 && columns != 0; --change)
      store_element(element, at(random.below(columns)), static_cast<int128>(random.below(2)) * 5);
    const SlabView view = *SlabView::of(table.layout, table.slab.bytes());
    std::uint64_t due = 0;
    while (due < columns &&
           view.element(field, 1, due) == pad[std::min<std::size_t>(due, pad.size() - 1)])
      ++due;
    CAPTURE(round);
    CHECK(first_unlike(view, field, 1, pad) == due);
  }
}

}  // namespace
}  // namespace slabscope
