// Core dumps of CUDA GPUs: ELF files in which everything is in sections, found by their type. After
// NVIDIA's "Public format description of the CUDA coredump".
#include <slabscope/dump/elf.h>
#include <slabscope/dump/kinds.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/base/little_endian.h>

#include <algorithm>
#include <array>
#include <optional>

namespace slabscope {
namespace {

// sh_type.
constexpr std::uint32_t managed_memory = 0x80000001;
constexpr std::uint32_t global_memory = 0x80000002;
constexpr std::uint32_t local_memory = 0x80000003;
constexpr std::uint32_t shared_memory = 0x80000004;
constexpr std::uint32_t device_table = 0x80000009;
constexpr std::uint32_t context_table = 0x8000000a;
constexpr std::uint32_t param_memory = 0x80000012;
constexpr std::uint32_t meta = 0x80000016;
constexpr std::uint32_t elf_texts = 3;

// Rows and tables that are told; dumps have a few of each.
constexpr std::size_t max_tables = 64;
constexpr std::uint64_t max_rows = 64;

struct MemoryKind {
  std::uint32_t type;
  std::string_view name;
  bool has_address;
};
constexpr std::array memory_kinds = {
    MemoryKind{managed_memory, "managed", true}, MemoryKind{global_memory, "global", true},
    MemoryKind{local_memory, "local", false},    MemoryKind{shared_memory, "shared", false},
    MemoryKind{param_memory, "param", false},
};

constexpr std::uint32_t skip_global_memory = 2;
struct Flag {
  std::uint32_t bit;
  std::string_view name;
};
constexpr std::array flags = {
    Flag{1U << 0U, "skip_nonrelocated_elf_images"},
    Flag{skip_global_memory, "skip_global_memory"},
    Flag{1U << 2U, "skip_shared_memory"},
    Flag{1U << 3U, "skip_local_memory"},
    Flag{1U << 4U, "skip_abort"},
    Flag{1U << 5U, "skip_constbank_memory"},
    Flag{1U << 6U, "gzip_compress"},
    Flag{1U << 7U, "faulted_contexts_only"},
    Flag{1U << 30U, "no_errbar_at_exit"},
    Flag{1U << 31U, "log_only"},
};

std::string flags_text(std::uint32_t value) {
  std::string names;
  for (const Flag& each : flags)
    if ((value & each.bit) != 0) names.append(names.empty() ? " (" : ", ").append(each.name);
  return hex_text(value) + names + (names.empty() ? "" : ")");
}

std::uint32_t u32(std::span<const std::byte> row, std::size_t at) {
  return load_little_endian<std::uint32_t>(row.data() + at);
}
std::uint64_t u64(std::span<const std::byte> row, std::size_t at) {
  return load_little_endian<std::uint64_t>(row.data() + at);
}

// Addresses from `base` on are no global memory, how far is not said.
struct AddressWindow {
  std::string_view memory;
  std::uint64_t context;
  std::uint64_t base;
};

class CudaCore final : public Container {
 public:
  explicit CudaCore(ElfFile elf) : elf_(std::move(elf)) {}

  std::string_view name() const noexcept override { return cuda_core_kind.name; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::span<const ContainerFact> facts() const noexcept override { return facts_; }
  std::string_view remark() const noexcept override { return remark_; }

  bool says_addresses() const noexcept override { return true; }
  std::string explain(std::uint64_t address) const override {
    constexpr std::uint64_t near = std::uint64_t{1} << 24;
    for (const AddressWindow& each : windows_)
      if (address >= each.base && address - each.base < near)
        return "the window of " + std::string(each.memory) + " memory of context " +
               hex_text(each.context) + " begins at " + hex_text(each.base) +
               ", and that is no global memory";
    return remark_;
  }

  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    const Region& each = regions_[region];
    return std::make_shared<SliceAccess>(elf_.file(), *each.file_offset, each.bytes - each.missing);
  }

  Result<void> read() {
    SLABSCOPE_TRY(elf_.each_section([this](const ElfSection& each) { take(each); }));
    if (meta_) SLABSCOPE_TRY(read_rows(*meta_, 32, [this](auto row) { return take_meta(row); }));
    for (const ElfSection& each : devices_)
      SLABSCOPE_TRY(read_rows(each, 72, [this](auto row) { return take_device(row); }));
    for (const ElfSection& each : contexts_)
      SLABSCOPE_TRY(read_rows(each, 32, [this](auto row) { return take_context(row); }));
    SLABSCOPE_TRY(name_regions());
    explain_absence();
    return {};
  }

 private:
  void take(const ElfSection& section) {
    if (section.type == meta && !meta_) meta_ = section;
    if (section.type == device_table && devices_.size() < max_tables) devices_.push_back(section);
    if (section.type == context_table && contexts_.size() < max_tables)
      contexts_.push_back(section);
    if (section.type == elf_texts && !elf_.is_names(section) && !texts_) texts_ = section;
    const auto found =
        std::find_if(memory_kinds.begin(), memory_kinds.end(),
                     [&](const MemoryKind& each) { return each.type == section.type; });
    if (found == memory_kinds.end()) return;
    Region made = elf_.region({}, std::string(found->name), section.offset, section.bytes);
    if (found->has_address) made.address = section.address;
    made.must_be_named = !found->has_address;
    has_global_ = has_global_ || found->has_address;
    regions_.push_back(std::move(made));
    names_.push_back({section.name, section.index});
  }

