// A small universe, whole: every built-in layout at 0..4 rows and 0..4 blocks, tables of every
// length, every region around the slab's size, every number of padding and live rows. Packing
// agrees byte for byte with the naive packer, or both refuse, and for the same reason: columns,
// typed entry points and documents alike.
#include <slabscope/slab/builtin.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"
#include "../support/pack_comparison.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

constexpr std::uint64_t most_rows = 4;
constexpr std::uint64_t most_blocks = 4;

// Calls `visit` with every choice of `count` lengths from 0 to `most`.
template <class Visit>
void for_each_lengths(std::uint64_t count, std::uint64_t most, Visit&& visit) {
  std::vector<std::uint64_t> lengths(count, 0);
  for (;;) {
    visit(std::as_const(lengths));
    std::size_t index = 0;
    while (index < count && lengths[index] == most) lengths[index++] = 0;
    if (index == count) return;
    ++lengths[index];
  }
}

// Values that show a misplaced byte, and now and then an extreme one.
class RowMaker {
 public:
  explicit RowMaker(std::uint64_t seed) : random_(seed) {}

  PlainRow row(std::uint64_t table_length, bool with_seq_slot) {
    PlainRow made{.position = static_cast<std::uint32_t>(random_.bits()),
                  .slot = static_cast<std::int64_t>(random_.bits()),
                  .seq_len = static_cast<std::int32_t>(random_.bits())};
    if (random_.one_in(8)) made.slot = -1;
    for (std::uint64_t entry = 0; entry < table_length; ++entry)
      made.block_table.push_back(static_cast<std::int64_t>(random_.below(std::uint64_t{1} << 31U)));
    if (with_seq_slot) made.seq_slot = static_cast<std::int32_t>(random_.bits());
    return made;
  }
  // Seq slots: those rows whose bit in `seq_slot_mask` is set.
  std::vector<PlainRow> rows(const std::vector<std::uint64_t>& lengths,
                             std::uint64_t seq_slot_mask) {
    std::vector<PlainRow> made;
    for (std::size_t index = 0; index < lengths.size(); ++index)
      made.push_back(row(lengths[index], (seq_slot_mask >> index & 1U) != 0));
    return made;
  }

 private:
  PseudoRandom random_;
};

std::string shown(const Params& params, const std::vector<PlainRow>& rows) {
  return document_of("", params, rows);
}

TEST_CASE("mtp") {
  PackComparison comparison;
  BuiltinPacker packer;
  RowMaker maker(1);
  const DescriptionPtr description = builtin("mtp");
  for (std::uint64_t entries = 0; entries <= most_blocks; ++entries) {
    const Params params = {{"entries", entries}};
    const Layout layout = resolved(description, params, {1, {}});
    for (std::uint64_t length = 0; length <= most_blocks + 2; ++length) {
      const std::vector<PlainRow> rows = {maker.row(length, false)};
      const Rows columns = columns_of(*description, rows);
      const RowsViewOf view(columns);
      const NaiveSlab naive = naive_mtp(rows[0], entries);
      const auto what = [&] { return shown(params, rows); };
      comparison.check(naive, pack_columns(layout, view), what);
      comparison.check(naive, pack_document("mtp", params, rows), what);
      if (length != entries) continue;
      const Tables<std::uint32_t> tables(rows);
      const MtpRow typed{rows[0].position, rows[0].slot, rows[0].seq_len, tables.spans()[0]};
      comparison.check(
          naive, [&](std::span<std::byte> region) { return packer.pack_into(region, typed); },
          what);
      // Entries left to the list.
      comparison.check(naive, pack_document("mtp", {}, rows), what);
    }
  }
  CHECK(comparison.cases() == (5 * 7 * 2 + 5 * 2) * 6);
}

