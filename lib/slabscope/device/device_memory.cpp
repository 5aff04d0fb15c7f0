#include <slabscope/device/device_memory.h>

namespace slabscope {

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " B"; }

Result<void> check(const DeviceStatus& status, const std::string& sizes) {
  if (status.is_done()) return {};
  if (status.no_device)
    return fail(ErrorCode::no_device, "there is no device to run on: " + status.call + ": " +
                                          status.name +
                                          "; --device host runs the same kernels on host threads");
  return fail(ErrorCode::device_failed,
              status.call + (sizes.empty() ? "" : " (" + sizes + ")") + " failed: " + status.name);
}

Result<void> DeviceMemory::reserve(DeviceOperations& device, std::uint64_t bytes) {
  if (bytes <= bytes_) return {};
  SLABSCOPE_TRY(give_up());
  std::uint64_t address = 0;
  SLABSCOPE_TRY(check(device.allocate(bytes, address), bytes_text(bytes)));
  device_ = &device;
  address_ = address;
  bytes_ = bytes;
  return {};
}

Result<void> DeviceMemory::give_up() {
  if (device_ == nullptr) return {};
  bytes_ = 0;
  return check(std::exchange(device_, nullptr)->release(std::exchange(address_, 0)), {});
}

Result<void> StagingMemory::reserve(DeviceOperations& device, std::uint64_t bytes) {
  if (bytes <= bytes_) return {};
  SLABSCOPE_TRY(give_up());
  void* memory = nullptr;
  SLABSCOPE_TRY(check(device.allocate_staging(bytes, memory), bytes_text(bytes)));
  device_ = &device;
  memory_ = memory;
  bytes_ = bytes;
  return {};
}

Result<void> StagingMemory::give_up() {
  if (device_ == nullptr) return {};
  bytes_ = 0;
  return check(std::exchange(device_, nullptr)->release_staging(std::exchange(memory_, nullptr)),
               {});
}

}  // namespace slabscope
