// Compares what came back from the device with what the host has. Each element is told once, in
// however many passes and ways it differs.
#pragma once

#include <slabscope/device/device_batch.h>
#include <slabscope/device/verify_report.h>

#include <cstddef>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace slabscope {

// What came back. Images begin `lead` bytes before their first slab and end with a red zone.
struct ReadBack {
  std::span<const std::byte> slabs;
  std::span<const std::byte> packed;
  std::uint64_t lead = 0;
  bool slabs_are_callers = false;  // bare of lead and red zones
  std::span<const std::byte> results;
  std::span<const DeviceView> views;
  std::uint64_t slabs_address = 0;  // of the first slab
  std::byte poison{};
};

// Of one batch; all its passes.
class Comparison {
 public:
  // All must outlive it. At most `kept` mismatches are kept in the report.
  Comparison(const DeviceBatch& batch, const DeviceBatch::Tables& tables, std::size_t kept,
             VerifyReport& report)
      : batch_(batch),
        tables_(tables),
        kept_(kept),
        report_(report),
        told_(tables.field_elements) {}

  void compare(const ReadBack& back);

 private:
  void compare_results(std::span<const std::byte> results);
  void compare_views(const ReadBack& back);
  void compare_slabs(const ReadBack& back);
  void compare_packed(const ReadBack& back);
  void compare_gaps(const ReadBack& back);
  void compare_slab_gap(const DeviceSlab& slab, const Tile& gap, std::span<const std::byte> got);
  void compare_red_zones(std::span<const std::byte> image, std::uint64_t lead,
                         std::string_view found_by);
  void compare_zone(const DeviceSlab& slab, std::span<const std::byte> zone, int128 offset,
                    std::string_view found_by);
  void compare_elements(std::size_t run, std::span<const std::byte> expected,
                        std::span<const std::byte> got, std::string_view found_by);
  void compare_gap(const DeviceSlab& slab, const Tile& gap, std::span<const std::byte> got,
                   std::byte expected, std::string_view found_by);

  // Of a run: its bytes in the slab that the host has.
  [[nodiscard]] std::span<const std::byte> expected_bytes(std::size_t run) const;
  [[nodiscard]] const DeviceSlab& slab_of(std::size_t run) const noexcept {
    return batch_.slabs()[tables_.owners[run].slab];
  }
  void tell(Mismatch found);

  const DeviceBatch& batch_;
  const DeviceBatch::Tables& tables_;
  std::size_t kept_;
  VerifyReport& report_;
  std::vector<bool> told_;  // by number of the element
  // What no element owns: the slab, and which byte or member.
  std::set<std::tuple<std::uint64_t, std::string, std::int64_t>> others_told_;
};

}  // namespace slabscope
