// Compressed files that are known, and not read: what to run instead.
#include <slabscope/base/little_endian.h>
#include <slabscope/dump/kinds.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace slabscope {
namespace {

using namespace std::string_view_literals;

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

// What packs files together or compresses them, and begins like no memory.
struct Archive {
  std::string_view name;
  std::size_t at;
  std::string_view mark;  // that stands there
  std::string_view command;
};
constexpr std::array archives = {Archive{"7z", 0, "7z\xbc\xaf\x27\x1c", "7z x"},
                                 Archive{"rar", 0, "Rar!\x1a\x07", "unrar"},
                                 Archive{"lzip", 0, "LZIP\x01", "lzip -d"},
                                 Archive{"snappy", 0, "\xff\x06\x00\x00sNaPpY"sv, "snzip -d"},
                                 Archive{"tar", 257, "ustar", "tar -x"}};

const Archive* find_archive(std::span<const std::byte> first) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  const auto found = std::ranges::find_if(archives, [&](const Archive& each) {
    return text.size() > each.at && text.substr(each.at).starts_with(each.mark);
  });
  return found == archives.end() ? nullptr : &*found;
}
bool is_archive(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return find_archive(first) != nullptr;
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

Result<std::unique_ptr<Container>> refuse_archive(std::shared_ptr<RandomAccess> file,
                                                  const ContainerHints& /*hints*/) {
  std::array<std::byte, container_magic_bytes> first;
  WindowSource source(std::move(file), 0, first.size());
  SLABSCOPE_TRY_ASSIGN(count, read_fully(source, first));
  const Archive* const found = find_archive(std::span(first).first(count));
  if (found == nullptr)
    return fail(ErrorCode::unsupported_container, "archives are not read: take out the file first");
  return run_first(found->name, found->command);
}

}  // namespace

constinit const ContainerKind xz_kind = {"xz", "not read: run unxz", is_xz, refuse_xz};
constinit const ContainerKind bzip2_kind = {"bzip2", "not read: run bunzip2", is_bzip2,
                                            refuse_bzip2};
constinit const ContainerKind lz4_kind = {"lz4", "not read: run unlz4", is_lz4, refuse_lz4};
constinit const ContainerKind archive_kind = {"archive", "not read: tar, 7z, rar, lzip, snappy",
                                              is_archive, refuse_archive};

}  // namespace slabscope
