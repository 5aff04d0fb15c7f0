// Text dumps in memory.
#pragma once

#include <slabscope/dump/container.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace slabscope::tests {

// `text` must outlive the container.
inline Result<std::unique_ptr<Container>> open_text_dump_at(
    std::string_view text, const ContainerHints& hints = {},
    std::optional<std::string_view> kind = std::nullopt) {
  return open_container(std::make_shared<MemoryAccess>(std::as_bytes(std::span(text))), kind,
                        hints);
}

// A copy of `text`.
inline Result<std::unique_ptr<Container>> open_text_dump(
    std::string_view text, const ContainerHints& hints = {},
    std::optional<std::string_view> kind = std::nullopt) {
  Buffer copy;
  copy.append(std::as_bytes(std::span(text)));
  return open_container(std::make_shared<HeldAccess>(std::move(copy)), kind, hints);
}

// All bytes of a region, read `piece` bytes at a time.
inline std::string text_dump_bytes(Container& container, std::size_t region, std::size_t piece) {
  const auto bytes = container.open(region);
  REQUIRE(bytes);
  std::string all((*bytes)->size(), '\0');
  for (std::size_t done = 0; done < all.size();) {
    auto rest = std::as_writable_bytes(std::span(all)).subspan(done);
    const auto count = (*bytes)->read_at(done, rest.first(std::min(piece, rest.size())));
    REQUIRE(count);
    REQUIRE(*count > 0);
    done += *count;
  }
  return all;
}

}  // namespace slabscope::tests
