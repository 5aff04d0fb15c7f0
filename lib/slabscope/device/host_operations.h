// The device that is this machine's memory and threads: the same kernel bodies, no GPU.
#pragma once

#include <slabscope/device/operations.h>

namespace slabscope {

class HostOperations final : public DeviceOperations {
 public:
  [[nodiscard]] DeviceStatus open(DeviceDescription& description) override;
  [[nodiscard]] DeviceStatus allocate(std::uint64_t bytes, std::uint64_t& address) override;
  [[nodiscard]] DeviceStatus release(std::uint64_t address) override;
  [[nodiscard]] DeviceStatus allocate_staging(std::uint64_t bytes, void*& memory) override;
  [[nodiscard]] DeviceStatus release_staging(void* memory) override;
  [[nodiscard]] DeviceStatus fill(std::uint64_t address, unsigned char value,
                                  std::uint64_t bytes) override;
  [[nodiscard]] DeviceStatus upload(std::uint64_t to, const void* from,
                                    std::uint64_t bytes) override;
  [[nodiscard]] DeviceStatus download(void* to, std::uint64_t from, std::uint64_t bytes) override;
  [[nodiscard]] DeviceStatus launch_read(const KernelArguments& arguments) override;
  [[nodiscard]] DeviceStatus launch_pack(const KernelArguments& arguments) override;
  [[nodiscard]] DeviceStatus synchronize() override;
};

}  // namespace slabscope
