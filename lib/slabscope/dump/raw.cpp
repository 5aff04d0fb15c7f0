// A file that is nothing but memory.
#include <slabscope/dump/kinds.h>

namespace slabscope {
namespace {

class Raw final : public Container {
 public:
  Raw(std::shared_ptr<RandomAccess> file, std::optional<std::uint64_t> base)
      : file_(std::move(file)), region_{{},   "raw",
                                        base, file_->known_size().value_or(unknown_bytes),
                                        0,    {}} {}

  std::string_view name() const noexcept override { return raw_kind.name; }
  std::span<const Region> regions() const noexcept override { return {&region_, 1}; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t /*region*/) override { return file_; }

 private:
  std::shared_ptr<RandomAccess> file_;
  Region region_;
};

Result<std::unique_ptr<Container>> open_raw(std::shared_ptr<RandomAccess> file,
                                            const ContainerHints& hints) {
  return std::make_unique<Raw>(std::move(file), hints.base);
}

bool recognises_anything(std::span<const std::byte> /*first*/, std::uint64_t /*size*/) noexcept {
  return true;
}

}  // namespace

constinit const ContainerKind raw_kind = {"raw", "memory and nothing else", recognises_anything,
                                          open_raw};

}  // namespace slabscope
