// The typed entry points say the same as the documents: the same bytes, the same refusals; and a
// packer that is used again allocates nothing.
#include <slabscope/slab/builtin.h>

#include "../support/golden.h"
#include "../support/heap.h"
#include "../support/naive_pack.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

constexpr std::uint64_t roomy = std::uint64_t{1} << 20;

std::uint64_t param(const Params& params, const std::string& name) {
  const auto found = params.find(name);
  return found == params.end() ? 0 : found->second;
}

// The columns of rows, with the memory behind them.
struct Columns {
  explicit Columns(std::span<const PlainRow> rows)
      : position(column(rows, &PlainRow::position)),
        slot(column(rows, &PlainRow::slot)),
        seq_len(column(rows, &PlainRow::seq_len)),
        seq_slot(seq_slots(rows)),
        unsigned_tables(rows),
        signed_tables(rows) {}

  [[nodiscard]] MtpRow mtp() const {
    return {position[0], slot[0], seq_len[0], unsigned_tables.spans()[0]};
  }
  [[nodiscard]] MtpBatchColumns mtp_batch(std::uint64_t max_blocks) const {
    return {position, slot, seq_len, unsigned_tables.spans(), max_blocks};
  }
  [[nodiscard]] DecodeColumns decode(const Params& params) const {
    return {position,
            seq_slot,
            slot,
            seq_len,
            signed_tables.spans(),
            param(params, "max_batch_size"),
            param(params, "max_blocks"),
            param(params, "padded_rows"),
            param(params, "dummy_block"),
            params.contains("block_size") ? std::optional(params.at("block_size")) : std::nullopt};
  }

  std::vector<std::uint32_t> position;
  std::vector<std::int64_t> slot;
  std::vector<std::int32_t> seq_len;
  std::vector<std::int32_t> seq_slot;
  Tables<std::uint32_t> unsigned_tables;
  Tables<std::int32_t> signed_tables;
};

Result<Buffer> pack_golden(const GoldenCase& golden) {
  const Columns columns(golden.rows);
  const std::uint64_t region = golden.region_bytes.value_or(roomy);
  if (golden.layout == "mtp") return pack_mtp(columns.mtp(), region);
  if (golden.layout == "mtp_batch")
    return pack_mtp_batch(columns.mtp_batch(param(golden.params, "max_blocks")), region);
  return pack_decode(columns.decode(golden.params), region);
}

Result<std::size_t> pack_golden_into(BuiltinPacker& packer, std::span<std::byte> region,
                                     const GoldenCase& golden) {
  const Columns columns(golden.rows);
  if (golden.layout == "mtp") return packer.pack_into(region, columns.mtp());
  if (golden.layout == "mtp_batch")
    return packer.pack_into(region, columns.mtp_batch(param(golden.params, "max_blocks")));
  return packer.pack_into(region, columns.decode(golden.params));
}

TEST_CASE("every golden document holds through the typed entry points") {
  std::size_t cases = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (golden.document.empty()) continue;
    ++cases;
    INFO(golden.id);
    const auto slab = pack_golden(golden);
    REQUIRE(slab.has_value() == golden.slab.has_value());
    if (slab) {
      CHECK_MESSAGE(same(slab->bytes(), *golden.slab), difference(slab->bytes(), *golden.slab));
      continue;
    }
    const auto [need, have] = *golden.refused;
    const Error& failed = slab.error();
    INFO(failed.message);
    CHECK(failed.code == (need <= have ? ErrorCode::list_too_long : ErrorCode::region_exceeded));
    CHECK(failed.message.starts_with("MTP attention metadata exceeds meta stride: needs " +
                                     std::to_string(need) + " B, have " + std::to_string(have) +
                                     " B"));
  }
  CHECK(cases == 264);
}

// One packer for all, so that a layout kept from the case before would show.
TEST_CASE("every golden document holds through one packer, into a region") {
  BuiltinPacker packer;
  for (const GoldenCase& golden : golden_cases()) {
    if (golden.document.empty()) continue;
    INFO(golden.id);
    Bytes region(golden.region_bytes.value_or(roomy), std::byte{0xA5});
    const auto size = pack_golden_into(packer, region, golden);
    REQUIRE(size.has_value() == golden.slab.has_value());
    const std::size_t written = size ? *size : 0;
    if (size) CHECK(same(std::span(region).first(written), *golden.slab));
    CHECK(all_are(std::span(region).subspan(written), std::byte{0xA5}));
    if (size) continue;
    const auto [need, have] = *golden.refused;
    CHECK(size.error().code ==
          (need <= have ? ErrorCode::list_too_long : ErrorCode::region_exceeded));
    CHECK(size.error().message.find("needs " + std::to_string(need) + " B, have " +
                                    std::to_string(have) + " B") != std::string::npos);
  }
}

