// Finds the value of one unset parameter from the number of bytes that a slab has.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstdint>
#include <string>

namespace slabscope {

// Values that give the same offsets and size; the last one is taken.
struct SolvedParam {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// The value of `param` at which the layout is exactly `bytes` long. Values that give the same
// offsets and size are one solution, of which the largest is taken. Works for any expression of the
// layout language, by bisection of intervals: what cannot reach `bytes` is cut off. Errors:
// param_unsolved with the first candidates or the nearest sizes; those of resolve().
Result<SolvedParam> solve_param(const DescriptionPtr& description, const Assignments& given,
                                RowNumbers rows, const std::string& param, std::uint64_t bytes);

// The largest value of `param` at which the layout takes at most `region_bytes`. Errors:
// region_exceeded (none does), param_unsolved (every one does, or the expressions are too tangled),
// param_missing and those of resolve().
Result<std::uint64_t> fit_param(const DescriptionPtr& description, const Assignments& given,
                                RowNumbers rows, const std::string& param,
                                std::uint64_t region_bytes);

}  // namespace slabscope
