// Pickles of tests, as torch.save writes them.
#pragma once

#include "zip_bytes.h"

namespace slabscope::tests::pickled {

inline std::string text(const std::string& of) { return "X" + le(of.size(), 4) + of; }
inline std::string integer(std::uint64_t of) { return "J" + le(of, 4); }
inline std::string name(const std::string& module, const std::string& of) {
  return "c" + module + "\n" + of + "\n";
}
inline std::string tuple(const std::string& items) { return "(" + items + "t"; }
inline std::string list(const std::string& items) { return "](" + items + "e"; }
inline std::string dict(const std::string& items) { return "}(" + items + "u"; }
inline std::string tuple_of(std::initializer_list<std::uint64_t> values) {
  std::string items;
  for (const std::uint64_t each : values) items += integer(each);
  return tuple(items);
}
inline std::string whole(const std::string& value) { return "\x80\x02" + value + "."; }

inline std::string storage(const std::string& key, const std::string& type, std::uint64_t count,
                           const std::string& device = "cpu") {
  return tuple(text("storage") + type + text(key) + text(device) + integer(count)) + "Q";
}
inline std::string typed(const std::string& type) { return name("torch", type); }

struct View {
  std::uint64_t offset = 0;
  std::initializer_list<std::uint64_t> shape;
  std::initializer_list<std::uint64_t> strides;
};

inline std::string tensor(const std::string& storage, const View& view) {
  return name("torch._utils", "_rebuild_tensor_v2") +
         tuple(storage + integer(view.offset) + tuple_of(view.shape) + tuple_of(view.strides) +
               "\x89" + name("collections", "OrderedDict") + ")R") +
         "R";
}
inline std::string tensor_v3(const std::string& storage, const View& view,
                             const std::string& type) {
  return name("torch._utils", "_rebuild_tensor_v3") +
         tuple(storage + integer(view.offset) + tuple_of(view.shape) + tuple_of(view.strides) +
               "\x89" + name("collections", "OrderedDict") + ")R" + type) +
         "R";
}

// A file of torch.save: the pickle, and the storages in turn.
inline std::string file(const std::string& pickle, const std::vector<std::string>& storages,
                        const std::string& byte_order = {}) {
  std::vector<ZipEntry> entries = {stored("archive/data.pkl", pickle)};
  if (!byte_order.empty()) entries.push_back(stored("archive/byteorder", byte_order));
  for (std::size_t index = 0; index < storages.size(); ++index)
    entries.push_back(stored("archive/data/" + std::to_string(index), storages[index]));
  entries.push_back(stored("archive/version", "3\n"));
  return zip_of(entries, ZipEnd::zip64);
}

}  // namespace slabscope::tests::pickled
