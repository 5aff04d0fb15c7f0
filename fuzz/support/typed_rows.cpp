#include "typed_rows.h"

namespace slabscope::fuzz {

PlainRows any_rows(FuzzedInput& input, std::size_t most_rows, std::size_t longest_table) {
  PlainRows rows(input.below(most_rows + 1));
  for (tests::PlainRow& each : rows) {
    each.position = static_cast<std::uint32_t>(input.number());
    each.slot = static_cast<std::int64_t>(input.number());
    each.seq_len = static_cast<std::int32_t>(input.number());
    if (!input.one_in(4)) each.seq_slot = static_cast<std::int32_t>(input.number());
    each.block_table.resize(input.below(longest_table + 1));
    for (std::int64_t& block : each.block_table) block = static_cast<std::int32_t>(input.number());
  }
  return rows;
}

tests::NaiveDecode any_decode_numbers(FuzzedInput& input, std::uint64_t max_blocks,
                                      std::uint64_t rows) {
  tests::NaiveDecode made;
  made.max_batch_size = input.below(80);
  made.max_blocks = max_blocks;
  made.padded_rows = input.one_in(3) ? rows : 1 + input.below(48);
  if (made.padded_rows == 0) made.padded_rows = 1;  // to the packer 0 means the number of rows
  made.dummy_block = static_cast<std::int64_t>(input.below(256));
  made.block_size = 1 + static_cast<std::int64_t>(input.below(128));
  return made;
}

DecodeColumns decode_columns(const TypedColumns<std::int32_t>& of,
                             const tests::NaiveDecode& numbers) {
  return {.position = of.position,
          .seq_slot = of.seq_slot,
          .slot = of.slot,
          .seq_len = of.seq_len,
          .block_table = of.tables.spans(),
          .max_batch_size = numbers.max_batch_size,
          .max_blocks = numbers.max_blocks,
          .padded_rows = numbers.padded_rows,
          .dummy_block = static_cast<std::uint64_t>(numbers.dummy_block),
          .block_size = static_cast<std::uint64_t>(numbers.block_size)};
}

}  // namespace slabscope::fuzz
