// Compressed files that are known, and not read: what to run instead.
#include <slabscope/base/little_endian.h>
#include <slabscope/dump/kinds.h>

#include <algorithm>
#include <array>

namespace slabscope {
namespace {

template <std::size_t Size>
bool begins_with(std::span<const std::byte> first, const std::array<unsigned char, Size>& magic) {
  return first.size() >= Size &&
         std::equal(magic.begin(), magic.end(), first.begin(),
                    [](unsigned char left, std::byte right) { return std::byte{left} == right; });
}

bool is_xz(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return begins_with(first, std::array<unsigned char, 6>{0xfd, '7', 'z', 'X', 'Z', 0});
}
// A digit says how large its blocks are; then comes the first block's mark.
bool is_bzip2(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  if (!begins_with(first, std::array<unsigned char, 3>{'B', 'Z', 'h'}) || first.size() < 10)
    return false;
  return first[3] >= std::byte{'1'} && first[3] <= std::byte{'9'} &&
         begins_with(first.subspan(4),
                     std::array<unsigned char, 6>{0x31, 0x41, 0x59, 0x26, 0x53, 0x59});
}
// The old form, of lz4 -l, says next how long its first block is: at most 8 MiB before packing.
bool is_lz4(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  if (begins_with(first, std::array<unsigned char, 4>{0x04, 0x22, 0x4d, 0x18})) return true;
  constexpr std::uint32_t most = std::uint32_t{9} << 20;
  return begins_with(first, std::array<unsigned char, 4>{0x02, 0x21, 0x4c, 0x18}) &&
         first.size() >= 8 && load_little_endian<std::uint32_t>(first.data() + 4) - 1 < most;
}

Failure run_first(std::string_view kind, std::string_view command) {
  return fail(ErrorCode::unsupported_container,
              std::string(kind) + " is not read: run " + std::string(command) +
                  " on the file first, or compress it with zstd or gzip");
}

Result<std::unique_ptr<Container>> refuse_xz(std::shared_ptr<RandomAccess> /*file*/,
                                             const ContainerHints& /*hints*/) {
  return run_first("xz", "unxz");
}
Result<std::unique_ptr<Container>> refuse_bzip2(std::shared_ptr<RandomAccess> /*file*/,
                                                const ContainerHints& /*hints*/) {
  return run_first("bzip2", "bunzip2");
}
Result<std::unique_ptr<Container>> refuse_lz4(std::shared_ptr<RandomAccess> /*file*/,
                                              const ContainerHints& /*hints*/) {
  return run_first("lz4", "unlz4");
}

}  // namespace

constinit const ContainerKind xz_kind = {"xz", "not read: run unxz", is_xz, refuse_xz};
constinit const ContainerKind bzip2_kind = {"bzip2", "not read: run bunzip2", is_bzip2,
                                            refuse_bzip2};
constinit const ContainerKind lz4_kind = {"lz4", "not read: run unlz4", is_lz4, refuse_lz4};

}  // namespace slabscope
