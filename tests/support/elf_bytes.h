// ELF files of tests: headers, sections and segments, as little as their format asks for.
#pragma once

#include "dump_bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace slabscope::tests {

struct ElfPart {
  std::string name;
  std::uint64_t type = 0;
  std::uint64_t address = 0;
  std::string bytes;
  std::uint64_t row_bytes = 0;    // of a section
  std::uint64_t claimed = ~0ULL;  // its size, if not that of `bytes`
};

inline std::string elf_header(unsigned machine, std::uint64_t segments_at, unsigned segments,
                              std::uint64_t sections_at, unsigned sections, unsigned names,
                              unsigned type = 4) {
  return std::string(
             "\x7f"
             "ELF\2\1\1",
             7) +
         std::string(9, '\0') + le(type, 2) + le(machine, 2) + le(1, 4) + le(0, 8) +
         le(segments_at, 8) + le(sections_at, 8) + le(0, 4) + le(64, 2) + le(56, 2) +
         le(segments, 2) + le(64, 2) + le(sections, 2) + le(names, 2);
}

inline std::string section_row(std::uint64_t name, const ElfPart& part, std::uint64_t offset) {
  const std::uint64_t bytes = part.claimed == ~0ULL ? part.bytes.size() : part.claimed;
  return le(name, 4) + le(part.type, 4) + le(0, 8) + le(part.address, 8) + le(offset, 8) +
         le(bytes, 8) + le(0, 4) + le(0, 4) + le(1, 8) + le(part.row_bytes, 8);
}

// Sections, their names behind them, and the table at the end. `extended`: their number and that of
// the names are in the first row.
inline std::string elf_of_sections(unsigned machine, std::vector<ElfPart> parts,
                                   bool extended = false) {
  std::string names(1, '\0');
  std::string rows(64, '\0');
  std::string body;
  parts.push_back({".shstrtab", 3, 0, {}});
  for (ElfPart& each : parts) {
    const std::uint64_t name = names.size();
    names += each.name + '\0';
    if (&each == &parts.back()) each.bytes = names;
    rows += section_row(name, each, 64 + body.size());
    body += each.bytes;
  }
  const std::uint64_t count = parts.size() + 1;
  if (extended) rows.replace(32, 12, le(count, 8) + le(count - 1, 4));
  return elf_header(machine, 0, 0, 64 + body.size(), extended ? 0U : static_cast<unsigned>(count),
                    extended ? 0xffffU : static_cast<unsigned>(count - 1)) +
         body + rows;
}

inline std::string segment_row(const ElfPart& part, std::uint64_t offset) {
  const std::uint64_t bytes = part.claimed == ~0ULL ? part.bytes.size() : part.claimed;
  return le(part.type, 4) + le(6, 4) + le(offset, 8) + le(part.address, 8) + le(0, 8) +
         le(bytes, 8) + le(bytes, 8) + le(12, 8);
}

// Program headers, then the bytes of the segments.
inline std::string elf_of_segments(unsigned machine, const std::vector<ElfPart>& parts) {
  std::string rows;
  std::string body;
  for (const ElfPart& each : parts) {
    rows += segment_row(each, 64 + 56 * parts.size() + body.size());
    body += each.bytes;
  }
  return elf_header(machine, 64, static_cast<unsigned>(parts.size()), 0, 0, 0) + rows + body;
}

}  // namespace slabscope::tests