TEST_CASE("columns of different lengths are refused before anything else") {
  const std::vector<PlainRow> rows(3, PlainRow{.block_table = {1}});
  const Columns three(rows);
  const std::span<const PlainRow> all = rows;
  const Columns two(all.first(2));
  const Columns none(all.first(0));
  std::byte region[1024] = {};

  SUBCASE("mtp_batch") {
    const auto refused = [](const auto& outcome) {
      REQUIRE_FALSE(outcome.has_value());
      CHECK(outcome.error().code == ErrorCode::row_counts_differ);
      CHECK(outcome.error().message == "MTP batch metadata: row counts differ");
      CHECK(info(outcome.error().code).exit_code == 3);
    };
    const auto check = [&](MtpBatchColumns columns) {
      BuiltinPacker packer;
      refused(packer.prepare(columns));
      refused(packer.pack_into(region, columns));
      refused(packer.pack_into({}, columns));
      refused(pack_mtp_batch(columns, 0));
    };
    for (const Columns* const other : {&two, &none}) {
      MtpBatchColumns columns = three.mtp_batch(1);
      columns.position = other->position;
      check(columns);
      columns = three.mtp_batch(1);
      columns.slot = other->slot;
      check(columns);
      columns = three.mtp_batch(1);
      columns.seq_len = other->seq_len;
      check(columns);
      columns = three.mtp_batch(1);
      columns.block_table = other->unsigned_tables.spans();
      check(columns);
    }
    check({none.position, three.slot, three.seq_len, three.unsigned_tables.spans(), 1});
  }
  SUBCASE("decode") {
    const auto check = [&](DecodeColumns columns) {
      const auto size = BuiltinPacker().pack_into(region, columns);
      REQUIRE_FALSE(size.has_value());
      CHECK(size.error().code == ErrorCode::row_counts_differ);
      CHECK(size.error().message == "decode metadata: row counts differ");
    };
    for (const Columns* const other : {&two, &none}) {
      DecodeColumns columns = three.decode({{"max_blocks", 1}});
      columns.position = other->position;
      check(columns);
      columns = three.decode({{"max_blocks", 1}});
      columns.slot = other->slot;
      check(columns);
      columns = three.decode({{"max_blocks", 1}});
      columns.seq_len = other->seq_len;
      check(columns);
      columns = three.decode({{"max_blocks", 1}});
      columns.block_table = other->signed_tables.spans();
      check(columns);
    }
    DecodeColumns columns = three.decode({{"max_blocks", 1}});
    columns.seq_slot = two.seq_slot;
    check(columns);
  }
}

TEST_CASE("the layout is known before there is a region") {
  const std::vector<PlainRow> rows(5, PlainRow{.block_table = {1, 2}});
  const Columns columns(rows);
  BuiltinPacker packer;
  REQUIRE(packer.prepare(columns.mtp()).has_value());
  CHECK(packer.layout().size == mtp_offsets(2).size);
  REQUIRE(packer.prepare(columns.mtp_batch(7)).has_value());
  CHECK(packer.layout().size == mtp_batch_offsets(5, 7).size);
  REQUIRE(packer.prepare(columns.decode({{"max_blocks", 3}})).has_value());
  CHECK(packer.layout().size == decode_offsets(32, 3).size);
  CHECK(packer.layout().padded_rows == 5);
}

// No product of a hostile number is formed.
TEST_CASE("parameters without bound are refused at once") {
  const std::vector<PlainRow> rows(5, PlainRow{.block_table = {1}});
  const Columns columns(rows);
  for (const std::uint64_t huge : {std::uint64_t{1} << 61U, ~std::uint64_t{0}}) {
    const auto batch = pack_mtp_batch(columns.mtp_batch(huge), roomy);
    REQUIRE_FALSE(batch.has_value());
    CHECK(batch.error().code == ErrorCode::size_overflow);
    CHECK(batch.error().message.starts_with("MTP attention metadata exceeds meta stride"));
    const auto decode =
        pack_decode(columns.decode({{"max_batch_size", huge}, {"max_blocks", huge}}), roomy);
    REQUIRE_FALSE(decode.has_value());
    CHECK(decode.error().code == ErrorCode::size_overflow);
  }
  const auto large = pack_mtp_batch(columns.mtp_batch(std::uint64_t{1} << 32U), roomy);
  REQUIRE_FALSE(large.has_value());
  CHECK((large.error().code == ErrorCode::region_exceeded ||
         large.error().code == ErrorCode::slab_limit));
  // A table that no memory holds is not looked at.
  const std::uint32_t entry = 1;
  MtpRow row;
  row.block_table = std::span(&entry, std::size_t{1} << 62U);
  std::array<std::byte, 64> region;
  BuiltinPacker packer;
  const auto packed = packer.pack_into(region, row);
  REQUIRE_FALSE(packed.has_value());
  CHECK(packed.error().code == ErrorCode::size_overflow);
}

