// The rows of a slab for people: a line each.
#pragma once

#include <slabscope/check/lint.h>
#include <slabscope/text/json_text.h>

#include <cstdint>

namespace slabscope {

struct RowsTableStyle {
  std::uint64_t offset = 0;  // where the slab begins in the dump
  bool wide = false;         // lists whole, however long the lines become
};

// Writes a heading, a line for each row up to padded_rows, and one for the rows behind them. Rows
// with findings have a mark in the margin: '!' an error, '?' a warning or note; padding rows 'p'.
// Where block_size is stated, slots are shown as block + offset too, and lists of blocks with how
// many of them are used.
void write_rows_table(const Batch& batch, const LintResult& lint, const RowsTableStyle& style,
                      TextWriter& text);

}  // namespace slabscope
