// Core dumps by their program headers: those of AMD GPUs, and of processes on the host.
#include <slabscope/base/checked.h>
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/elf.h>
#include <slabscope/dump/kinds.h>

#include <string>

namespace slabscope {
namespace {

constexpr std::uint32_t load = 1;  // ElfSegment::type

std::string machine_text(std::uint16_t machine) {
  switch (machine) {
    case elf_machine_x86: return "x86-64";
    case elf_machine_amdgpu: return "AMD GPU";
    case 183: return "AArch64";
    default: return std::to_string(machine);
  }
}

class ElfCore final : public Container {
 public:
  explicit ElfCore(ElfFile elf) : elf_(std::move(elf)) {
    facts_.push_back({"machine", machine_text(elf_.header().machine)});
  }

  std::string_view name() const noexcept override { return elf_core_kind.name; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::span<const ContainerFact> facts() const noexcept override { return facts_; }
  bool says_addresses() const noexcept override { return true; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    const Region& each = regions_[region];
    return std::make_shared<SliceAccess>(elf_.file(), *each.file_offset, each.bytes - each.missing);
  }

  // Memory of a segment that is not in the file.
  std::string explain(std::uint64_t address) const override {
    for (const ElfSegment& each : without_bytes_) {
      const std::uint64_t at = address - each.address;
      if (address < each.address || at < each.file_bytes || at >= each.memory_bytes) continue;
      const auto end = checked_add(each.address, each.memory_bytes);
      return "it is in segment " + std::to_string(each.index) + " [" + hex_text(each.address) +
             "," + hex_text(end.value_or(~std::uint64_t{0})) + "), of which " +
             (each.file_bytes == 0 ? "no byte was" : "these bytes were not") + " dumped";
    }
    return {};
  }

  Result<void> read() {
    std::uint64_t without_bytes = 0;
    SLABSCOPE_TRY(elf_.each_segment([&](const ElfSegment& each) {
      if (each.type != load) return;
      if (each.file_bytes < each.memory_bytes) without_bytes_.push_back(each);
      if (each.file_bytes == 0) {
        ++without_bytes;
        return;
      }
      Region made =
          elf_.region("load " + std::to_string(each.index), "load", each.offset, each.file_bytes);
      made.address = each.address;
      regions_.push_back(std::move(made));
    }));
    if (without_bytes != 0)
      facts_.push_back({"segments whose bytes were not dumped", std::to_string(without_bytes)});
    if (!regions_.empty()) return {};
    return fail(
        error(ErrorCode::unsupported_container,
              "an ELF file of machine " + machine_text(elf_.header().machine) +
                  " without loaded segments holds no memory, and it is no CUDA core, which is of "
                  "machine 190")
            .at_offset(18));
  }

 private:
  ElfFile elf_;
  std::vector<Region> regions_;
  std::vector<ContainerFact> facts_;
  std::vector<ElfSegment> without_bytes_;  // for some or all of their memory
};

bool is_elf(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return ElfFile::recognises(first);
}

Result<std::unique_ptr<Container>> open_elf_core(std::shared_ptr<RandomAccess> file,
                                                 const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(elf, ElfFile::open(std::move(file), hints.limits));
  if (elf.header().type != elf_core)
    return fail(
        error(ErrorCode::unsupported_container, "this ELF file is no core dump")
            .with("type " + std::to_string(elf.header().type), "type " + std::to_string(elf_core))
            .at_offset(16));
  auto made = std::make_unique<ElfCore>(std::move(elf));
  SLABSCOPE_TRY(made->read());
  return made;
}

}  // namespace

constinit const ContainerKind elf_core_kind = {
    .name = "elf-core",
    .meaning = "a core dump of an AMD GPU or of a process",
    .recognises = is_elf,
    .open = open_elf_core,
    .is_known_by_few_bytes = true};

}  // namespace slabscope
