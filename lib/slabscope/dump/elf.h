// The headers and tables of an ELF file of 64 bits, little-endian. Knows no machine. Tables are
// read in pieces, and none is believed to be longer than the file.
#pragma once

#include <slabscope/dump/container.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace slabscope {

inline constexpr std::uint16_t elf_core = 4;          // ElfHeader::type
inline constexpr std::uint16_t elf_machine_x86 = 62;  // ElfHeader::machine
inline constexpr std::uint16_t elf_machine_cuda = 190;
inline constexpr std::uint16_t elf_machine_amdgpu = 224;

struct ElfHeader {
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
};

struct ElfSection {
  std::uint64_t index = 0;
  std::uint32_t name = 0;  // an offset in the section of names
  std::uint32_t type = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t bytes = 0;
  std::uint64_t row_bytes = 0;  // sh_entsize
};

struct ElfSegment {
  std::uint64_t index = 0;
  std::uint32_t type = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t address = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t memory_bytes = 0;
};

class ElfFile {
 public:
  // Is this how an ELF file begins?
  [[nodiscard]] static bool recognises(std::span<const std::byte> first) noexcept;
  // Of a file that is recognised.
  [[nodiscard]] static std::uint16_t machine(std::span<const std::byte> first) noexcept;

  // Errors: bad_container (truncated tables among them), unsupported_container (32 bits,
  // big-endian), limit_exceeded, and those of the file.
  static Result<ElfFile> open(std::shared_ptr<RandomAccess> file, const ContainerLimits& limits);

  [[nodiscard]] const ElfHeader& header() const noexcept { return header_; }
  [[nodiscard]] Result<void> each_section(const std::function<void(const ElfSection&)>& take) const;
  [[nodiscard]] Result<void> each_segment(const std::function<void(const ElfSegment&)>& take) const;
  // The text at an offset in the section of names or another one of texts; empty where there is
  // none that ends.
  [[nodiscard]] Result<std::string> name(std::uint64_t offset) const {
    return text(names_, offset);
  }
  [[nodiscard]] Result<std::string> text(const ElfSection& texts, std::uint64_t offset) const;
  [[nodiscard]] bool is_names(const ElfSection& section) const noexcept {
    return section.index == names_.index;
  }
  // A region at an address; `bytes` stand at `offset` of the file, as far as it reaches.
  [[nodiscard]] Region region(std::string name, std::string kind, std::uint64_t offset,
                              std::uint64_t bytes) const;
  [[nodiscard]] const std::shared_ptr<RandomAccess>& file() const noexcept { return file_; }

 private:
  // Rows of one size.
  struct Table {
    std::string_view what;
    std::uint64_t offset = 0;
    std::uint64_t rows = 0;
    std::uint64_t row_bytes = 0;
  };

  explicit ElfFile(std::shared_ptr<RandomAccess> file) : file_(std::move(file)) {}
  [[nodiscard]] Result<void> read_header(const ContainerLimits& limits);
  [[nodiscard]] Result<void> check(const Table& table, std::uint64_t least_row,
                                   const ContainerLimits& limits) const;
  [[nodiscard]] Result<void> each_row(const Table& table,
                                      const std::function<void(const std::byte*)>& take) const;

  std::shared_ptr<RandomAccess> file_;
  ElfHeader header_;
  Table sections_{"the section table"};
  Table segments_{"the program headers"};
  ElfSection names_;
};

}  // namespace slabscope
