#include "naive_pack.h"

namespace slabscope::tests {
namespace {

std::uint64_t up8(std::uint64_t value) { return (value + 7) / 8 * 8; }

void put4(Bytes& slab, std::uint64_t offset, std::int64_t value) {
  for (unsigned index = 0; index < 4; ++index)
    slab.at(offset + index) =
        static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * index) & 255U);
}

void put8(Bytes& slab, std::uint64_t offset, std::int64_t value) {
  for (unsigned index = 0; index < 8; ++index)
    slab.at(offset + index) =
        static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * index) & 255U);
}

std::uint64_t get(std::span<const std::byte> slab, std::uint64_t offset, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned index = 0; index < width; ++index)
    value |= std::to_integer<std::uint64_t>(slab[offset + index]) << (8 * index);
  return value;
}
std::int32_t get4(std::span<const std::byte> slab, std::uint64_t offset) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(get(slab, offset, 4)));
}

bool any_longer(std::span<const PlainRow> rows, std::uint64_t entries) {
  for (const PlainRow& row : rows)
    if (row.block_table.size() > entries) return true;
  return false;
}

void drop_empty(std::vector<NaiveOwner>& owners) {
  std::erase_if(owners, [](const NaiveOwner& each) { return each.bytes == 0; });
}

}  // namespace

NaiveOffsets mtp_offsets(std::uint64_t entries) {
  return {.position = 0, .slot = 8, .seq_len = 16, .block_table = 256, .size = 256 + 4 * entries};
}

NaiveOffsets mtp_batch_offsets(std::uint64_t rows, std::uint64_t max_blocks) {
  const std::uint64_t slot = up8(4 * rows);
  const std::uint64_t seq_len = slot + 8 * rows;
  const std::uint64_t block_table = (seq_len + 4 * rows + 15) / 16 * 16;
  return {.position = 0,
          .slot = slot,
          .seq_len = seq_len,
          .block_table = block_table,
          .size = block_table + 4 * rows * max_blocks};
}

NaiveOffsets decode_offsets(std::uint64_t capacity, std::uint64_t max_blocks) {
  return {.position = 0,
          .seq_slot = 4 * capacity,
          .slot = 8 * capacity,
          .seq_len = 16 * capacity,
          .block_table = 24 * capacity,
          .size = 24 * capacity + 4 * capacity * max_blocks};
}

std::uint64_t decode_capacity(std::uint64_t max_batch_size) {
  return max_batch_size < 32 ? 32 : max_batch_size;
}

std::vector<NaiveOwner> mtp_owners(std::uint64_t entries) {
  std::vector<NaiveOwner> owners = {{"position", 0, 4}, {"", 4, 4},    {"slot", 8, 8},
                                    {"seq_len", 16, 4}, {"", 20, 236}, {"block_table", 256, 0}};
  owners.back().bytes = 4 * entries;
  drop_empty(owners);
  return owners;
}

std::vector<NaiveOwner> mtp_batch_owners(std::uint64_t rows, std::uint64_t max_blocks) {
  const NaiveOffsets at = mtp_batch_offsets(rows, max_blocks);
  // Without tables the size still ends where they would begin.
  std::vector<NaiveOwner> owners = {
      {"position", 0, 4 * rows},
      {"", 4 * rows, at.slot - 4 * rows},
      {"slot", at.slot, 8 * rows},
      {"seq_len", at.seq_len, 4 * rows},
      {"", at.seq_len + 4 * rows, at.block_table - at.seq_len - 4 * rows},
      {"block_table", at.block_table, 4 * rows * max_blocks}};
  drop_empty(owners);
  return owners;
}

std::vector<NaiveOwner> decode_owners(std::uint64_t capacity, std::uint64_t max_blocks) {
  std::vector<NaiveOwner> owners = {{"position", 0, 4 * capacity},
                                    {"seq_slot", 4 * capacity, 4 * capacity},
                                    {"slot", 8 * capacity, 8 * capacity},
                                    {"seq_len", 16 * capacity, 4 * capacity},
                                    {"", 20 * capacity, 4 * capacity},
                                    {"block_table", 24 * capacity, 4 * capacity * max_blocks}};
  drop_empty(owners);
  return owners;
}

