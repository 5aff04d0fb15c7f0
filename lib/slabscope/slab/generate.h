// Pseudo-random rows that make sense: what a healthy engine would upload. Fields are known by their
// role. The same seed gives the same rows on every machine.
#pragma once

#include <slabscope/slab/rows.h>

#include <cstdint>

namespace slabscope {

// A small generator with a fixed algorithm (splitmix64), unlike those of the standard library's
// distributions.
class PseudoRandom {
 public:
  explicit PseudoRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() noexcept;
  // Uniform in [low, high], low <= high.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) noexcept;
  // True once in `count` times on average.
  bool one_in(std::uint64_t count) noexcept { return between(1, count) == 1; }

 private:
  std::uint64_t state_;
};

// Far more rows than a batch has; bounds the memory that a number alone can ask for.
inline constexpr std::uint64_t max_generated_rows = std::uint64_t{1} << 20;
// Error limit_exceeded.
Result<void> check_generated_rows(std::uint64_t rows);

struct GenerateOptions {
  std::uint64_t rows = 1;     // live rows
  bool share_prefix = false;  // rows may begin with full blocks of the row before
  // Blocks of a row, as far as its table and the pool have them.
  std::uint64_t least_blocks = 1;
  std::uint64_t most_blocks = ~std::uint64_t{0};
  // What the tables of all rows may take together, whatever their dimension is.
  std::uint64_t most_table_bytes = default_max_slab_bytes;
};

struct GeneratedRows {
  Rows rows;
  Layout layout;  // resolved for them
};

// Rows for `description` at `given`: a sequence length each, blocks of the pool that no other row
// owns, the slot of the last token, its position. Where the layout has padding rows and their
// number is not given, they go up to the size of the next CUDA graph. Errors: param_missing
// (block_size, num_blocks), pool_exhausted, out_of_range, those of resolve() and check_rows().
Result<GeneratedRows> generate_rows(const DescriptionPtr& description, const Assignments& given,
                                    const GenerateOptions& options, PseudoRandom& random);

}  // namespace slabscope
