// The built-in layouts for engines: columns as an engine holds them, in; a slab, out. Thin:
// offsets, fills and refusals are those of schemas/layouts/*.json.
#pragma once

#include <slabscope/slab/pack.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slabscope {

// One propose sequence.
struct MtpRow {
  std::uint32_t position = 0;                       // rotary position
  std::int64_t slot = 0;                            // global KV slot, -1 writes nothing
  std::int32_t seq_len = 0;                         // tokens
  std::span<const std::uint32_t> block_table = {};  // block ids
};

// n propose rows; every column has one entry a row. A table may be shorter than max_blocks.
struct MtpBatchColumns {
  std::span<const std::uint32_t> position = {};
  std::span<const std::int64_t> slot = {};
  std::span<const std::int32_t> seq_len = {};
  std::span<const std::span<const std::uint32_t>> block_table = {};
  std::uint64_t max_blocks = 0;  // entries per table in the slab
};

// n decode rows, padded to padded_rows.
struct DecodeColumns {
  std::span<const std::uint32_t> position = {};
  std::span<const std::int32_t> seq_slot = {};  // empty: no row has an adapter
  std::span<const std::int64_t> slot = {};
  std::span<const std::int32_t> seq_len = {};
  std::span<const std::span<const std::int32_t>> block_table = {};
  std::uint64_t max_batch_size = 0;  // capacity is at least 32 rows
  std::uint64_t max_blocks = 0;      // entries per table in the slab
  std::uint64_t padded_rows = 0;     // 0: the number of rows
  std::uint64_t dummy_block = 0;     // block that padding points at
  std::optional<std::uint64_t> block_size =
      {};  // tokens per block; needed when there are padding rows
};

// Keeps the layout of the latest call: while the parameters stay the same (an engine's steady
// state) a call allocates nothing and resolves nothing. Not for use from several threads at once.
class BuiltinPacker {
 public:
  // Resolves the layout for these rows, so that its size is known before there is a region. Errors:
  // those of resolve(), and row_counts_differ ("MTP batch metadata: row counts differ").
  Result<void> prepare(const MtpRow& row, std::optional<std::uint64_t> region_bytes = {});
  Result<void> prepare(const MtpBatchColumns& columns,
                       std::optional<std::uint64_t> region_bytes = {});
  Result<void> prepare(const DecodeColumns& columns,
                       std::optional<std::uint64_t> region_bytes = {});

  // Prepares, and packs into the first bytes of `region`; the slab's size. Errors: those of
  // prepare() and slabscope::pack_into().
  Result<std::size_t> pack_into(std::span<std::byte> region, const MtpRow& row,
                                std::optional<std::uint64_t> region_bytes = {});
  Result<std::size_t> pack_into(std::span<std::byte> region, const MtpBatchColumns& columns,
                                std::optional<std::uint64_t> region_bytes = {});
  Result<std::size_t> pack_into(std::span<std::byte> region, const DecodeColumns& columns,
                                std::optional<std::uint64_t> region_bytes = {});

  // Of the latest successful prepare().
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }

 private:
  struct Param {
    std::string_view name;
    std::uint64_t value;
  };
  Result<void> use(std::string_view name, std::uint64_t row_count, std::span<const Param> params,
                   std::optional<std::uint64_t> region_bytes);

  Layout layout_;
  std::vector<std::uint64_t> used_values_;
  std::vector<std::uint64_t> table_lengths_;
};

// The same into a slab of its own. `region_bytes`: the bytes that the slab may take.
Result<Buffer> pack_mtp(const MtpRow& row, std::uint64_t region_bytes);
Result<Buffer> pack_mtp_batch(const MtpBatchColumns& columns, std::uint64_t region_bytes);
Result<Buffer> pack_decode(const DecodeColumns& columns, std::uint64_t region_bytes);

}  // namespace slabscope
