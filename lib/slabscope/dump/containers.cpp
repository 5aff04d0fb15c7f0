#include <slabscope/dump/container.h>
#include <slabscope/dump/kinds.h>

#include <array>
#include <string>

namespace slabscope {
namespace {

// The first kind that recognises a file opens it.
constexpr std::array kinds = {
    &raw_kind,
};

}  // namespace

std::span<const ContainerKind* const> container_kinds() noexcept { return kinds; }

Result<std::unique_ptr<Container>> open_container(std::shared_ptr<RandomAccess> file,
                                                  std::optional<std::string_view> kind,
                                                  const ContainerHints& hints) {
  std::array<std::byte, container_magic_bytes> buffer;
  std::size_t held = 0;
  while (held < buffer.size()) {
    SLABSCOPE_TRY_ASSIGN(count, file->read_at(held, std::span(buffer).subspan(held)));
    if (count == 0) break;
    held += count;
  }
  const auto first = std::span<const std::byte>(buffer).first(held);
  std::string known;
  for (const ContainerKind* const each : kinds) {
    if (kind ? each->name == *kind : each->recognises(first, file->size()))
      return each->open(std::move(file), hints);
    known += (known.empty() ? "" : ", ") + std::string(each->name);
  }
  return fail(error(ErrorCode::unknown_container, "there is no container of this name")
                  .with(printable(*kind), known));
}

}  // namespace slabscope
