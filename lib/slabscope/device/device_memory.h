// Memory of a device and its staging, given up on every path; and how a failed operation is told.
#pragma once

#include <slabscope/base/error.h>
#include <slabscope/device/operations.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace slabscope {

// `sizes` says how much was asked for: "4096 B". Errors: no_device, device_failed.
[[nodiscard]] Result<void> check(const DeviceStatus& status, const std::string& sizes);

// "4096 B".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

// Memory on the device.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { static_cast<void>(give_up()); }

  // Keeps what there is where that is enough. The content is not kept. Errors: device_failed.
  [[nodiscard]] Result<void> reserve(DeviceOperations& device, std::uint64_t bytes);
  // Nothing to give up is no error. Errors: device_failed.
  [[nodiscard]] Result<void> give_up();
  [[nodiscard]] std::uint64_t address() const noexcept { return address_; }

 private:
  DeviceOperations* device_ = nullptr;
  std::uint64_t address_ = 0;
  std::uint64_t bytes_ = 0;
};

// Memory of the host that the device copies from and to.
class StagingMemory {
 public:
  StagingMemory() = default;
  StagingMemory(const StagingMemory&) = delete;
  StagingMemory& operator=(const StagingMemory&) = delete;
  ~StagingMemory() { static_cast<void>(give_up()); }

  [[nodiscard]] Result<void> reserve(DeviceOperations& device, std::uint64_t bytes);
  [[nodiscard]] Result<void> give_up();
  [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(memory_); }

 private:
  DeviceOperations* device_ = nullptr;
  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace slabscope
