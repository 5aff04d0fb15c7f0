// The device operations on CUDA. Declared in every build; defined in the library slabscope_cuda,
// which is built where there is an nvcc.
#pragma once

#include <slabscope/device/operations.h>

#include <memory>

namespace slabscope {

// `device`: number of the device, as CUDA counts them. Nothing is called before open(). Needs no
// driver to be linked or started: without one, open() says so.
std::unique_ptr<DeviceOperations> make_cuda_operations(int device);

}  // namespace slabscope
