#include <slabscope/device/cuda_operations.h>

#include <cuda_runtime_api.h>

namespace slabscope {
namespace {

constexpr unsigned block_threads = 256;

__global__ void __launch_bounds__(block_threads) read_kernel(const KernelArguments arguments) {
  read_elements(arguments, std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x,
                std::uint64_t{gridDim.x} * blockDim.x);
}

__global__ void __launch_bounds__(block_threads) pack_kernel(const KernelArguments arguments) {
  pack_elements(arguments, std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x,
                std::uint64_t{gridDim.x} * blockDim.x);
}

// Only these mean that there is nothing to run on; everything else is a failure.
bool means_no_device(cudaError_t error) {
  return error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary ||
         error == cudaErrorNoDevice;
}

DeviceStatus status_of(cudaError_t error, const std::string& call) {
  if (error == cudaSuccess) return {};
  DeviceStatus status;
  status.code = static_cast<int>(error);
  status.call = call;
  status.name = std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
  status.no_device = means_no_device(error);
  cudaGetLastError();  // told; the next call begins anew, unless the context is lost
  return status;
}

void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

class CudaOperations final : public DeviceOperations {
 public:
  explicit CudaOperations(int device) : device_(device) {}

  DeviceStatus open(DeviceDescription& description) override {
    int count = 0;
    DeviceStatus status = status_of(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    if (!status.is_done()) return status;
    if (count == 0) return status_of(cudaErrorNoDevice, "cudaGetDeviceCount");
    const std::string which =
        " of device " + std::to_string(device_) + ", of " + std::to_string(count) + " from 0 on,";
    status = status_of(cudaSetDevice(device_), "cudaSetDevice" + which);
    if (!status.is_done()) return status;
    cudaDeviceProp properties{};
    status =
        status_of(cudaGetDeviceProperties(&properties, device_), "cudaGetDeviceProperties" + which);
    if (!status.is_done()) return status;
    int driver = 0;
    status = status_of(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    if (!status.is_done()) return status;
    int runtime = 0;
    status = status_of(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    if (!status.is_done()) return status;
    processors_ = static_cast<unsigned>(properties.multiProcessorCount);
    description.kind = "cuda";
    description.name = properties.name;
    description.compute_capability =
        std::to_string(properties.major) + "." + std::to_string(properties.minor);
    description.driver = version_text(driver);
    description.runtime = version_text(runtime);
    return {};
  }

  DeviceStatus allocate(std::uint64_t bytes, std::uint64_t& address) override {
    void* memory = nullptr;
    DeviceStatus status = status_of(cudaMalloc(&memory, bytes), "cudaMalloc");
    address = reinterpret_cast<std::uint64_t>(memory);
    return status;
  }
  DeviceStatus release(std::uint64_t address) override {
    return status_of(cudaFree(pointer_to(address)), "cudaFree");
  }
  DeviceStatus allocate_staging(std::uint64_t bytes, void*& memory) override {
    return status_of(cudaMallocHost(&memory, bytes), "cudaMallocHost");
  }
  DeviceStatus release_staging(void* memory) override {
    return status_of(cudaFreeHost(memory), "cudaFreeHost");
  }
  DeviceStatus fill(std::uint64_t address, unsigned char value, std::uint64_t bytes) override {
    return status_of(cudaMemset(pointer_to(address), value, bytes), "cudaMemset");
  }
  DeviceStatus upload(std::uint64_t to, const void* from, std::uint64_t bytes) override {
    return status_of(cudaMemcpy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice),
                     "cudaMemcpy to the device");
  }
  DeviceStatus download(void* to, std::uint64_t from, std::uint64_t bytes) override {
    return status_of(cudaMemcpy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost),
                     "cudaMemcpy from the device");
  }
  DeviceStatus launch_read(const KernelArguments& arguments) override {
    read_kernel<<<blocks(arguments.field_elements), block_threads>>>(arguments);
    return status_of(cudaGetLastError(), "launch of the kernel 'read'");
  }
  DeviceStatus launch_pack(const KernelArguments& arguments) override {
    pack_kernel<<<blocks(arguments.all_elements), block_threads>>>(arguments);
    return status_of(cudaGetLastError(), "launch of the kernel 'pack'");
  }
  DeviceStatus synchronize() override {
    return status_of(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  // Enough to fill the device; the rest is stridden over.
  unsigned blocks(std::uint64_t elements) const {
    const std::uint64_t wanted = elements / block_threads + 1;
    const std::uint64_t most = std::uint64_t{processors_} * 16;
    return static_cast<unsigned>(wanted < most ? wanted : most);
  }

  int device_;
  unsigned processors_ = 1;
};

}  // namespace

std::unique_ptr<DeviceOperations> make_cuda_operations(int device) {
  return std::make_unique<CudaOperations>(device);
}

}  // namespace slabscope
