// What the build embeds is what schemas/ holds: all of it, byte for byte, sorted by name.
#include <doctest/doctest.h>
#include <slabscope/layout/embedded.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace {

using Files = std::map<std::string, std::string>;

Files files_on_disk(const std::filesystem::path& folder, std::string_view extension) {
  Files found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (!name.ends_with(extension)) continue;
    name.resize(name.size() - extension.size());
    std::ifstream file(entry.path(), std::ios::binary);
    found[name] = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  return found;
}

void check_same(std::span<const slabscope::EmbeddedFile> embedded, const Files& on_disk) {
  CHECK(std::ranges::is_sorted(embedded, {}, &slabscope::EmbeddedFile::name));
  Files found;
  for (const auto& file : embedded) found.emplace(file.name, file.text);
  CHECK(found.size() == embedded.size());
  CHECK(found == on_disk);
}

const std::filesystem::path schemas = std::filesystem::path(SLABSCOPE_TESTS_DIR) / "../schemas";

}  // namespace

TEST_CASE("every layout in schemas/layouts is embedded") {
  CHECK_FALSE(slabscope::embedded_layouts().empty());
  check_same(slabscope::embedded_layouts(), files_on_disk(schemas / "layouts", ".json"));
}

TEST_CASE("every schema in schemas is embedded") {
  check_same(slabscope::embedded_schemas(), files_on_disk(schemas, ".schema.json"));
}
