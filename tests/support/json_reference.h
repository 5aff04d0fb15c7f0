// The independent JSON reader of tests and fuzz targets: nlohmann behind a small tree, so that its
// header is compiled in one file only.
#pragma once

#include <slabscope/base/checked.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

struct JsonReference {
  // unknown: the text holds a number past a double, which nlohmann does not read on from.
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object, unknown };
  Kind kind = Kind::null;
  bool boolean = false;
  int128 integer = 0;
  std::string string{};
  std::vector<std::string> keys{};        // of an object, in order, also when one comes twice
  std::vector<JsonReference> children{};  // of a list; of an object beside its keys

  // The member `key`, the first of that name. Throws std::out_of_range when there is none, which
  // fails a test.
  [[nodiscard]] const JsonReference& operator[](std::string_view key) const;
  [[nodiscard]] const JsonReference& operator[](std::size_t index) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool has_key_twice() const;
};

bool reference_accepts(std::string_view text);
// Deeper texts are not accepted by read_reference: a tree of any depth could not be taken down
// again.
inline constexpr std::size_t max_reference_depth = 200;
// Nothing when the text is not accepted.
std::optional<JsonReference> read_reference(std::string_view text);

}  // namespace slabscope::tests