TEST_CASE("mtp_batch") {
  PackComparison comparison;
  BuiltinPacker packer;
  RowMaker maker(2);
  const DescriptionPtr description = builtin("mtp_batch");
  for (std::uint64_t count = 0; count <= most_rows; ++count) {
    for (std::uint64_t max_blocks = 0; max_blocks <= most_blocks; ++max_blocks) {
      const Params params = {{"rows", count}, {"max_blocks", max_blocks}};
      const Layout layout = resolved(description, params, {count, {}});
      for_each_lengths(count, max_blocks + 1, [&](const std::vector<std::uint64_t>& lengths) {
        const std::vector<PlainRow> rows = maker.rows(lengths, 0);
        const Rows columns = columns_of(*description, rows);
        const RowsViewOf view(columns);
        const NaiveSlab naive = naive_mtp_batch(rows, max_blocks);
        const auto what = [&] { return shown(params, rows); };
        comparison.check(naive, pack_columns(layout, view), what);
        const auto position = column(rows, &PlainRow::position);
        const auto slot = column(rows, &PlainRow::slot);
        const auto seq_len = column(rows, &PlainRow::seq_len);
        const Tables<std::uint32_t> tables(rows);
        const MtpBatchColumns typed{position, slot, seq_len, tables.spans(), max_blocks};
        comparison.check(
            naive, [&](std::span<std::byte> region) { return packer.pack_into(region, typed); },
            what);
        if (count < 3) comparison.check(naive, pack_document("mtp_batch", params, rows), what);
      });
    }
  }
  CHECK(comparison.cases() > 30'000);
}

// Padded rows of interest for `count` live ones: each split around the rows and the capacity.
std::vector<std::uint64_t> splits(std::uint64_t count, std::uint64_t capacity) {
  std::vector<std::uint64_t> padded;
  for (std::uint64_t more = 0; more <= 3; ++more) padded.push_back(count + more);
  for (const std::uint64_t each : {capacity - 1, capacity, capacity + 1}) padded.push_back(each);
  if (count != 0) padded.push_back(count - 1);
  return padded;
}

class DecodeUniverse {
 public:
  explicit DecodeUniverse(std::uint64_t max_batch_size) : max_batch_size_(max_batch_size) {}

  // All rows and tables at this split, with adapters as the mask says.
  void check(std::uint64_t count, std::uint64_t max_blocks, std::uint64_t padded,
             std::uint64_t seq_slot_mask) {
    const Params params = {{"max_batch_size", max_batch_size_},
                           {"max_blocks", max_blocks},
                           {"padded_rows", padded},
                           {"dummy_block", 0x01020304},
                           {"block_size", 16}};
    const NaiveDecode naive_params{.max_batch_size = max_batch_size_,
                                   .max_blocks = max_blocks,
                                   .padded_rows = padded,
                                   .dummy_block = 0x01020304,
                                   .block_size = 16};
    const Layout layout = resolved(description_, params, {count, {}});
    for_each_lengths(count, max_blocks + 1, [&](const std::vector<std::uint64_t>& lengths) {
      const std::vector<PlainRow> rows = maker_.rows(lengths, seq_slot_mask);
      const NaiveSlab naive = naive_decode(rows, naive_params);
      const auto what = [&] { return shown(params, rows); };
      const Rows columns = columns_of(*description_, rows);
      const RowsViewOf view(columns);
      comparison_.check(naive, pack_columns(layout, view), what);
      if (count < 2) comparison_.check(naive, pack_document("decode", params, rows), what);
      // 0 padded rows stand for the number of rows there.
      if (padded == 0 && count != 0) return;
      check_typed(rows, naive_params, naive, what);
    });
  }

  [[nodiscard]] std::uint64_t cases() const noexcept { return comparison_.cases(); }

 private:
  void check_typed(const std::vector<PlainRow>& rows, const NaiveDecode& params,
                   const NaiveSlab& naive, const std::function<std::string()>& what) {
    const auto position = column(rows, &PlainRow::position);
    const auto slot = column(rows, &PlainRow::slot);
    const auto seq_len = column(rows, &PlainRow::seq_len);
    const auto seq_slot = seq_slots(rows);
    const Tables<std::int32_t> tables(rows);
    const bool any = std::any_of(rows.begin(), rows.end(),
                                 [](const PlainRow& row) { return row.seq_slot.has_value(); });
    const DecodeColumns typed{position,
                              any ? std::span(seq_slot) : std::span<const std::int32_t>(),
                              slot,
                              seq_len,
                              tables.spans(),
                              params.max_batch_size,
                              params.max_blocks,
                              params.padded_rows,
                              static_cast<std::uint64_t>(params.dummy_block),
                              static_cast<std::uint64_t>(params.block_size)};
    comparison_.check(
        naive, [&](std::span<std::byte> region) { return packer_.pack_into(region, typed); }, what);
  }

  std::uint64_t max_batch_size_;
  DescriptionPtr description_ = builtin("decode");
  PackComparison comparison_;
  BuiltinPacker packer_;
  RowMaker maker_{3};
};

TEST_CASE("decode: every split of up to three rows, with and without adapters") {
  DecodeUniverse universe(0);
  for (std::uint64_t count = 0; count < most_rows; ++count)
    for (std::uint64_t max_blocks = 0; max_blocks <= most_blocks; ++max_blocks)
      for (const std::uint64_t padded : splits(count, 32))
        for (const std::uint64_t mask : {0U, 7U})
          if (mask == 0 || count != 0) universe.check(count, max_blocks, padded, mask);
  CHECK(universe.cases() > 50'000);
}

TEST_CASE("decode: every table of four rows") {
  DecodeUniverse universe(3);
  for (std::uint64_t max_blocks = 0; max_blocks <= most_blocks; ++max_blocks)
    for (const std::uint64_t mask : {0U, 15U})
      universe.check(4, max_blocks, mask == 0 ? 4 : 7, mask);
  CHECK(universe.cases() > 50'000);
}

TEST_CASE("decode: more rows of capacity than the least, odd and even") {
  for (const std::uint64_t max_batch_size : {33U, 34U, 129U}) {
    DecodeUniverse universe(max_batch_size);
    for (std::uint64_t count = 0; count < 3; ++count)
      for (const std::uint64_t max_blocks : {0U, 1U, 3U})
        for (const std::uint64_t padded : splits(count, max_batch_size))
          universe.check(count, max_blocks, padded, 2);
    CHECK(universe.cases() > 1'000);
  }
}

TEST_CASE("decode: seq_slot in every choice of four rows") {
  DecodeUniverse universe(32);
  for (std::uint64_t mask = 0; mask < 16; ++mask) universe.check(4, 0, 6, mask);
  CHECK(universe.cases() > 1'000);
}

// Rows past the live ones are padding rows written out: they pack as they stand.
TEST_CASE("every number of live rows of every number of rows") {
  RowMaker maker(4);
  const DescriptionPtr batch = builtin("mtp_batch");
  const DescriptionPtr decode = builtin("decode");
  for (std::uint64_t count = 0; count <= most_rows; ++count) {
    const std::vector<std::uint64_t> lengths(count, 2);
    for (std::uint64_t live = 0; live <= count + 1; ++live) {
      INFO(live, " of ", count, " rows");
      const auto check = [&](const DescriptionPtr& description, const Params& params,
                             const std::vector<PlainRow>& rows, const NaiveSlab& naive) {
        const Layout layout = resolved(description, params, {count, live});
        const Rows columns = columns_of(*description, rows);
        const auto slab = pack(layout, RowsViewOf(columns).view());
        std::string text = document_of(description->name, params, rows);
        text.insert(1, "\"live_rows\": " + std::to_string(live) + ", ");
        const auto document = read_document(text);
        REQUIRE(slab.has_value() == (live <= count));
        REQUIRE(document.has_value() == (live <= count));
        if (slab) {
          CHECK(same(slab->bytes(), naive.bytes));
          CHECK(same(streamed(*document), naive.bytes));
          CHECK(document->layout.live_rows == live);
        } else {
          CHECK(slab.error().code == ErrorCode::live_rows);
          CHECK(document.error().code == ErrorCode::live_rows);
        }
      };
      const auto plain = maker.rows(lengths, 0);
      check(batch, {{"rows", count}, {"max_blocks", 2}}, plain, naive_mtp_batch(plain, 2));
      const auto adapted = maker.rows(lengths, 5);
      check(decode,
            {{"max_batch_size", 4}, {"max_blocks", 2}, {"padded_rows", 5}, {"block_size", 8}},
            adapted,
            naive_decode(adapted, {.max_batch_size = 4,
                                   .max_blocks = 2,
                                   .padded_rows = 5,
                                   .dummy_block = 0,
                                   .block_size = 8}));
    }
  }
}

}  // namespace
}  // namespace slabscope::tests
