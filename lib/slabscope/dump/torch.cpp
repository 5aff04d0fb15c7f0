// The files of torch.save: a zip with one pickle that tells of the tensors, and their storages.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/torch_tensors.h>
#include <slabscope/dump/zip_container.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace slabscope {
namespace {

constexpr std::string_view pickle_name = "/data.pkl";
constexpr std::size_t most_devices = 8;  // that are told of

class TorchReader {
 public:
  TorchReader(const ZipFile& zip, const ContainerHints& hints) : zip_(zip), hints_(hints) {
    for (std::size_t index = 0; index < zip.members.size(); ++index)
      by_name_.emplace(zip.members[index].name, index);
  }

  Result<ZipContents> read() {
    SLABSCOPE_TRY_ASSIGN(pickle_member, find_pickle());
    SLABSCOPE_TRY(check_byte_order());
    SLABSCOPE_TRY(storages());
    SLABSCOPE_TRY_ASSIGN(bytes, all_of(pickle_member));
    auto pickle = read_pickle(std::move(bytes));
    if (!pickle) return fail(in_pickle(std::move(pickle).error()));
    if (!pickle->unknown_name.empty()) {
      made_.remark = "the tensors have no names here, as the pickle uses " + pickle->unknown_name +
                     ", which is not known and never executed: the storages are regions";
    } else {
      auto tensors = torch_tensors(*pickle, zip_.limits);
      if (!tensors) return fail(in_pickle(std::move(tensors).error()));
      for (TorchTensor& each : *tensors) SLABSCOPE_TRY(tensor(std::move(each)));
    }
    tell_of_devices();
    return finished();
  }

 private:
  struct Storage {
    ZipPart part;
    bool is_typed = false;
  };

  Result<std::size_t> find_pickle() {
    for (std::size_t index = 0; index < zip_.members.size(); ++index) {
      const std::string& name = zip_.members[index].name;
      if (!name.ends_with(pickle_name) || name.find('/') != name.size() - pickle_name.size())
        continue;
      folder_ = name.substr(0, name.size() - pickle_name.size() + 1);
      return index;
    }
    return fail(error(ErrorCode::bad_container,
                      "the zip has no FOLDER/data.pkl, as torch.save "
                      "writes; --container zip reads its members")
                    .at_offset(0));
  }

  // All of a small member.
  Result<std::vector<char>> all_of(std::size_t index) const {
    const ZipMember& member = zip_.members[index];
    SLABSCOPE_TRY_ASSIGN(opened, zip_.open_checked(index));
    if (member.bytes > zip_.limits.max_header_bytes)
      return fail(error(ErrorCode::limit_exceeded, printable(member.name, 80) + " is too long")
                      .with(std::to_string(member.bytes) + " B",
                            "at most " + std::to_string(zip_.limits.max_header_bytes) + " B")
                      .at_offset(member.header_offset));
    std::vector<char> text(member.bytes);
    SLABSCOPE_TRY(read_exactly_at(*opened, 0, std::as_writable_bytes(std::span(text)),
                                  printable(member.name, 80)));
    return text;
  }

  Result<void> check_byte_order() const {
    const auto found = by_name_.find(folder_ + "byteorder");
    if (found == by_name_.end()) return {};  // older ones do not say
    SLABSCOPE_TRY_ASSIGN(bytes, all_of(found->second));
    const std::string_view order(bytes.data(), bytes.size());
    if (order == "little") return {};
    return fail(error(ErrorCode::unsupported_container,
                      "the tensors are not little-endian; save them again on such a machine")
                    .with(printable(order, 40), "little")
                    .at_offset(zip_.members[found->second].header_offset));
  }

  Result<void> storages() {
    const std::string folder = folder_ + "data/";
    for (std::size_t index = 0; index < zip_.members.size(); ++index) {
      const std::string& name = zip_.members[index].name;
      if (!name.starts_with(folder)) continue;
      SLABSCOPE_TRY_ASSIGN(part, zip_.whole_member(index));
      part.region.name = name.substr(folder_.size());
      part.region.kind = "storage";
      part.region.must_be_named = true;
      storage_at_.emplace(name.substr(folder.size()), storages_.size());
      storages_.push_back({std::move(part), false});
    }
    if (storages_.size() == 1) storages_[0].part.region.address = hints_.base;
    if (storages_.size() > 1 && hints_.base) made_.remark = base_of_several("storages");
    return {};
  }

  Result<Storage*> storage(const TorchTensor& of) {
    const auto found = storage_at_.find(of.storage.key);
    if (found == storage_at_.end())
      return fail(in_pickle(error(ErrorCode::bad_container,
                                  printable(of.name, 80) + ": its storage is not in the file")
                                .with("data/" + printable(of.storage.key, 40), {})));
    Storage& here = storages_[found->second];
    Region& region = here.part.region;
    const std::uint64_t element_bytes = of.storage.type == nullptr ? 1 : of.storage.type->bytes;
    if (checked_multiply(of.storage.count, element_bytes) != region.bytes)
      return fail(
          error(ErrorCode::bad_container, printable(of.name, 80) + ": its storage has another size")
              .with(std::to_string(region.bytes) + " B", std::to_string(of.storage.count) +
                                                             " elements of " +
                                                             counted(element_bytes, "byte"))
              .at_offset(zip_.members[here.part.place.member].header_offset));
    if (!std::exchange(here.is_typed, true) && of.storage.type != nullptr) {
      region.type = type_of(*of.storage.type);
      region.shape = {of.storage.count};
    }
    if (devices_.size() < most_devices &&
        std::ranges::find(devices_, of.storage.device) == devices_.end())
      devices_.push_back(of.storage.device);
    return &here;
  }

  static RegionType type_of(const TorchType& type) {
    return {std::string(type.name), type.element, type.bytes, false};
  }

