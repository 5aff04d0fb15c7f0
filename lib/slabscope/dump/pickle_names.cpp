#include <slabscope/dump/pickle_names.h>

namespace slabscope {
namespace {

struct Known {
  std::string_view module;
  std::string_view name;
  PickleName meaning;
};

constexpr Known known_names[] = {
    {"torch._utils", "_rebuild_tensor", PickleName::rebuild_tensor},
    {"torch._utils", "_rebuild_tensor_v2", PickleName::rebuild_tensor},
    {"torch._utils", "_rebuild_tensor_v3", PickleName::rebuild_tensor_v3},
    {"torch._utils", "_rebuild_parameter", PickleName::rebuild_parameter},
    {"torch._utils", "_rebuild_parameter_with_state", PickleName::rebuild_parameter},
    {"collections", "OrderedDict", PickleName::ordered_dict},
    {"torch", "Size", PickleName::size},
    {"torch", "device", PickleName::plain},
    {"torch", "UntypedStorage", PickleName::untyped_storage},
    {"torch.storage", "UntypedStorage", PickleName::untyped_storage},
};

constexpr TorchType types[] = {
    {"torch.uint8", "ByteStorage", 1, ElementType::u8},
    {"torch.int8", "CharStorage", 1, ElementType::i8},
    {"torch.int16", "ShortStorage", 2, ElementType::i16},
    {"torch.int32", "IntStorage", 4, ElementType::i32},
    {"torch.int64", "LongStorage", 8, ElementType::i64},
    {"torch.uint16", {}, 2, ElementType::u16},
    {"torch.uint32", {}, 4, ElementType::u32},
    {"torch.uint64", {}, 8, ElementType::u64},
    {"torch.bool", "BoolStorage", 1, {}},
    {"torch.float16", "HalfStorage", 2, {}},
    {"torch.bfloat16", "BFloat16Storage", 2, {}},
    {"torch.float32", "FloatStorage", 4, {}},
    {"torch.float64", "DoubleStorage", 8, {}},
    {"torch.complex64", "ComplexFloatStorage", 8, {}},
    {"torch.complex128", "ComplexDoubleStorage", 16, {}},
    {"torch.float8_e4m3fn", {}, 1, {}},
    {"torch.float8_e5m2", {}, 1, {}},
    {"torch.float8_e4m3fnuz", {}, 1, {}},
    {"torch.float8_e5m2fnuz", {}, 1, {}},
    {"torch.float8_e8m0fnu", {}, 1, {}},
};

}  // namespace

std::optional<PickleGlobal> pickle_global(std::string_view module, std::string_view name) noexcept {
  for (const Known& each : known_names)
    if (each.module == module && each.name == name) return PickleGlobal{each.meaning, nullptr};
  if (module != "torch" || name.empty()) return std::nullopt;
  for (const TorchType& each : types) {
    if (each.storage == name) return PickleGlobal{PickleName::storage, &each};
    if (each.name.substr(6) == name) return PickleGlobal{PickleName::type, &each};
  }
  return std::nullopt;
}

}  // namespace slabscope
