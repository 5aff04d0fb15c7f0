#include <slabscope/layout/catalog.h>

#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/embedded.h>

namespace slabscope {

std::vector<std::string_view> builtin_layout_names() {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& each : embedded_layouts()) names.push_back(each.name);
  return names;
}

Result<DescriptionPtr> builtin_layout(std::string_view name) {
  std::string known;
  for (const EmbeddedFile& each : embedded_layouts()) {
    if (each.name == name) {
      MemorySource source(each.text);
      return read_description(source, "builtin:" + std::string(name));
    }
    known.append(known.empty() ? "" : ", ").append(each.name);
  }
  return fail(
      error(ErrorCode::unknown_layout,
            "there is no built-in layout of this name; a layout of your own is given as a file "
            "on the command line (--layout FILE.json)")
          .with(printable(name, 80), known));
}

}  // namespace slabscope