  Result<void> tensor(TorchTensor of) {
    SLABSCOPE_TRY_ASSIGN(in, storage(of));
    const Region& whole = in->part.region;
    auto view = view_of(of);
    constexpr std::uint64_t beyond = ~std::uint64_t{0};
    const std::uint64_t bytes = view ? view_bytes(*view).value_or(beyond) : beyond;
    const std::uint64_t end = bytes != beyond ? view_end(*view).value_or(beyond) : beyond;
    if (end > whole.bytes)
      return fail(
          in_pickle(error(ErrorCode::bad_container,
                          printable(of.name, 80) + ": the tensor reaches past its storage")
                        .with(end != beyond ? std::to_string(end) + " B" : "more than 64 bits",
                              std::to_string(whole.bytes) + " B")));
    // A stride of 0 makes many elements of one.
    if (bytes > whole.bytes && bytes > zip_.limits.max_inflate)
      return fail(in_pickle(
          error(ErrorCode::limit_exceeded,
                printable(of.name, 80) + ": too many bytes would come out")
              .with(std::to_string(bytes) + " B",
                    "at most " + std::to_string(zip_.limits.max_inflate) + " B (--max-inflate)")));
    Region made;
    made.name = std::move(of.name);
    made.kind = "tensor";
    made.bytes = bytes;
    made.type = type_of(*of.type);
    made.shape = std::move(of.shape);
    made.is_reordered = !is_one_run(*view);
    if (is_one_run(*view) && bytes > 0) {
      if (whole.file_offset) made.file_offset = *whole.file_offset + view->offset;
      if (whole.address) made.address = checked_add(*whole.address, view->offset);
    }
    made_.add({std::move(made), {in->part.place.member, *std::move(view)}});
    return {};
  }

  static std::optional<StridedView> view_of(const TorchTensor& of) {
    const std::uint64_t element_bytes = of.type->bytes;
    StridedView view{0, element_bytes, 1, of.shape, {}};
    const auto offset = checked_multiply(of.offset, element_bytes);
    if (!offset) return std::nullopt;
    view.offset = *offset;
    for (const std::uint64_t each : of.strides) {
      const auto stride = checked_multiply(each, element_bytes);
      if (!stride) return std::nullopt;
      view.strides.push_back(*stride);
    }
    return view;
  }

  void tell_of_devices() {
    std::string all;
    for (const std::string& each : devices_) all += (all.empty() ? "" : ", ") + each;
    if (!all.empty()) made_.facts.push_back({"device", all});
  }

  ZipContents finished() {
    for (Storage& each : storages_) made_.add(std::move(each.part));
    return std::move(made_);
  }

  // Offsets of the pickle's errors count from its first byte.
  Error in_pickle(Error failed) const {
    failed.message = folder_ + "data.pkl: " + failed.message;
    if (failed.offset) failed.message += " at byte " + std::to_string(*failed.offset);
    failed.offset = zip_.members[by_name_.at(folder_ + "data.pkl")].header_offset;
    return failed;
  }

  const ZipFile& zip_;
  const ContainerHints& hints_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::string folder_;
  std::vector<Storage> storages_;
  std::unordered_map<std::string, std::size_t> storage_at_;  // by key
  std::vector<std::string> devices_;
  ZipContents made_;
};

Result<std::unique_ptr<Container>> open_torch(std::shared_ptr<RandomAccess> file,
                                              const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(zip, ZipFile::open(std::move(file), hints));
  SLABSCOPE_TRY_ASSIGN(contents, TorchReader(zip, hints).read());
  return make_zip_container(torch_kind.name, std::move(zip), std::move(contents));
}

bool recognises_torch(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return first_zip_name(first).ends_with(pickle_name);
}

bool begins_with(std::span<const std::byte> first, std::string_view magic) {
  return first.size() >= magic.size() && std::memcmp(first.data(), magic.data(), magic.size()) == 0;
}

constexpr std::string_view legacy_magic{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                                        14};

// torch.save before 1.6, and what pickle.dump writes. The first bytes of a pickle alone are too
// few: a slab may begin so as well.
bool recognises_pickle(std::span<const std::byte> first, std::uint64_t size) noexcept {
  if (begins_with(first, legacy_magic)) return true;
  for (const std::string_view begin : {"\x80\x02}q", "\x80\x02]q",
                                       "\x80\x02"
                                       "ctorch",
                                       "\x80\x03}q", "\x80\x03]q",
                                       "\x80\x03"
                                       "ctorch"})
    if (begins_with(first, begin)) return true;
  // A frame that reaches to the end.
  return first.size() >= 11 && size >= 11 && first[0] == std::byte{0x80} &&
         (first[1] == std::byte{4} || first[1] == std::byte{5}) && first[2] == std::byte{0x95} &&
         load_little_endian<std::uint64_t>(&first[3]) <= size - 11 &&
         load_little_endian<std::uint64_t>(&first[3]) > 0;
}

Result<std::unique_ptr<Container>> refuse_pickle(std::shared_ptr<RandomAccess> /*file*/,
                                                 const ContainerHints& /*hints*/) {
  return fail(error(ErrorCode::unsupported_container,
                    "a bare pickle, as torch.save wrote before 1.6: reading it would execute it. "
                    "Where you trust the file: torch.save(torch.load(file, map_location=\"cpu\"), "
                    "other) writes the form that is read here")
                  .at_offset(0));
}

}  // namespace

constinit const ContainerKind torch_kind = {"torch", "tensors of torch.save", recognises_torch,
                                            open_torch};
constinit const ContainerKind pickle_kind = {"pickle", "a bare pickle: refused, with advice",
                                             recognises_pickle, refuse_pickle};

}  // namespace slabscope
