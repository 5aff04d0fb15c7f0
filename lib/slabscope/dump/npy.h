// The array of a .npy file as regions; an .npz file holds many of them.
#pragma once

#include <slabscope/dump/region_budget.h>
#include <slabscope/dump/strided.h>

namespace slabscope {

// Is this how a .npy file begins?
[[nodiscard]] bool is_npy(std::span<const std::byte> first) noexcept;

// What a .npy file holds.
struct NpyArrays {
  std::vector<ViewRegion> regions;  // of the file; file offsets count from its begin
  std::uint64_t begin = 0;          // of the array, in the file
  std::string remark;
};

// The array as a region named `name`; of an array of records, that and every field, named
// "name.field". An empty name stands for "array", and fields have their own alone. Reads the header
// and no more. `budget`: of all that is in the file. Errors: bad_container, unsupported_container,
// limit_exceeded, read_failed.
[[nodiscard]] Result<NpyArrays> read_npy(RandomAccess& file, const std::string& name,
                                         const ContainerLimits& limits, RegionBudget& budget);

}  // namespace slabscope