  // Rows grow from driver to driver: how long they are is in the section, and only what is in
  // `least` bytes is read.
  template <class Take>
  Result<void> read_rows(const ElfSection& section, std::uint64_t least, const Take& take_row) {
    if (section.row_bytes < least) return {};
    const std::uint64_t rows = std::min(section.bytes / section.row_bytes, max_rows);
    std::array<std::byte, 72> row;
    for (std::uint64_t index = 0; index < rows; ++index) {
      const auto at = checked_add(section.offset, index * section.row_bytes);
      if (!at) break;
      const auto bytes = std::span(row).first(least);
      SLABSCOPE_TRY(read_exactly_at(*elf_.file(), *at, bytes, "a table of the core dump"));
      SLABSCOPE_TRY(take_row(std::span<const std::byte>(bytes)));
    }
    return {};
  }

  [[nodiscard]] Result<std::string> text(std::uint64_t offset) const {
    return texts_ ? elf_.text(*texts_, offset) : std::string();
  }

  Result<void> take_meta(std::span<const std::byte> row) {
    if (flags_) return {};
    flags_ = u32(row, 24);
    SLABSCOPE_TRY_ASSIGN(generator, text(u64(row, 0)));
    if (!generator.empty()) facts_.push_back({"generator", generator});
    facts_.push_back({"driver", std::to_string(u32(row, 8)) + "." + std::to_string(u32(row, 12))});
    facts_.push_back({"cuda", std::to_string(u32(row, 16)) + "." + std::to_string(u32(row, 20))});
    facts_.push_back({"flags", flags_text(*flags_)});
    facts_.push_back({"unix time", std::to_string(u32(row, 28))});
    return {};
  }

  Result<void> take_device(std::span<const std::byte> row) {
    SLABSCOPE_TRY_ASSIGN(name, text(u64(row, 0)));
    SLABSCOPE_TRY_ASSIGN(type, text(u64(row, 16)));
    facts_.push_back({"device " + std::to_string(u32(row, 24)),
                      name + ", " + type + ", " + counted(u32(row, 36), "SM")});
    return {};
  }

  Result<void> take_context(std::span<const std::byte> row) {
    const std::uint64_t context = u64(row, 0);
    for (const auto& [memory, base] :
         {std::pair("shared", u64(row, 8)), std::pair("local", u64(row, 16))}) {
      if (base == 0) continue;
      windows_.push_back({memory, context, base});
      facts_.push_back({std::string(memory) + " window of context " + hex_text(context),
                        "from " + hex_text(base)});
    }
    return {};
  }

  Result<void> name_regions() {
    for (std::size_t index = 0; index < regions_.size(); ++index) {
      SLABSCOPE_TRY_ASSIGN(name, elf_.name(names_[index].name));
      regions_[index].name =
          name.empty() ? "section " + std::to_string(names_[index].section) : name;
    }
    return {};
  }

  void explain_absence() {
    if (has_global_) return;
    remark_ = "there is no global memory in this dump";
    if (flags_ && (*flags_ & skip_global_memory) != 0)
      remark_ += ": it was taken with skip_global_memory (flags " + hex_text(*flags_) +
                 "); take it again without that flag, or dump the slab itself";
    else
      remark_ += ": it has no sections of it";
  }

  struct SectionName {
    std::uint32_t name;
    std::uint64_t section;
  };

  ElfFile elf_;
  std::vector<Region> regions_;
  std::vector<SectionName> names_;  // of regions_
  std::vector<ContainerFact> facts_;
  std::vector<AddressWindow> windows_;
  std::string remark_;
  bool has_global_ = false;
  std::optional<std::uint32_t> flags_;
  std::optional<ElfSection> meta_;
  std::optional<ElfSection> texts_;
  std::vector<ElfSection> devices_;
  std::vector<ElfSection> contexts_;
};

bool is_cuda(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return ElfFile::recognises(first) && ElfFile::machine(first) == elf_machine_cuda;
}

Result<std::unique_ptr<Container>> open_cuda_core(std::shared_ptr<RandomAccess> file,
                                                  const ContainerHints& hints) {
  SLABSCOPE_TRY_ASSIGN(elf, ElfFile::open(std::move(file), hints.limits));
  if (elf.header().machine != elf_machine_cuda)
    return fail(error(ErrorCode::bad_container, "this ELF file is of another machine than CUDA")
                    .with(std::to_string(elf.header().machine), std::to_string(elf_machine_cuda))
                    .at_offset(18));
  if (elf.header().type != elf_core)
    return fail(error(ErrorCode::unsupported_container,
                      "this is a CUDA program (a cubin), and no core dump")
                    .with(std::to_string(elf.header().type), std::to_string(elf_core))
                    .at_offset(16));
  auto made = std::make_unique<CudaCore>(std::move(elf));
  SLABSCOPE_TRY(made->read());
  return made;
}

}  // namespace

constinit const ContainerKind cuda_core_kind = {"cuda-core", "a core dump of a CUDA GPU", is_cuda,
                                                open_cuda_core};

}  // namespace slabscope
