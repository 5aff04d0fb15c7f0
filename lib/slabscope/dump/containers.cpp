#include <slabscope/dump/container.h>
#include <slabscope/dump/kinds.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

namespace slabscope {
namespace {

// The first kind that recognises a file opens it.
// clang-format off
constexpr std::array kinds = {
    &gzip_kind,       // what others may be in
    &zstd_kind,
    &xz_kind,
    &bzip2_kind,
    &lz4_kind,
    &archive_kind,
    &cuda_core_kind,  // before other ELF files
    &elf_core_kind,
    &npy_kind,
    &npz_kind,
    &torch_kind,
    &zip_kind,        // what is neither of the two
    &pickle_kind,
    &safetensors_kind,
    &hexdump_kind,
    &xxd_kind,
    &xxd_words_kind,
    &xxd_plain_kind,
    &gdb_x_kind,
    &verilog_kind,
    &octal_kind,
    &hex_words_kind,
    &ihex_kind,
    &srec_kind,
    &symbolsrec_kind,
    &tekhex_kind,
    &xxd_include_kind,
    &text_kind,       // what is no text that is read
    &raw_kind,        // whatever is left
};
// clang-format on

Result<std::unique_ptr<Container>> open_named(std::shared_ptr<RandomAccess> file,
                                              std::string_view kind, ContainerHints hints) {
  const std::size_t slash = kind.find('/');
  hints.is_kind_given = true;
  if (slash != std::string_view::npos) hints.inner_kind = kind.substr(slash + 1);
  std::string known;
  for (const ContainerKind* const each : kinds) {
    if (each->name == kind.substr(0, slash) && (each->is_compression || !hints.inner_kind))
      return each->open(std::move(file), hints);
    known += (known.empty() ? "" : ", ") + std::string(each->name);
  }
  return fail(error(ErrorCode::unknown_container, "there is no container of this name")
                  .with(printable(kind), known));
}

}  // namespace

std::string base_of_several(std::string_view what) {
  return "each of these " + std::string(what) +
         " has an address of its own, and the base is that of the one that is named";
}

std::vector<std::string> region_names(std::span<const Region> regions) {
  struct Count {
    std::size_t all = 0;
    std::size_t number = 0;  // of the last one named
  };
  std::unordered_map<std::string_view, Count> counts;
  for (const Region& each : regions) ++counts[each.name].all;
  std::vector<std::string> names;
  names.reserve(regions.size());
  for (const Region& each : regions) {
    Count& count = counts.find(each.name)->second;
    std::string name = each.name;
    // A region may be called "a#2" beside two of "a".
    while (count.all > 1 && counts.contains(name))
      name = each.name + "#" + std::to_string(++count.number);
    names.push_back(std::move(name));
  }
  return names;
}

std::span<const ContainerKind* const> container_kinds() noexcept { return kinds; }

const ContainerKind& recognise(std::span<const std::byte> first, std::uint64_t size) noexcept {
  for (const ContainerKind* const each : kinds)
    if (each->recognises(first, size)) return *each;
  return raw_kind;
}

Result<std::unique_ptr<Container>> open_container(std::shared_ptr<RandomAccess> file,
                                                  std::optional<std::string_view> kind,
                                                  const ContainerHints& hints) {
  if (kind) return open_named(std::move(file), *kind, hints);
  SLABSCOPE_TRY_ASSIGN(recognised, recognise(*file));
  ContainerHints open = hints;
  open.is_kind_given = false;
  return recognised->open(std::move(file), open);
}

Result<const ContainerKind*> recognise(RandomAccess& file) {
  std::array<std::byte, container_magic_bytes> buffer;
  std::size_t held = 0;
  while (held < buffer.size()) {
    const auto count = file.read_at(held, std::span(buffer).subspan(held));
    if (!count && held == 0) return fail(count.error());
    if (!count || *count == 0) break;  // what is wrong is met again by whoever reads there
    held += *count;
  }
  const auto first = std::span<const std::byte>(buffer).first(held);
  return &recognise(first, file.known_size().value_or(unknown_bytes));
}

}  // namespace slabscope
