// Residue: the longest runs of bytes that packing a slab's rows would not give, in order; laid over
// what packing gives, in pieces of any size, they restore the slab.
#include <slabscope/slab/residue.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"
#include "../support/worn_slab.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

struct Run {
  std::uint64_t offset = 0;
  Bytes bytes{};
  bool operator==(const Run&) const = default;
};

std::vector<Run> found(const Layout& layout, std::span<const std::byte> slab) {
  std::vector<Run> runs;
  find_residue(layout, slab, [&](std::uint64_t offset, std::span<const std::byte> bytes) {
    runs.push_back({offset, {bytes.begin(), bytes.end()}});
  });
  return runs;
}

// The longest runs of bytes in which `slab` differs from `base`.
std::vector<Run> differences(std::span<const std::byte> slab, std::span<const std::byte> base) {
  std::vector<Run> runs;
  for (std::size_t index = 0; index < slab.size(); ++index) {
    if (slab[index] == base[index]) continue;
    if (runs.empty() || runs.back().offset + runs.back().bytes.size() != index)
      runs.push_back({index, {}});
    runs.back().bytes.push_back(slab[index]);
  }
  return runs;
}

Residue residue_of(const std::vector<Run>& runs) {
  Residue residue;
  for (const Run& run : runs) {
    residue.runs.push_back({run.offset, run.bytes.size(), residue.bytes.size()});
    residue.bytes.append(run.bytes);
  }
  return residue;
}

// A slab of any bytes, its layout as for a dump, and what packing its first rows gives.
struct Dump {
  std::string name;
  Layout layout;
  Bytes slab;
  Bytes repacked;
};

std::vector<Dump> dumps() {
  PseudoRandom random(21);
  std::vector<Dump> made;
  for (const Wear wear : wears) {
    const std::string tail = ", wear " + std::to_string(static_cast<int>(wear));
    const auto mtp = resolved(builtin("mtp"), {{"entries", 3}}, {1, {}});
    Dump dump{"mtp" + tail, mtp, worn(Bytes(268), wear, random), {}};
    dump.repacked = naive_mtp(naive_rows(dump.slab, mtp_offsets(3), 1, 3)[0], 3).bytes;
    made.push_back(std::move(dump));

    for (const std::uint64_t rows : {0U, 1U, 3U, 5U}) {
      const NaiveOffsets at = mtp_batch_offsets(rows, 3);
      dump = {"mtp_batch of " + std::to_string(rows) + tail,
              resolved(builtin("mtp_batch"), {{"rows", rows}, {"max_blocks", 3}}, {rows, {}}),
              worn(Bytes(at.size), wear, random),
              {}};
      dump.repacked = naive_mtp_batch(naive_rows(dump.slab, at, rows, 3), 3).bytes;
      made.push_back(std::move(dump));
    }
    for (const std::uint64_t live : {0U, 1U, 7U, 31U, 33U}) {
      for (const std::uint64_t padded : {live, std::uint64_t{33}}) {
        const NaiveOffsets at = decode_offsets(33, 2);
        const NaiveDecode naive{.max_batch_size = 33,
                                .max_blocks = 2,
                                .padded_rows = padded,
                                .dummy_block = 0x11223344,
                                .block_size = 4};
        dump = {"decode of " + std::to_string(live) + " of " + std::to_string(padded) + tail,
                resolved(builtin("decode"),
                         {{"max_batch_size", 33},
                          {"max_blocks", 2},
                          {"padded_rows", padded},
                          {"dummy_block", 0x11223344},
                          {"block_size", 4}},
                         {live, {}}),
                naive_decode(std::vector<PlainRow>(live), naive).bytes,
                {}};
        dump.slab = worn(std::move(dump.slab), wear, random);
        dump.repacked = naive_decode(naive_rows(dump.slab, at, live, 2), naive).bytes;
        made.push_back(std::move(dump));
      }
    }
  }
  return made;
}

TEST_CASE("runs are the longest, in order, and all there are") {
  std::size_t runs = 0;
  for (const Dump& dump : dumps()) {
    INFO(dump.name);
    REQUIRE(dump.layout.size == dump.slab.size());
    const std::vector<Run> wanted = differences(dump.slab, dump.repacked);
    CHECK((found(dump.layout, dump.slab) == wanted));
    runs += wanted.size();
  }
  CHECK(runs > 1000);
}

TEST_CASE("what packing gives has no residue") {
  for (const Dump& dump : dumps()) {
    INFO(dump.name);
    CHECK(found(dump.layout, dump.repacked).empty());
  }
}

// Each piece in memory of its own size, so that a byte beside it would be seen.
Bytes laid_over_in_pieces(const Residue& residue, const Bytes& base,
                          const std::vector<std::uint64_t>& cuts) {
  Bytes restored;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : cuts) {
    const std::size_t bytes = end - begin;
    const auto piece = std::make_unique<std::byte[]>(bytes);
    std::copy_n(base.begin() + static_cast<std::ptrdiff_t>(begin), bytes, piece.get());
    lay_over(residue, begin, {piece.get(), bytes});
    restored.insert(restored.end(), piece.get(), piece.get() + bytes);
    begin = end;
  }
  return restored;
}

TEST_CASE("laid over in pieces of any size, runs restore the slab") {
  PseudoRandom random(22);
  for (const Dump& dump : dumps()) {
    INFO(dump.name);
    const Residue residue = residue_of(found(dump.layout, dump.slab));
    const std::uint64_t size = dump.slab.size();
    for (const std::uint64_t step : {1U, 2U, 3U, 7U, 64U, 1000U, 100000U}) {
      std::vector<std::uint64_t> cuts;
      for (std::uint64_t end = step; end < size; end += step) cuts.push_back(end);
      cuts.push_back(size);
      CHECK((laid_over_in_pieces(residue, dump.repacked, cuts) == dump.slab));
    }
    std::vector<std::uint64_t> cuts = {0, size, size};  // empty pieces too
    for (int cut = 0; cut < 20; ++cut) cuts.push_back(random.below(size + 1));
    std::sort(cuts.begin(), cuts.end());
    CHECK((laid_over_in_pieces(residue, dump.repacked, cuts) == dump.slab));
  }
}

TEST_CASE("a window that no run meets stays as it is") {
  Residue residue;
  residue.bytes.append(from_hex("0102030405"));
  residue.runs = {{10, 2, 0}, {12, 1, 2}, {20, 2, 3}};
  const auto over = [&](std::uint64_t offset, std::size_t bytes) {
    Bytes window(bytes);
    lay_over(residue, offset, window);
    return to_hex(window);
  };
  CHECK(over(0, 10) == "00000000000000000000");
  CHECK(over(13, 7) == "00000000000000");
  CHECK(over(22, 2) == "0000");
  CHECK(over(9, 2) == "0001");
  CHECK(over(11, 1) == "02");
  CHECK(over(11, 2) == "0203");
  CHECK(over(12, 9) == "030000000000000004");
  CHECK(over(8, 16) == "00000102030000000000000004050000");
  CHECK(over(20, 0) == "");
}

}  // namespace
}  // namespace slabscope::tests
