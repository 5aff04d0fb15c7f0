// Who may write where: rows of one group write for one sequence, rows of two never write the same.
#include "../support/documents.h"

#include <slabscope/check/lint.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

namespace slabscope::tests {
namespace {

// Row 0 has KV indices 0 to 7 in block 3, row 1 has 0 to 17 in blocks 4 and 5.
Findings aliases(std::uint64_t slot, std::uint64_t other_slot,
                 const std::array<std::int64_t, 2>& groups) {
  const auto document = read_document(
      R"({"layout": "mtp_batch", "params": {"max_blocks": 2, "block_size": 16}, "rows": [
          {"position": 7, "slot": )" +
      std::to_string(slot) + R"(, "seq_len": 8, "block_table": [3]},
          {"position": 17, "slot": )" +
      std::to_string(other_slot) + R"(, "seq_len": 18, "block_table": [4, 5]}]})");
  REQUIRE(document.has_value());
  const Bytes slab = packed(*document);
  const auto view = SlabView::of(document->layout, slab);
  REQUIRE(view.has_value());
  const auto batch = Batch::of(*view, {0, {}, groups});
  REQUIRE(batch.has_value());
  const std::array<std::string, 1> only = {"write-alias"};
  const auto chosen = choose_rules(only, {});
  REQUIRE(chosen.has_value());
  return lint(*batch, *chosen).findings;
}

constexpr std::uint64_t own = 3 * 16 + 7;
constexpr std::uint64_t other_own = 5 * 16 + 1;
constexpr std::uint64_t nobodys = 9 * 16;  // in a block that no row has

void check_alias(const Findings& found, std::uint64_t slot) {
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "write-alias");
  CHECK(found[0].row == 1);
  CHECK(found[0].other_row == 0);
  CHECK(found[0].value == std::to_string(slot));
}

TEST_CASE("rows that write their own slots") {
  CHECK(aliases(own, other_own, {0, 1}).empty());
  CHECK(aliases(own, other_own, {0, 0}).empty());
}

TEST_CASE("a row of another group writes into a row's KV") {
  check_alias(aliases(own, own, {0, 1}), own);
  check_alias(aliases(own, 3 * 16, {0, 1}), 3 * 16);
  CHECK(aliases(own, 3 * 16 + 8, {0, 1}).empty());  // behind its last token
  CHECK(aliases(own, own, {5, 5}).empty());
}

TEST_CASE("two rows write one slot that no row reads") {
  check_alias(aliases(nobodys, nobodys, {0, 1}), nobodys);
  CHECK(aliases(nobodys, nobodys, {1, 1}).empty());
  CHECK(aliases(nobodys, nobodys + 1, {0, 1}).empty());
}

}  // namespace
}  // namespace slabscope::tests
