// For an engine's own tests: is what stands in device memory the slab that the host packed, and do
// kernels read it as the layout says?
#pragma once

#include <slabscope/device/operations.h>
#include <slabscope/device/verify_report.h>
#include <slabscope/layout/layout.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace slabscope {

// Reads the slab at `device_pointer`, an address of the device that `device` is about to use, by
// typed loads through the device view, and packs `slab`, the bytes that the host packed
// (layout.size), on the device: in memory of its own, nothing is written to the slab. Without
// `slab` (none, not an empty one), the bytes that stand there are taken to be right, and it is
// shown that kernels read and pack them as the layout says. `layout` and `params` as for resolve(),
// all rows of capacity. Work that writes the slab must be done before. Errors: those of resolve(),
// misaligned and out_of_range (the pointer), short_dump and out_of_range (fewer or more bytes than
// the slab has), slab_limit, no_device, device_failed.
Result<VerifyReport> verify_at(DeviceOperations& device, std::uint64_t device_pointer,
                               const DescriptionPtr& layout, const Assignments& params,
                               std::optional<std::span<const std::byte>> slab = std::nullopt);

}  // namespace slabscope
