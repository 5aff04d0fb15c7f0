// Makes the DeviceView of a slab of a built-in layout (or one with the same roles) that begins at
// `base`. Fields are found by their role; nothing here knows an offset.
#pragma once

#include <slabscope/layout/layout.h>
#include <slabscope/slab/device_view.h>

#include <cstdint>

namespace slabscope {

// All errors: misaligned (the base is no multiple of layout.align), out_of_range (a count passes 32
// bits, or base + size passes 64 bits).

// One sequence: num_seqs 1, max_blocks_per_seq as the caller says.
Result<DeviceView> mtp_view(const Layout& layout, std::uint64_t base,
                            std::uint32_t max_blocks_per_seq);

// num_seqs is the number of rows; max_blocks_per_seq stays 0 until the step sets it.
Result<DeviceView> mtp_batch_view(const Layout& layout, std::uint64_t base);

// num_seqs is the padded rows; seq_slot is there only with an adapter loaded; moe_row_adapter is
// the caller's own buffer, or 0.
Result<DeviceView> decode_view(const Layout& layout, std::uint64_t base, bool adapter_loaded,
                               std::uint64_t moe_row_adapter = 0);

}  // namespace slabscope
