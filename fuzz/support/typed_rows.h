// Rows of the built-in layouts as an engine holds them: a column a field.
#pragma once

#include "fuzzed_input.h"

#include <slabscope/slab/builtin.h>

#include <tests/support/naive_pack.h>

#include <vector>

namespace slabscope::fuzz {

using PlainRows = std::vector<tests::PlainRow>;

PlainRows any_rows(FuzzedInput& input, std::size_t most_rows, std::size_t longest_table);

// The columns of rows, with elements of type T in their tables; rows and this must outlive what
// the members point to.
template <class T>
struct TypedColumns {
  explicit TypedColumns(const PlainRows& rows) : tables(rows) {
    for (const tests::PlainRow& each : rows) {
      position.push_back(each.position);
      slot.push_back(each.slot);
      seq_len.push_back(each.seq_len);
      seq_slot.push_back(each.seq_slot.value_or(-1));
    }
  }

  std::vector<std::uint32_t> position;
  std::vector<std::int64_t> slot;
  std::vector<std::int32_t> seq_len;
  std::vector<std::int32_t> seq_slot;
  tests::Tables<T> tables;
};

// Capacity, padding and blocks for a batch of decode rows.
tests::NaiveDecode any_decode_numbers(FuzzedInput& input, std::uint64_t max_blocks,
                                      std::uint64_t rows);
DecodeColumns decode_columns(const TypedColumns<std::int32_t>& of,
                             const tests::NaiveDecode& numbers);

}  // namespace slabscope::fuzz
