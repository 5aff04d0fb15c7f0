// The device view reads every field where the packer wrote it: as numbers, against offsets written
// out by hand, and through memory, value by value.
#include <slabscope/slab/view_on_device.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

constexpr std::uint64_t row_counts[] = {1, 2, 3, 5, 16, 32, 128};
constexpr std::uint64_t block_counts[] = {0, 1, 2, 3, 7, 16, 257};
constexpr std::uint64_t base = 0x1000;

std::vector<PlainRow> random_rows(PseudoRandom& random, std::uint64_t count,
                                  std::uint64_t max_blocks) {
  std::vector<PlainRow> rows(count);
  for (PlainRow& row : rows) {
    row = {.position = static_cast<std::uint32_t>(random.bits()),
           .slot = static_cast<std::int64_t>(random.bits()),
           .seq_len = static_cast<std::int32_t>(random.bits()),
           .seq_slot = static_cast<std::int32_t>(random.bits())};
    for (std::uint64_t entry = 0; entry < max_blocks; ++entry)
      row.block_table.push_back(static_cast<std::int64_t>(random.below(std::uint64_t{1} << 31U)));
  }
  return rows;
}

void check_addresses(const DeviceView& view, const NaiveOffsets& at) {
  CHECK(view.positions == base + at.position);
  CHECK(view.positions_h == view.positions);
  CHECK(view.positions_w == view.positions);
  CHECK(view.slot == base + at.slot);
  CHECK(view.seq_len == base + at.seq_len);
  CHECK(view.block_table == base + at.block_table);
}

// A slab of these rows in memory aligned as device memory is.
class PackedSlab {
 public:
  PackedSlab(const Layout& layout, std::span<const PlainRow> rows) {
    const Rows columns = columns_of(*layout.description, rows);
    memory_.resize(layout.size / sizeof(Page) + 1);
    REQUIRE(
        pack_into(std::as_writable_bytes(std::span(memory_)), layout, RowsViewOf(columns).view())
            .has_value());
  }
  [[nodiscard]] std::uint64_t address() const noexcept {
    return reinterpret_cast<std::uint64_t>(memory_.data());
  }

 private:
  struct alignas(256) Page {
    std::byte bytes[256] = {};
  };
  std::vector<Page> memory_;
};

