// A pickle as a tree of plain values. Nothing in it is ever executed: of the names that it calls,
// those that torch.save uses for tensors are known, and any other ends the reading.
#pragma once

#include <slabscope/base/element_type.h>
#include <slabscope/dump/container.h>

namespace slabscope {

// What a pickle may name, as "module name".
enum class PickleName : std::uint8_t {
  rebuild_tensor,     // (storage, offset, size, stride, ..)
  rebuild_tensor_v3,  // the same, and the type as the seventh
  rebuild_parameter,  // (tensor, ..)
  ordered_dict,
  size,     // torch.Size: a tuple
  plain,    // called or not, it holds no tensor: torch.device
  storage,  // a class of storages; its type is PickleGlobal::type
  untyped_storage,
  type,  // torch.int32
};

// A type of torch's.
struct TorchType {
  std::string_view name;     // "torch.int32"
  std::string_view storage;  // "IntStorage", or nothing
  std::uint64_t bytes;
  std::optional<ElementType> element;
};

struct PickleGlobal {
  PickleName name;
  const TorchType* type = nullptr;
};

enum class PickleKind : std::uint8_t {
  other,    // None, a number with a fraction, bytes, an integer past 64 bits
  integer,  // and False and True
  text,
  tuple,
  list,
  dict,     // keys and values in turn
  global,   // a PickleGlobal
  storage,  // what a persistent id stands for; its one item is that id
  made,     // by a call of the global; its one item is the tuple of arguments
};

struct PickleValue {
  PickleKind kind = PickleKind::other;
  std::int64_t integer = 0;
  std::string_view text = {};
  PickleGlobal global = {};
  std::uint32_t items = 0;  // index in lists
};

// Values name each other by their index, so that one may stand at several places, or in itself.
struct Pickle {
  std::vector<char> bytes;  // that the texts are parts of
  std::vector<PickleValue> values;
  std::vector<std::vector<std::uint32_t>> lists;
  std::uint32_t root = 0;
  std::string unknown_name;  // "module.name" that ended the reading; there is no root then
};

// Values, references to them and names of them, in all.
inline constexpr std::size_t max_pickle_values = std::size_t{1} << 20;

// Reads the pickle in `bytes`. Errors: bad_container, with the offset in the pickle;
// limit_exceeded.
[[nodiscard]] Result<Pickle> read_pickle(std::vector<char> bytes);

}  // namespace slabscope
