// The table of device operations: what a round trip asks of a device, and nothing else. CUDA fills
// it, host threads fill it, and tests fill it with one that fails. C++17, as nvcc compiles it.
#pragma once

#include <slabscope/device/kernels.h>

#include <cstdint>
#include <string>

namespace slabscope {

// How an operation ended.
struct DeviceStatus {
  int code = 0;            // 0: done
  std::string call = {};   // that failed: "cudaMalloc"
  std::string name = {};   // "cudaErrorMemoryAllocation"
  bool no_device = false;  // there is no driver or no device; nothing has gone wrong

  [[nodiscard]] bool is_done() const noexcept { return code == 0; }
};

struct DeviceDescription {
  std::string kind = {};                // "cuda" or "host"
  std::string name = {};                // "NVIDIA H100"
  std::string compute_capability = {};  // "9.0"; this and the next two: CUDA alone
  std::string driver = {};              // "13.0"
  std::string runtime = {};             // "13.0"
};

// Addresses are numbers, as in DeviceView. Sizes are bytes and never 0. Operations run in the order
// in which they are called. None throws but for std::bad_alloc.
class DeviceOperations {
 public:
  DeviceOperations() = default;
  DeviceOperations(const DeviceOperations&) = delete;
  DeviceOperations& operator=(const DeviceOperations&) = delete;
  virtual ~DeviceOperations() = default;

  // Must be called first, and succeed: chooses the device.
  [[nodiscard]] virtual DeviceStatus open(DeviceDescription& description) = 0;

  // Memory of the device, at a multiple of 256.
  [[nodiscard]] virtual DeviceStatus allocate(std::uint64_t bytes, std::uint64_t& address) = 0;
  // Whatever it returns, the memory is given up. The same of release_staging.
  [[nodiscard]] virtual DeviceStatus release(std::uint64_t address) = 0;
  // Memory of the host that the device copies from and to at full rate, at a multiple of 256.
  [[nodiscard]] virtual DeviceStatus allocate_staging(std::uint64_t bytes, void*& memory) = 0;
  [[nodiscard]] virtual DeviceStatus release_staging(void* memory) = 0;

  [[nodiscard]] virtual DeviceStatus fill(std::uint64_t address, unsigned char value,
                                          std::uint64_t bytes) = 0;
  // Done when they return, and so is everything before.
  [[nodiscard]] virtual DeviceStatus upload(std::uint64_t to, const void* from,
                                            std::uint64_t bytes) = 0;
  [[nodiscard]] virtual DeviceStatus download(void* to, std::uint64_t from,
                                              std::uint64_t bytes) = 0;
  [[nodiscard]] virtual DeviceStatus launch_read(const KernelArguments& arguments) = 0;
  [[nodiscard]] virtual DeviceStatus launch_pack(const KernelArguments& arguments) = 0;
  // Waits, and tells what has failed since.
  [[nodiscard]] virtual DeviceStatus synchronize() = 0;
};

}  // namespace slabscope
