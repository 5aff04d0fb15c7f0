// The arrays of numpy.savez: a zip of .npy files.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/npy.h>
#include <slabscope/dump/zip_container.h>

#include <utility>

namespace slabscope {
namespace {

constexpr std::string_view suffix = ".npy";

class NpzReader {
 public:
  explicit NpzReader(const ZipFile& zip) : zip_(zip), budget_(zip.limits) {}

  Result<ZipContents> read() {
    for (std::size_t index = 0; index < zip_.members.size(); ++index) SLABSCOPE_TRY(member(index));
    return std::move(made_);
  }

 private:
  Result<void> member(std::size_t index) {
    const std::string& name = zip_.members[index].name;
    if (!name.ends_with(suffix)) {
      SLABSCOPE_TRY_ASSIGN(part, zip_.whole_member(index));
      made_.add(std::move(part));
      return {};
    }
    SLABSCOPE_TRY_ASSIGN(opened, zip_.open_member(index));
    auto arrays =
        read_npy(*opened.bytes, name.substr(0, name.size() - suffix.size()), zip_.limits, budget_);
    if (!arrays && arrays.error().code == ErrorCode::unsupported_container) {
      remark(name, "left out, as " + arrays.error().message);
      return {};
    }
    if (!arrays) return fail(inside(std::move(arrays).error(), name, opened.file_offset));
    if (!arrays->remark.empty()) remark(name, arrays->remark);
    for (ViewRegion& each : arrays->regions) add(std::move(each), index, opened.file_offset);
    return {};
  }

  void add(ViewRegion array, std::size_t index, std::optional<std::uint64_t> begin) {
    Region& region = array.region;
    region.file_offset =
        begin && region.file_offset ? std::optional(*begin + *region.file_offset) : std::nullopt;
    made_.add({std::move(region), {index, std::move(array.view)}});
  }

  void remark(const std::string& name, const std::string& text) {
    made_.remark += (made_.remark.empty() ? "" : "; ") + printable(name, 80) + ": " + text;
  }

  // The error of a member: its offset counts from the begin of the file where that can be.
  static Error inside(Error failed, const std::string& name, std::optional<std::uint64_t> begin) {
    failed.message = printable(name, 80) + ": " + failed.message;
    if (failed.offset && begin) failed.offset = *begin + *failed.offset;
    if (!begin) failed.offset.reset();
    return failed;
  }

  const ZipFile& zip_;
  RegionBudget budget_;  // of all members
  ZipContents made_;
};

Result<std::unique_ptr<Container>> open_npz(std::shared_ptr<RandomAccess> file,
                                            const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(zip, ZipFile::open(std::move(file), hints));
  SLABSCOPE_TRY_ASSIGN(contents, NpzReader(zip).read());
  const std::size_t count = contents.regions.size();
  if (count == 1 && is_one_run(contents.places[0].view))
    contents.regions[0].address = hints.base;
  else if (hints.base && count > 1)
    contents.remark += (contents.remark.empty() ? "" : "; ") + base_of_several("arrays");
  return make_zip_container(npz_kind.name, std::move(zip), std::move(contents));
}

bool recognises_npz(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return first_zip_name(first).ends_with(suffix);
}

}  // namespace

constinit const ContainerKind npz_kind = {"npz", "arrays of numpy.savez", recognises_npz, open_npz};

}  // namespace slabscope
