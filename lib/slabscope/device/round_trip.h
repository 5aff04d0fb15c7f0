// The device round trip: slabs go to a device, kernels read every field back and pack the same rows
// there, and both are compared with the host. Everything is done twice with complementary poisons,
// so that memory that was not written is seen whatever the right value is.
#pragma once

#include <slabscope/device/comparison.h>
#include <slabscope/device/device_batch.h>
#include <slabscope/device/device_memory.h>
#include <slabscope/device/verify_report.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace slabscope {

// An element of the first slab, of which a byte is flipped on the device: it must be found.
struct Injection {
  std::string field;
  std::uint64_t element = 0;  // of the field, all its rows, row-major
};

struct VerifyOptions {
  std::uint64_t base_offset = 0;  // bytes that slabs are moved by from aligned addresses
  std::uint64_t repeat = 1;       // of everything, for each batch
  std::optional<Injection> inject;
  bool time_plain_copies = false;
  // Slabs go to the device together, up to so many or so many bytes (a larger one goes alone).
  std::size_t batch_slabs = 4096;
  std::uint64_t batch_bytes = std::uint64_t{1} << 26;
  std::size_t kept_mismatches = 100;
  // Called each time that a batch is done: all slabs so far, and how often the last ones were.
  std::function<void(std::uint64_t slabs, std::uint64_t times)> progress;
};

// A base offset takes memory: larger ones than twice the largest alignment tell nothing more.
inline constexpr std::uint64_t max_base_offset = 2 * max_slab_align;
// Bounds the time that a number alone can ask for.
inline constexpr std::uint64_t max_repeat = 1'000'000;
// Errors: out_of_range.
[[nodiscard]] Result<void> check_most_base_offset(std::uint64_t base_offset);
[[nodiscard]] Result<void> check_repeat(std::uint64_t repeat);

class RoundTrip {
 public:
  // `device` must outlive it.
  RoundTrip(DeviceOperations& device, VerifyOptions options)
      : device_(device), options_(std::move(options)) {}

  // Chooses the device. Must be called first. Errors: no_device, device_failed, out_of_range
  // (base_offset, repeat).
  [[nodiscard]] Result<void> open();

  // May the next slab be of this layout? add() asks too. Errors: misaligned (the base offset and
  // the layout's alignment).
  [[nodiscard]] Result<void> check_base_offset(const Layout& layout) const;
  // Errors: unknown_name and out_of_range (the injection), where the next slab is the first.
  [[nodiscard]] Result<void> check_injection(const Layout& layout) const;

  // Verifies it, now or with those that come later. Errors: those of check_base_offset(),
  // DeviceBatch::add() and check_injection(), device_failed.
  [[nodiscard]] Result<void> add(const SlabInput& input);

  // Verifies a slab that stands in the device's memory already, at `address`, where nothing is
  // written. Errors: misaligned (the address), those of add().
  [[nodiscard]] Result<void> add_at(std::uint64_t address, const SlabInput& input);

  // May a slab of this layout stand at `address`? Errors: misaligned, out_of_range.
  [[nodiscard]] static Result<void> check_address(std::uint64_t address, const Layout& layout);

  // Verifies what is left, gives up all memory. Errors: device_failed, also when that was told
  // before.
  [[nodiscard]] Result<VerifyReport> finish();
  // What is known when something has failed.
  [[nodiscard]] const VerifyReport& so_far() const noexcept { return report_; }

 private:
  // Where everything is in the one piece of memory, in bytes from its aligned start; staging has
  // the same places.
  struct Places {
    MemorySpan runs;
    MemorySpan views;
    MemorySpan columns;
    MemorySpan slabs;  // images, from their red zone in front to that behind
    MemorySpan packed;
    MemorySpan results;
    MemorySpan views_read;
    std::uint64_t lead = 0;        // of the red zone in front of the first slab
    std::uint64_t upload_end = 0;  // what is uploaded ends here; downloads begin at slabs
    std::uint64_t bytes = 0;
  };

  [[nodiscard]] Result<void> take(const SlabInput& input);
  [[nodiscard]] Places place(const DeviceBatch::Tables& tables, bool with_slabs) const;
  // A batch in its places.
  struct Placed {
    Places places;
    std::uint64_t base = 0;
    std::uint64_t slabs_address = 0;  // of the first slab
    bool inject = false;
    std::vector<DeviceView> views;
    std::optional<Buffer> callers_slab;  // as it stands in the caller's memory
    KernelArguments arguments;
  };
  // `slabs_at`: where the first slab stands already.
  [[nodiscard]] Result<Placed> prepare(const DeviceBatch::Tables& tables,
                                       std::optional<std::uint64_t> slabs_at);
  // Nothing is tried again once the device has failed.
  [[nodiscard]] Result<void> run_batch(std::optional<std::uint64_t> slabs_at);
  [[nodiscard]] Result<void> run_passes(std::optional<std::uint64_t> slabs_at);
  [[nodiscard]] Result<void> run_pass(Placed& placed, std::byte poison, Comparison& comparison);
  [[nodiscard]] Result<void> download_callers(Placed& placed);
  void stage_images(const Places& places, std::byte poison) const;
  [[nodiscard]] Result<void> poison_memory(std::uint64_t address, std::byte poison,
                                           std::uint64_t bytes);
  [[nodiscard]] Result<void> inject(std::uint64_t slabs_address);
  [[nodiscard]] Result<void> launch(const KernelArguments& arguments);
  [[nodiscard]] Result<void> time_plain_copies(const Places& places, std::uint64_t base);
  // Adds how long it took to `rate`.
  [[nodiscard]] Result<void> timed(Rate& rate, std::uint64_t bytes,
                                   const std::function<DeviceStatus()>& operation);

  DeviceOperations& device_;
  VerifyOptions options_;
  VerifyReport report_;
  std::optional<Error> failed_;
  DeviceBatch batch_;
  DeviceMemory memory_;
  StagingMemory staging_;
};

}  // namespace slabscope