void check_values(const DeviceView& view, std::span<const PlainRow> rows,
                  std::uint64_t blocks_per_row) {
  std::size_t wrong = 0;
  const auto check = [&](bool ok) { wrong += ok ? 0U : 1U; };
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    check(position_at(view, row) == rows[row].position);
    check(slot_at(view, row) == rows[row].slot);
    check(seq_len_at(view, row) == rows[row].seq_len);
    check(seq_slot_at(view, row) == rows[row].seq_slot.value_or(-1));
    for (std::uint64_t entry = 0; entry < blocks_per_row; ++entry)
      check(block_at(view, row, entry, blocks_per_row) == rows[row].block_table[entry]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("mtp") {
  PseudoRandom random(11);
  for (const std::uint64_t entries : block_counts) {
    INFO(entries, " entries");
    const Layout layout = resolved(builtin("mtp"), {{"entries", entries}}, {1, {}});
    for (const std::uint32_t max_blocks : {0U, 7U, ~0U}) {
      const auto view = mtp_view(layout, base, max_blocks);
      REQUIRE(view.has_value());
      check_addresses(*view, mtp_offsets(entries));
      CHECK(view->seq_slot == 0);
      CHECK(view->moe_row_adapter == 0);
      CHECK(view->num_seqs == 1);
      CHECK(view->max_blocks_per_seq == max_blocks);
    }
    auto rows = random_rows(random, 1, entries);
    rows[0].seq_slot.reset();
    const PackedSlab slab(layout, rows);
    const auto view = mtp_view(layout, slab.address(), 1);
    REQUIRE(view.has_value());
    check_values(*view, rows, entries);
  }
}

TEST_CASE("mtp_batch") {
  PseudoRandom random(12);
  for (const std::uint64_t count : row_counts) {
    for (const std::uint64_t max_blocks : block_counts) {
      INFO(count, " rows of ", max_blocks);
      const Layout layout = resolved(builtin("mtp_batch"),
                                     {{"rows", count}, {"max_blocks", max_blocks}}, {count, {}});
      const auto view = mtp_batch_view(layout, base);
      REQUIRE(view.has_value());
      check_addresses(*view, mtp_batch_offsets(count, max_blocks));
      CHECK(view->seq_slot == 0);
      CHECK(view->moe_row_adapter == 0);
      CHECK(view->num_seqs == count);
      CHECK(view->max_blocks_per_seq == 0);

      auto rows = random_rows(random, count, max_blocks);
      for (PlainRow& row : rows) row.seq_slot.reset();
      const PackedSlab slab(layout, rows);
      const auto in_memory = mtp_batch_view(layout, slab.address());
      REQUIRE(in_memory.has_value());
      check_values(*in_memory, rows, max_blocks);
    }
  }
}

TEST_CASE("decode") {
  PseudoRandom random(13);
  for (const std::uint64_t count : row_counts) {
    for (const std::uint64_t max_blocks : block_counts) {
      for (const std::uint64_t max_batch_size : {count, count + 3}) {
        const std::uint64_t capacity = decode_capacity(max_batch_size);
        for (const std::uint64_t padded : {count, (count + capacity) / 2, capacity}) {
          INFO(count, " rows of ", max_blocks, ", ", padded, " padded, capacity ", capacity);
          const Layout layout = resolved(builtin("decode"),
                                         {{"max_batch_size", max_batch_size},
                                          {"max_blocks", max_blocks},
                                          {"padded_rows", padded},
                                          {"dummy_block", 9},
                                          {"block_size", 16}},
                                         {count, {}});
          const NaiveOffsets at = decode_offsets(capacity, max_blocks);
          const auto with = decode_view(layout, base, true, 0x7777);
          REQUIRE(with.has_value());
          check_addresses(*with, at);
          CHECK(with->seq_slot == base + *at.seq_slot);
          CHECK(with->moe_row_adapter == 0x7777);
          CHECK(with->num_seqs == padded);
          CHECK(with->max_blocks_per_seq == max_blocks);
          const auto without = decode_view(layout, base, false);
          REQUIRE(without.has_value());
          check_addresses(*without, at);
          CHECK(without->seq_slot == 0);
          CHECK(without->moe_row_adapter == 0);
          CHECK(without->num_seqs == padded);

          auto rows = random_rows(random, count, max_blocks);
          const PackedSlab slab(layout, rows);
          const auto in_memory = decode_view(layout, slab.address(), true);
          REQUIRE(in_memory.has_value());
          // A kernel sees the padding rows too.
          while (rows.size() < padded)
            rows.push_back({.position = 0,
                            .slot = 9 * 16,
                            .seq_len = 1,
                            .block_table = std::vector<std::int64_t>(max_blocks, 9),
                            .seq_slot = -1});
          check_values(*in_memory, rows, max_blocks);
          for (PlainRow& row : rows) row.seq_slot.reset();
          const auto no_adapter = decode_view(layout, slab.address(), false);
          REQUIRE(no_adapter.has_value());
          check_values(*no_adapter, rows, max_blocks);
        }
      }
    }
  }
}

TEST_CASE("a base that is not aligned for the slab is refused") {
  const Layout mtp = resolved(builtin("mtp"), {{"entries", 2}}, {1, {}});
  const Layout batch = resolved(builtin("mtp_batch"), {{"rows", 3}, {"max_blocks", 2}}, {3, {}});
  const Layout decode = resolved(builtin("decode"), {{"max_blocks", 2}}, {3, {}});
  for (std::uint64_t offset = 0; offset < 16; ++offset) {
    INFO("offset ", offset);
    for (const auto& view :
         {mtp_view(mtp, base + offset, 2), mtp_batch_view(batch, base + offset),
          decode_view(decode, base + offset, true), decode_view(decode, base + offset, false)}) {
      REQUIRE(view.has_value() == (offset % 8 == 0));
      if (!view) CHECK(view.error().code == ErrorCode::misaligned);
    }
  }
}

TEST_CASE("a layout's own alignment binds the base") {
  const DescriptionPtr description = description_of(R"({
    "name": "wide", "align": 64, "params": {},
    "fields": [{"name": "position", "type": "u8", "shape": [], "role": "position"}]})");
  const Layout layout = resolved(description, {}, {1, {}});
  CHECK(mtp_view(layout, 0x1000, 1).has_value());
  CHECK(mtp_view(layout, 0x1040, 1).has_value());
  CHECK_FALSE(mtp_view(layout, 0x1020, 1).has_value());
  CHECK_FALSE(mtp_view(layout, 0x1008, 1).has_value());
}

TEST_CASE("a slab that no address space or kernel can hold is refused") {
  const auto code = [](const Result<DeviceView>& view) {
    return view ? std::string("none") : std::string(info(view.error().code).name);
  };
  const Layout mtp = resolved(builtin("mtp"), {{"entries", 0}}, {1, {}});
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max() - 255;
  CHECK(code(mtp_view(mtp, last - 256, 1)) == "none");
  CHECK(code(mtp_view(mtp, last + 8, 1)) == "out_of_range");
  const std::uint64_t many = std::uint64_t{1} << 32U;
  const Layout batch = resolved(builtin("mtp_batch"), {{"rows", many - 1}, {"max_blocks", 0}}, {});
  CHECK(code(mtp_batch_view(batch, base)) == "none");
  const Layout larger = resolved(builtin("mtp_batch"), {{"rows", many}, {"max_blocks", 0}}, {});
  CHECK(code(mtp_batch_view(larger, base)) == "out_of_range");
  const Layout wide =
      resolved(builtin("decode"), {{"max_batch_size", 1}, {"max_blocks", many}}, {1, {}});
  CHECK(code(decode_view(wide, base, true)) == "out_of_range");
}

// Fields are found by their role, so that a layout of one's own can be viewed.
TEST_CASE("a layout without some of the fields has no address for them") {
  const DescriptionPtr description = description_of(R"({
    "name": "bare", "row_param": "rows", "params": {"rows": {}},
    "fields": [{"name": "lengths", "type": "i32", "shape": ["rows"], "offset": 16,
                "role": "seq_len"}]})");
  const auto view = mtp_batch_view(resolved(description, {{"rows", 3}}), base);
  REQUIRE(view.has_value());
  CHECK(view->seq_len == base + 16);
  CHECK(view->positions == 0);
  CHECK(view->slot == 0);
  CHECK(view->block_table == 0);
  CHECK(seq_slot_at(*view, 2) == -1);
}

}  // namespace
}  // namespace slabscope::tests