NaiveSlab naive_mtp(const PlainRow& row, std::uint64_t entries) {
  const NaiveOffsets at = mtp_offsets(entries);
  NaiveSlab made{.size = at.size};
  if (row.block_table.size() > entries) {
    made.refusal = NaiveRefusal::list_too_long;
    return made;
  }
  made.bytes.resize(at.size);
  put4(made.bytes, at.position, row.position);
  put8(made.bytes, at.slot, row.slot);
  put4(made.bytes, at.seq_len, row.seq_len);
  for (std::size_t entry = 0; entry < row.block_table.size(); ++entry)
    put4(made.bytes, at.block_table + 4 * entry, row.block_table[entry]);
  return made;
}

NaiveSlab naive_mtp_batch(std::span<const PlainRow> rows, std::uint64_t max_blocks) {
  const NaiveOffsets at = mtp_batch_offsets(rows.size(), max_blocks);
  NaiveSlab made{.size = at.size};
  if (any_longer(rows, max_blocks)) {
    made.refusal = NaiveRefusal::list_too_long;
    return made;
  }
  made.bytes.resize(at.size);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    put4(made.bytes, at.position + 4 * row, rows[row].position);
    put8(made.bytes, at.slot + 8 * row, rows[row].slot);
    put4(made.bytes, at.seq_len + 4 * row, rows[row].seq_len);
    for (std::size_t entry = 0; entry < rows[row].block_table.size(); ++entry)
      put4(made.bytes, at.block_table + 4 * (row * max_blocks + entry),
           rows[row].block_table[entry]);
  }
  return made;
}

NaiveSlab naive_decode(std::span<const PlainRow> rows, const NaiveDecode& params) {
  const std::uint64_t capacity = decode_capacity(params.max_batch_size);
  const NaiveOffsets at = decode_offsets(capacity, params.max_blocks);
  NaiveSlab made{.size = at.size};
  if (params.padded_rows > capacity || params.padded_rows < rows.size())
    made.refusal = NaiveRefusal::padded_rows;
  else if (any_longer(rows, params.max_blocks))
    made.refusal = NaiveRefusal::list_too_long;
  if (made.refusal != NaiveRefusal::none) return made;
  made.bytes.resize(at.size);
  for (std::uint64_t row = 0; row < params.padded_rows; ++row) {
    PlainRow padding{.position = 0,
                     .slot = params.dummy_block * params.block_size,
                     .seq_len = 1,
                     .seq_slot = -1};
    const PlainRow& each = row < rows.size() ? rows[row] : padding;
    put4(made.bytes, at.position + 4 * row, each.position);
    put4(made.bytes, *at.seq_slot + 4 * row, each.seq_slot ? *each.seq_slot : -1);
    put8(made.bytes, at.slot + 8 * row, each.slot);
    put4(made.bytes, at.seq_len + 4 * row, each.seq_len);
    for (std::uint64_t entry = 0; entry < params.max_blocks; ++entry)
      put4(made.bytes, at.block_table + 4 * (row * params.max_blocks + entry),
           entry < each.block_table.size() ? each.block_table[entry] : params.dummy_block);
  }
  return made;
}

std::vector<PlainRow> naive_rows(std::span<const std::byte> slab, const NaiveOffsets& offsets,
                                 std::uint64_t count, std::uint64_t table_entries) {
  std::vector<PlainRow> rows(count);
  for (std::uint64_t row = 0; row < count; ++row) {
    rows[row].position = static_cast<std::uint32_t>(get(slab, offsets.position + 4 * row, 4));
    rows[row].slot = static_cast<std::int64_t>(get(slab, offsets.slot + 8 * row, 8));
    rows[row].seq_len = get4(slab, offsets.seq_len + 4 * row);
    if (offsets.seq_slot) rows[row].seq_slot = get4(slab, *offsets.seq_slot + 4 * row);
    for (std::uint64_t entry = 0; entry < table_entries; ++entry) {
      const std::uint64_t offset = offsets.block_table + 4 * (row * table_entries + entry);
      rows[row].block_table.push_back(
          offsets.seq_slot ? get4(slab, offset) : static_cast<std::int64_t>(get(slab, offset, 4)));
    }
  }
  return rows;
}

}  // namespace slabscope::tests
