// The tensors in a pickle of torch.save, by their paths.
#pragma once

#include <slabscope/dump/pickle.h>

namespace slabscope {

// What a persistent id says of a storage.
struct TorchStorage {
  std::string key;                  // of the member "data/KEY"
  std::string device;               // "cuda:0"
  const TorchType* type = nullptr;  // none: bytes
  std::uint64_t count = 0;          // elements, or bytes
};

struct TorchTensor {
  std::string name;  // "state.positions", "[0]"; "tensor" for one that is in nothing
  TorchStorage storage;
  const TorchType* type = nullptr;
  std::uint64_t offset = 0;  // elements
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> strides;  // elements
};

inline constexpr std::size_t max_torch_dimensions = 64;  // torch's own limit

// In the order of the pickle. Errors: bad_container (a tensor that is none, an object in itself),
// limit_exceeded (nesting, number, length of the names).
[[nodiscard]] Result<std::vector<TorchTensor>> torch_tensors(const Pickle& pickle,
                                                             const ContainerLimits& limits);

}  // namespace slabscope
