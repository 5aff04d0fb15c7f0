// The members of a zip: its central directory, read strictly. Members are stored or deflated, in
// one file, and overlap nowhere.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

struct ZipMember {
  std::string name;
  bool is_deflated = false;
  std::uint64_t header_offset = 0;     // of the member's own header, in the file
  std::uint64_t compressed_bytes = 0;  // in the file
  std::uint64_t bytes = 0;             // that come out
  std::uint64_t end = 0;               // where the next member, or the directory, begins
  std::uint32_t crc = 0;
};

// Does a zip begin so?
[[nodiscard]] bool is_zip(std::span<const std::byte> first) noexcept;
// The name of the first member, as far as it is there.
[[nodiscard]] std::string_view first_zip_name(std::span<const std::byte> first) noexcept;

// The members in the order of the file, without folders. Errors: bad_container,
// unsupported_container (encrypted, other compression, split), limit_exceeded, read_failed.
[[nodiscard]] Result<std::vector<ZipMember>> read_zip(RandomAccess& file,
                                                      const ContainerLimits& limits);

// Where a member's bytes begin, deflated or not. Errors: bad_container (its header contradicts the
// directory), read_failed.
[[nodiscard]] Result<std::uint64_t> find_zip_bytes(RandomAccess& file, const ZipMember& member);

struct ZipBytes {
  std::shared_ptr<RandomAccess> bytes;
  std::optional<std::uint64_t> file_offset;  // of the first byte, if they are stored
};

// Is the checksum of deflated bytes looked for where the end is near, or not before the end?
enum class ZipLook : std::uint8_t { at_end, ahead };

// What a member holds. Errors: those of find_zip_bytes(); limit_exceeded (more than max_inflate
// would come out).
[[nodiscard]] Result<ZipBytes> open_zip_member(std::shared_ptr<RandomAccess> file,
                                               const ZipMember& member,
                                               const ContainerLimits& limits,
                                               ZipLook look = ZipLook::at_end);

}  // namespace slabscope
