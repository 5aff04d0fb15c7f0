// The built-in layouts a second time, for comparison: offsets written out as formulas, elements
// stored byte by byte, nothing of the library used. From the tables of the layouts' documentation,
// never from schemas/ or the library's source.
#pragma once

#include "bytes.h"
#include "plain_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slabscope::tests {

// Bytes from the slab's start.
struct NaiveOffsets {
  std::uint64_t position = 0;
  std::optional<std::uint64_t> seq_slot{};  // decode only
  std::uint64_t slot = 0;
  std::uint64_t seq_len = 0;
  std::uint64_t block_table = 0;
  std::uint64_t size = 0;
};
NaiveOffsets mtp_offsets(std::uint64_t entries);
NaiveOffsets mtp_batch_offsets(std::uint64_t rows, std::uint64_t max_blocks);
NaiveOffsets decode_offsets(std::uint64_t capacity, std::uint64_t max_blocks);
// max(32, max_batch_size).
std::uint64_t decode_capacity(std::uint64_t max_batch_size);

// One field or gap: its name ("" for a gap), offset and bytes. In order of offset, none empty.
struct NaiveOwner {
  std::string field;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};
std::vector<NaiveOwner> mtp_owners(std::uint64_t entries);
std::vector<NaiveOwner> mtp_batch_owners(std::uint64_t rows, std::uint64_t max_blocks);
std::vector<NaiveOwner> decode_owners(std::uint64_t capacity, std::uint64_t max_blocks);

// Why a slab is not built, apart from its region: that comes before all of these.
enum class NaiveRefusal : std::uint8_t { none, padded_rows, list_too_long };

struct NaiveSlab {
  NaiveRefusal refusal = NaiveRefusal::none;
  std::uint64_t size = 0;  // what the slab needs, refused or not
  Bytes bytes{};           // empty when refused
};

NaiveSlab naive_mtp(const PlainRow& row, std::uint64_t entries);
NaiveSlab naive_mtp_batch(std::span<const PlainRow> rows, std::uint64_t max_blocks);

struct NaiveDecode {
  std::uint64_t max_batch_size = 0;
  std::uint64_t max_blocks = 0;
  std::uint64_t padded_rows = 0;
  std::int64_t dummy_block = 0;
  std::int64_t block_size = 0;
};
NaiveSlab naive_decode(std::span<const PlainRow> rows, const NaiveDecode& params);

// The first `count` rows of a slab's bytes, every element given.
std::vector<PlainRow> naive_rows(std::span<const std::byte> slab, const NaiveOffsets& offsets,
                                 std::uint64_t count, std::uint64_t table_entries);

}  // namespace slabscope::tests
