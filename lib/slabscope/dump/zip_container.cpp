#include <slabscope/dump/zip_container.h>

#include <slabscope/dump/kinds.h>
#include <slabscope/dump/stored_member.h>

#include <utility>

namespace slabscope {
namespace {

constexpr std::string_view member_kind = "member";

class ZipContainer final : public Container {
 public:
  ZipContainer(std::string_view name, ZipFile zip, ZipContents contents)
      : name_(name), zip_(std::move(zip)), contents_(std::move(contents)) {}

  std::string_view name() const noexcept override { return name_; }
  std::span<const Region> regions() const noexcept override { return contents_.regions; }
  std::span<const ContainerFact> facts() const noexcept override { return contents_.facts; }
  std::string_view remark() const noexcept override { return contents_.remark; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    const ZipPlace& place = contents_.places[region];
    if (contents_.regions[region].kind == member_kind)
      SLABSCOPE_TRY(zip_.check_memory(place.member));
    SLABSCOPE_TRY_ASSIGN(member, zip_.open_checked(place.member));
    return open_view(std::move(member), place.view);
  }

 private:
  std::string_view name_;
  ZipFile zip_;
  ZipContents contents_;
};

Result<std::unique_ptr<Container>> open_plain_zip(std::shared_ptr<RandomAccess> file,
                                                  const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(zip, ZipFile::open(std::move(file), hints));
  // What is wrong with the bytes is met by whoever reads them.
  if (zip.members.size() == 1)
    if (auto memory = zip.check_memory(0);
        !memory && memory.error().code == ErrorCode::unsupported_container)
      return fail(std::move(memory).error());
  ZipContents contents;
  for (std::size_t index = 0; index < zip.members.size(); ++index) {
    SLABSCOPE_TRY_ASSIGN(part, zip.whole_member(index));
    contents.add(std::move(part));
  }
  if (zip.members.size() == 1) contents.regions.front().address = hints.base;
  return make_zip_container(zip_kind.name, std::move(zip), std::move(contents));
}

bool recognises_zip(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return is_zip(first);
}

}  // namespace

void ZipContents::add(ZipPart part) {
  regions.push_back(std::move(part.region));
  places.push_back(std::move(part.place));
}

Result<ZipFile> ZipFile::open(std::shared_ptr<RandomAccess> file, const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(members, read_zip(*file, hints.limits));
  auto is_checked = std::make_shared<std::vector<bool>>(members.size());
  return ZipFile{std::move(file), std::move(members), hints.limits, hints.is_kind_given,
                 std::move(is_checked)};
}

// A checksum of 0 is none: torch.save can be told to make none.
Result<std::shared_ptr<RandomAccess>> ZipFile::open_checked(std::size_t index) const {
  const ZipMember& member = members[index];
  SLABSCOPE_TRY_ASSIGN(opened, open_zip_member(file, member, limits, ZipLook::ahead));
  if (member.is_deflated || member.bytes > max_checked_member_bytes || member.crc == 0)
    return std::move(opened.bytes);
  return std::make_shared<StoredMember>(std::move(opened), member, is_checked, index);
}

Result<void> ZipFile::check_memory(std::size_t index) const {
  if (is_kind_given) return {};
  SLABSCOPE_TRY_ASSIGN(member, open_member(index));
  SLABSCOPE_TRY_ASSIGN(kind, recognise(*member.bytes));
  if (kind == &raw_kind) return {};
  const std::string name = printable(members[index].name, 80);
  return fail(error(ErrorCode::unsupported_container,
                    "the member '" + name + "' looks like a file of its own (" +
                        std::string(kind->name) +
                        "), not like memory: unpack it first: unzip -p FILE '" + name +
                        "' > OUT; --container zip if it is memory")
                  .at_offset(members[index].header_offset));
}

Result<ZipPart> ZipFile::whole_member(std::size_t index) const {
  SLABSCOPE_TRY_ASSIGN(begin, find_zip_bytes(*file, members[index]));
  ZipPart made;
  made.region.name = members[index].name;
  made.region.kind = member_kind;
  made.region.bytes = members[index].bytes;
  if (!members[index].is_deflated) made.region.file_offset = begin;
  made.place = {index, {0, 1, 1, {members[index].bytes}, {1}}};
  return made;
}

std::unique_ptr<Container> make_zip_container(std::string_view name, ZipFile zip,
                                              ZipContents contents) {
  return std::make_unique<ZipContainer>(name, std::move(zip), std::move(contents));
}

constinit const ContainerKind zip_kind = {.name = "zip",
                                          .meaning = "the members of a zip as they are",
                                          .recognises = recognises_zip,
                                          .open = open_plain_zip,
                                          .is_known_by_few_bytes = true};

}  // namespace slabscope
