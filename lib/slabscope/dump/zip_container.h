// A container whose regions are in the members of a zip: an .npz, a torch file, or the members
// themselves.
#pragma once

#include <slabscope/dump/strided.h>
#include <slabscope/dump/zip.h>

namespace slabscope {

// A region, and where its bytes are: a view of what a member holds.
struct ZipPlace {
  std::size_t member = 0;
  StridedView view;
};

struct ZipPart {
  Region region;
  ZipPlace place;
};

struct ZipContents {
  std::vector<Region> regions;
  std::vector<ZipPlace> places;  // of each
  std::vector<ContainerFact> facts;
  std::string remark;

  void add(ZipPart part);
};

// A zip that is open for reading.
struct ZipFile {
  std::shared_ptr<RandomAccess> file;
  std::vector<ZipMember> members;
  ContainerLimits limits;
  bool is_kind_given = false;                          // members are what the user says they are
  std::shared_ptr<std::vector<bool>> is_checked = {};  // of members: their checksum is right

  // Errors: those of read_zip().
  [[nodiscard]] static Result<ZipFile> open(std::shared_ptr<RandomAccess> file,
                                            const ContainerHints& hints);
  // Is a member memory, and no file that is to be unpacked first? Errors: unsupported_container,
  // where it is none and the user did not name the kind of the zip; those of open_zip_member().
  [[nodiscard]] Result<void> check_memory(std::size_t index) const;
  // To see what a member is. Errors: those of open_zip_member().
  [[nodiscard]] Result<ZipBytes> open_member(std::size_t index) const {
    return open_zip_member(file, members[index], limits);
  }
  // To take its bytes: none of those whose checksum is known to be wrong is given, see
  // StoredMember and ZipLook::ahead. Errors: those of open_zip_member().
  [[nodiscard]] Result<std::shared_ptr<RandomAccess>> open_checked(std::size_t index) const;
  // All of a member as one region. Errors: those of find_zip_bytes().
  [[nodiscard]] Result<ZipPart> whole_member(std::size_t index) const;
};

[[nodiscard]] std::unique_ptr<Container> make_zip_container(std::string_view name, ZipFile zip,
                                                            ZipContents contents);

}  // namespace slabscope
