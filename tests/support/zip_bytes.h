// Zips of tests, written after the format's description (APPNOTE.TXT of PKWARE).
#pragma once

#include "dump_bytes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace slabscope::tests {

inline std::uint32_t crc_of(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t index = 0; index < made.size(); ++index) {
      made[index] = index;
      for (int bit = 0; bit < 8; ++bit)
        made[index] = made[index] >> 1U ^ ((made[index] & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return made;
  }();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char each : bytes)
    crc = crc >> 8U ^ table[(crc ^ static_cast<unsigned char>(each)) & 0xffU];
  return ~crc;
}

// Deflate without compression: blocks of up to `most` bytes as they are.
inline std::string deflated(const std::string& bytes, std::size_t most = 0xffff) {
  std::string made;
  std::size_t at = 0;
  do {
    const std::size_t count = std::min(most, bytes.size() - at);
    made += le(at + count == bytes.size() ? 1 : 0, 1) + le(count, 2) + le(~count & 0xffff, 2);
    made += bytes.substr(at, count);
    at += count;
  } while (at < bytes.size());
  return made;
}

struct ZipEntry {
  std::string name;
  std::string packed;       // as it stands in the file
  std::uint64_t bytes = 0;  // that come out
  std::uint32_t crc = 0;
  unsigned method = 0;
  unsigned flags = 0;
  std::string extra = {};  // of its own header
};

inline ZipEntry stored(std::string name, std::string bytes) {
  const std::uint64_t size = bytes.size();
  const std::uint32_t crc = crc_of(bytes);
  return {std::move(name), std::move(bytes), size, crc};
}

inline ZipEntry packed(std::string name, const std::string& bytes) {
  return {std::move(name), deflated(bytes), bytes.size(), crc_of(bytes), 8};
}

enum class ZipEnd : std::uint8_t { plain, zip64, zip64_alone };  // alone: 0xff.. in the plain one

inline std::string zip_of(const std::vector<ZipEntry>& entries, ZipEnd end = ZipEnd::plain,
                          const std::string& comment = {}) {
  std::string file;
  std::string directory;
  const bool wide = end == ZipEnd::zip64_alone;
  for (const ZipEntry& each : entries) {
    const std::uint64_t offset = file.size();
    const std::string kind = le(each.flags, 2) + le(each.method, 2) + le(0, 4);
    const bool later = (each.flags & 8U) != 0;  // crc and sizes stand behind the bytes
    file += "PK\x03\x04" + le(20, 2) + kind + le(later ? 0 : each.crc, 4) +
            le(later ? 0 : each.packed.size(), 4) + le(later ? 0 : each.bytes, 4) +
            le(each.name.size(), 2) + le(each.extra.size(), 2) + each.name + each.extra +
            each.packed;
    const std::string extra =
        wide ? le(1, 2) + le(24, 2) + le(each.bytes, 8) + le(each.packed.size(), 8) + le(offset, 8)
             : std::string();
    const auto narrow = [&](std::uint64_t figure) { return le(wide ? 0xffffffff : figure, 4); };
    directory += "PK\x01\x02" + le(20, 2) + le(20, 2) + kind + le(each.crc, 4) +
                 narrow(each.packed.size()) + narrow(each.bytes) + le(each.name.size(), 2) +
                 le(extra.size(), 2) + le(0, 2) + le(0, 2) + le(0, 2) + le(0, 4) + narrow(offset) +
                 each.name + extra;
  }
  const std::uint64_t begin = file.size();
  const std::uint64_t count = entries.size();
  file += directory;
  if (end != ZipEnd::plain) {
    const std::uint64_t record = file.size();
    file += "PK\x06\x06" + le(44, 8) + le(45, 2) + le(45, 2) + le(0, 4) + le(0, 4) + le(count, 8) +
            le(count, 8) + le(directory.size(), 8) + le(begin, 8);
    file += "PK\x06\x07" + le(0, 4) + le(record, 8) + le(1, 4);
  }
  const std::string counts = wide ? le(0xffffffff, 4) : le(count, 2) + le(count, 2);
  const std::string place =
      wide ? le(~std::uint64_t{0}, 8) : le(directory.size(), 4) + le(begin, 4);
  return file + "PK\x05\x06" + le(0, 4) + counts + place + le(comment.size(), 2) + comment;
}

}  // namespace slabscope::tests
