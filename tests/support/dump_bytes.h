// Dumps of tests: files in memory, and what their regions hold.
#pragma once

#include <slabscope/dump/container.h>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

namespace slabscope::tests {

// Owns its bytes, and hands out at most `most` of them a call.
class OwnedAccess final : public RandomAccess {
 public:
  explicit OwnedAccess(std::string bytes, std::size_t most = ~std::size_t{0})
      : bytes_(std::move(bytes)), most_(most) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    read_ += 1;
    MemoryAccess inside(std::as_bytes(std::span(bytes_)));
    return inside.read_at(offset, into.first(std::min(into.size(), most_)));
  }
  [[nodiscard]] std::uint64_t reads() const noexcept { return read_; }

 private:
  std::string bytes_;
  std::size_t most_;
  std::uint64_t read_ = 0;
};

inline std::shared_ptr<RandomAccess> file_of(std::string bytes) {
  return std::make_shared<OwnedAccess>(std::move(bytes));
}

inline Result<std::unique_ptr<Container>> opened(std::string bytes,
                                                 const ContainerHints& hints = {}) {
  return open_container(file_of(std::move(bytes)), {}, hints);
}

// Everything, read in pieces of `piece` bytes.
inline Result<std::string> read_all(RandomAccess& from, std::size_t piece = 4096) {
  std::string text(from.size(), '\0');
  std::uint64_t done = 0;
  while (done < text.size()) {
    const auto rest = std::as_writable_bytes(std::span(text)).subspan(done);
    SLABSCOPE_TRY_ASSIGN(count, from.read_at(done, rest.first(std::min(piece, rest.size()))));
    if (count == 0) break;
    done += count;
  }
  text.resize(done);
  return text;
}

inline std::size_t region_index(const Container& container, std::string_view name) {
  const auto regions = container.regions();
  for (std::size_t index = 0; index < regions.size(); ++index)
    if (regions[index].name == name) return index;
  FAIL("there is no region " << name);
  return 0;
}

inline const Region& region(const Container& container, std::string_view name) {
  return container.regions()[region_index(container, name)];
}

inline std::string bytes_of(Container& container, std::string_view name) {
  auto source = container.open(region_index(container, name));
  REQUIRE(source);
  auto bytes = read_all(**source);
  REQUIRE(bytes);
  return *bytes;
}

// An unsigned number of `width` bytes, little-endian.
inline std::string le(std::uint64_t value, unsigned width) {
  std::string bytes;
  for (unsigned index = 0; index < width; ++index)
    bytes += static_cast<char>(value >> (8 * index) & 0xff);
  return bytes;
}

// Numbers of `width` bytes each.
inline std::string numbers(std::initializer_list<std::uint64_t> values, unsigned width) {
  std::string bytes;
  for (const std::uint64_t each : values) bytes += le(each, width);
  return bytes;
}

}  // namespace slabscope::tests
