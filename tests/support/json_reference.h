// The tests' independent JSON reader: nlohmann behind a small tree, so that its header is compiled
// in one file only.
#pragma once

#include <slabscope/base/checked.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

struct JsonReference {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  int128 integer = 0;
  std::string string{};
  std::vector<std::string> keys{};        // of an object, in order
  std::vector<JsonReference> children{};  // of a list; of an object beside its keys

  // The member `key`; fails the test when there is none.
  [[nodiscard]] const JsonReference& operator[](std::string_view key) const;
  [[nodiscard]] const JsonReference& operator[](std::size_t index) const;
  [[nodiscard]] bool has(std::string_view key) const;
};

bool reference_accepts(std::string_view text);
// Nothing when the text is not accepted.
std::optional<JsonReference> read_reference(std::string_view text);

}  // namespace slabscope::tests
