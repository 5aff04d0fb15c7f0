// Slabs that go to the device together: their bytes, their columns, and the tables by which kernels
// find every element of all of them.
#pragma once

#include <slabscope/device/columns.h>
#include <slabscope/device/kernels.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slabscope {

inline constexpr std::uint64_t red_zone_bytes = 256;
inline constexpr std::byte red_zone_byte{0xEE};
// Slabs stand at multiples of this, or of their alignment where that is larger.
inline constexpr std::uint64_t slab_spacing = 256;
// What a description may ask for; larger ones are refused.
inline constexpr std::uint64_t max_slab_align = std::uint64_t{1} << 21;

using LayoutPtr = std::shared_ptr<const Layout>;

// One slab as the caller has it. Pointers and spans are used during the call only.
struct SlabInput {
  LayoutPtr layout;
  std::span<const std::byte> bytes;  // layout->size
  const RowsView* rows = nullptr;    // what was packed; null: what the bytes say
  const Residue* residue = nullptr;  // laid over the packed rows; null: none
};

struct DeviceSlab {
  LayoutPtr layout;
  std::uint64_t number = 0;         // among all slabs of the round trip
  std::uint64_t offset = 0;         // of its first byte from that of the batch's first slab
  std::uint64_t stored_at = 0;      // of its bytes in DeviceBatch::slabs()
  std::optional<std::size_t> view;  // the engine's own, for built-in layouts
};

// What a run stands for.
struct RunOwner {
  std::size_t slab = 0;  // of the batch
  Tile tile = {};
};

class DeviceBatch {
 public:
  // `number`: of the slab in the round trip. Errors: short_dump, and out_of_range or misaligned of
  // a layout that resolve() would not give.
  [[nodiscard]] Result<void> add(const SlabInput& input, std::uint64_t number);
  void clear();

  [[nodiscard]] std::span<const DeviceSlab> slabs() const noexcept { return slabs_; }
  [[nodiscard]] std::span<const std::byte> bytes_of(const DeviceSlab& slab) const noexcept {
    return stored_.bytes().subspan(slab.stored_at, slab.layout->size);
  }
  [[nodiscard]] std::span<const std::byte> columns() const noexcept { return columns_.bytes(); }
  // From the first byte of the first slab to the last of the last one.
  [[nodiscard]] std::uint64_t image_bytes() const noexcept { return image_bytes_; }
  [[nodiscard]] std::uint64_t align() const noexcept { return align_; }
  [[nodiscard]] std::uint64_t slab_bytes() const noexcept { return stored_.size(); }

  // All fields in order of slab and offset, then all gaps that packing sets to zero; what each
  // stands for.
  struct Tables {
    std::vector<FieldRun> runs;
    std::vector<RunOwner> owners;
    std::size_t field_runs = 0;
    std::uint64_t field_elements = 0;
    std::uint64_t all_elements = 0;
  };
  [[nodiscard]] Tables tables() const;
  [[nodiscard]] std::size_t view_count() const noexcept { return view_count_; }
  // The engine's views of the slabs that have one, when the first slab is at `address`. Errors:
  // those of mtp_view().
  [[nodiscard]] Result<std::vector<DeviceView>> views(std::uint64_t address) const;

 private:
  struct Run {
    FieldRun run;
    RunOwner owner;
  };
  std::vector<DeviceSlab> slabs_;
  std::vector<Run> fields_;
  std::vector<Run> gaps_;
  Buffer stored_;
  Buffer columns_;
  std::uint64_t image_bytes_ = 0;
  std::uint64_t align_ = slab_spacing;
  std::uint64_t field_elements_ = 0;
  std::uint64_t gap_elements_ = 0;
  std::size_t view_count_ = 0;
};

// Is this one of the layouts whose device view engines know?
[[nodiscard]] bool has_engine_view(const Layout& layout);

// The engine's view of a slab of such a layout at `base`, an adapter loaded. Errors: those of
// mtp_view().
[[nodiscard]] Result<DeviceView> engine_view(const Layout& layout, std::uint64_t base);

// What it should be, from the names of fields and parameters alone, as offsets from the slab.
[[nodiscard]] DeviceView expected_view_offsets(const Layout& layout);

}  // namespace slabscope