TEST_CASE("padding rows need a block size, and more of them than rows of capacity are refused") {
  const std::vector<PlainRow> rows(2, PlainRow{.block_table = {1}});
  const Columns columns(rows);
  const auto code = [&](const Params& params) {
    const auto slab = pack_decode(columns.decode(params), roomy);
    return slab ? std::string("none") : std::string(info(slab.error().code).name);
  };
  CHECK(code({{"max_blocks", 1}}) == "none");
  CHECK(code({{"max_blocks", 1}, {"padded_rows", 2}}) == "none");
  CHECK(code({{"max_blocks", 1}, {"padded_rows", 3}}) == "param_missing");
  CHECK(code({{"max_blocks", 1}, {"padded_rows", 32}, {"block_size", 16}}) == "none");
  CHECK(code({{"max_blocks", 1}, {"padded_rows", 33}, {"block_size", 16}}) == "padded_rows");
  CHECK(code({{"max_blocks", 1}, {"padded_rows", 1}, {"block_size", 16}}) == "padded_rows");
}

// Packs `first`, then `second` of the same parameters, counting what the second allocates.
template <class First, class Second>
std::uint64_t allocations_of_second(First&& first, Second&& second) {
  first();
  const AllocationCount count;
  second();
  return count.so_far();
}

TEST_CASE("a packer that is used again allocates nothing") {
  std::byte region[4096];
  std::vector<PlainRow> even(5, PlainRow{.slot = 3, .block_table = {1, 2, 3}, .seq_slot = 4});
  std::vector<PlainRow> ragged = even;
  ragged[1].block_table = {9};
  ragged[4].block_table = {};
  const Columns uniform(even);
  const Columns uneven(ragged);
  const Params decode = {{"max_blocks", 3}, {"padded_rows", 8}, {"block_size", 16}};

  struct {
    const char* name;
    const Columns* before;
    const Columns* now;
  } const calls[] = {{"uniform tables", &uniform, &uniform},
                     {"ragged tables", &uneven, &uneven},
                     {"uniform tables after ragged ones", &uneven, &uniform},
                     {"ragged tables after uniform ones", &uniform, &uneven}};
  for (const auto& call : calls) {
    INFO(std::string(call.name));
    BuiltinPacker packer;
    bool ok = false;
    CHECK(allocations_of_second(
              [&] { REQUIRE(packer.pack_into(region, call.before->mtp_batch(3)).has_value()); },
              [&] { ok = packer.pack_into(region, call.now->mtp_batch(3)).has_value(); }) == 0);
    CHECK(ok);
    ok = false;
    CHECK(allocations_of_second(
              [&] { REQUIRE(packer.pack_into(region, call.before->decode(decode)).has_value()); },
              [&] { ok = packer.pack_into(region, call.now->decode(decode)).has_value(); }) == 0);
    CHECK(ok);
  }
  BuiltinPacker packer;
  bool ok = false;
  CHECK(allocations_of_second([&] { REQUIRE(packer.pack_into(region, uniform.mtp()).has_value()); },
                              [&] { ok = packer.pack_into(region, uniform.mtp()).has_value(); }) ==
        0);
  CHECK(ok);
}

TEST_CASE("no column of adapters means that no row has one") {
  const std::vector<PlainRow> rows(3, PlainRow{.slot = 5, .seq_len = 6, .block_table = {7}});
  const Columns columns(rows);
  DecodeColumns without = columns.decode({{"max_blocks", 1}});
  without.seq_slot = {};
  const auto slab = pack_decode(without, roomy);
  REQUIRE(slab.has_value());
  const NaiveSlab naive = naive_decode(rows, {.max_blocks = 1, .padded_rows = 3});
  CHECK_MESSAGE(same(slab->bytes(), naive.bytes), difference(slab->bytes(), naive.bytes));
}

TEST_CASE("no rows at all") {
  const Columns none(std::span<const PlainRow>{});
  const auto batch = pack_mtp_batch(none.mtp_batch(4), 0);
  REQUIRE(batch.has_value());
  CHECK(batch->size() == 0);
  const auto decode = pack_decode(none.decode({{"max_blocks", 4}}), roomy);
  REQUIRE(decode.has_value());
  CHECK(decode->size() == decode_offsets(32, 4).size);
  CHECK(all_are(decode->bytes(), std::byte{0}));
}

}  // namespace
}  // namespace slabscope::tests
