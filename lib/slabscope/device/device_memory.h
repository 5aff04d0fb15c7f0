// Memory of a device and its staging, given up on every path; and how a failed operation is told.
#pragma once

#include <slabscope/base/error.h>
#include <slabscope/device/operations.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace slabscope {

// The operation's error, if it has failed. `sizes` says how much was asked for: "4096 B". Errors:
// no_device, device_failed.
[[nodiscard]] Result<void> outcome_of(const DeviceStatus& status, const std::string& sizes);

// "4096 B".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

// Memory of one of two kinds, which say how it is taken and released.
template <class Kind>
class HeldMemory {
 public:
  HeldMemory() = default;
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;
  // What has failed is told already, or what is failing now matters more.
  ~HeldMemory() {
    try {
      static_cast<void>(give_up());
    } catch (const std::bad_alloc&) {  // no memory for the words of an error
    }
  }

  // Keeps what there is where that is enough. The content is not kept. Errors: device_failed.
  [[nodiscard]] Result<void> reserve(DeviceOperations& device, std::uint64_t bytes) {
    if (bytes <= bytes_) return {};
    SLABSCOPE_TRY(give_up());
    typename Kind::Start start{};
    SLABSCOPE_TRY(outcome_of(Kind::take(device, bytes, start), bytes_text(bytes)));
    device_ = &device;
    start_ = start;
    bytes_ = bytes;
    return {};
  }

  // Nothing to give up is no error. Errors: device_failed.
  [[nodiscard]] Result<void> give_up() {
    if (device_ == nullptr) return {};
    bytes_ = 0;
    return outcome_of(Kind::release(*std::exchange(device_, nullptr), std::exchange(start_, {})),
                      {});
  }

  // Where it begins.
  [[nodiscard]] typename Kind::Start start() const noexcept { return start_; }

 private:
  DeviceOperations* device_ = nullptr;
  typename Kind::Start start_{};
  std::uint64_t bytes_ = 0;
};

// Memory on the device.
struct OnDevice {
  using Start = std::uint64_t;
  static DeviceStatus take(DeviceOperations& device, std::uint64_t bytes, Start& start) {
    return device.allocate(bytes, start);
  }
  static DeviceStatus release(DeviceOperations& device, Start start) {
    return device.release(start);
  }
};
using DeviceMemory = HeldMemory<OnDevice>;

// Memory of the host that the device copies from and to.
struct OfStaging {
  using Start = std::byte*;
  static DeviceStatus take(DeviceOperations& device, std::uint64_t bytes, Start& start) {
    void* memory = nullptr;
    DeviceStatus status = device.allocate_staging(bytes, memory);
    start = static_cast<std::byte*>(memory);
    return status;
  }
  static DeviceStatus release(DeviceOperations& device, Start start) {
    return device.release_staging(start);
  }
};
using StagingMemory = HeldMemory<OfStaging>;

}  // namespace slabscope
