#include "sweep.h"

#include "golden.h"

#include <fuzz/support/property.h>

#include <doctest/doctest.h>

#include <set>

namespace slabscope::tests {

Swept sweep_document(std::string_view text) {
  RowsOptions options;
  options.max_slab_bytes = sweep_slab_bytes;
  const auto documents = read_documents(text, options);
  if (!documents) {
    fuzz::check_error(documents.error(), text, documents.error().file);
    // Nothing at all has no place.
    if (documents.error().code != ErrorCode::no_document)
      CHECK_MESSAGE(documents.error().place.line != 0, text);
    return Swept::refused;
  }
  for (const RowsDocument& document : *documents) {
    const Bytes slab = streamed(document);
    const std::string written = decoded(document.layout, slab, RowsStyle{});
    const auto again = read_document(written, options);
    REQUIRE_MESSAGE(again.has_value(), text);
    CHECK_MESSAGE(streamed(*again) == slab, text);
    CHECK_MESSAGE(decoded(again->layout, slab, RowsStyle{}) == written, text);
  }
  return Swept::accepted;
}

void sweep_bits(const std::string& document, Accepted& accepted) {
  std::string changed = document;
  for (std::size_t bit = 0; bit < 8 * document.size(); ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ mask);
    const Swept swept = sweep_document(changed);
    changed[bit / 8] = document[bit / 8];
    accepted[path_at(document, bit / 8)] += swept == Swept::accepted ? 1U : 0U;
  }
}

void sweep_lengths(const std::string& document) {
  const std::size_t end = document.find_last_of('}');
  for (std::size_t length = 0; length <= end; ++length) {
    CAPTURE(length);
    CHECK(sweep_document(std::string_view(document).substr(0, length)) == Swept::refused);
  }
  CHECK(sweep_document(std::string_view(document).substr(0, end + 1)) == Swept::accepted);
}

std::string path_at(std::string_view document, std::size_t at) {
  struct Level {
    bool is_object;
    std::string key;
  };
  std::vector<Level> levels;
  bool is_key = false;
  const auto path = [&](bool in_key) {
    std::string made;
    for (const Level& each : levels)
      if (each.is_object && !each.key.empty()) made += (made.empty() ? "" : "/") + each.key;
    return made + (in_key ? ":" : "");
  };
  for (std::size_t here = 0; here < document.size(); ++here) {
    const char each = document[here];
    if (each == '"') {
      const std::size_t end = document.find('"', here + 1);  // goldens have no escapes
      REQUIRE(end != std::string_view::npos);
      if (is_key) levels.back().key = std::string(document.substr(here + 1, end - here - 1));
      if (at <= end) return path(is_key);
      here = end;
      continue;
    }
    if (each == '{') levels.push_back({true, {}});
    if (each == '[') levels.push_back({false, {}});
    if (each == '{' || (each == ',' && levels.back().is_object)) is_key = true;
    if (each == ':') is_key = false;
    if (each == '}' || each == ']') levels.pop_back();
    if (each == ',' && !levels.empty() && levels.back().is_object) levels.back().key.clear();
    if (here == at) return path(each == ':');
  }
  return path(false);
}

std::vector<std::string> golden_documents(std::size_t most_bytes) {
  std::set<std::string> seen;
  std::vector<std::string> made;
  for (const GoldenCase& golden : golden_cases())
    if (golden.slab && !golden.document.empty() && golden.document.size() <= most_bytes &&
        seen.insert(golden.document).second)
      made.push_back(golden.document);
  return made;
}

}  // namespace slabscope::tests
