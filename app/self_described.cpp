#include "self_described.h"

#include <slabscope/dump/self_description.h>

namespace slabscope::app {
namespace {

// What is given goes before what the dump says.
void take(const SelfDescription& said, DumpOptions& options) {
  options.layout = said.layout;
  std::vector<std::string> params;
  for (const Assignment& each : said.params)
    params.push_back(each.name + "=" + std::to_string(each.value));
  params.insert(params.end(), options.params.begin(), options.params.end());
  options.params = std::move(params);
  if (said.live_rows && !options.live.text) options.live.text = std::to_string(*said.live_rows);
  if (said.offset && !options.offset.text && !options.address.text)
    options.offset.text = std::to_string(*said.offset);
}

}  // namespace

Result<DumpFile> take_self_description(DumpOptions& options, Host& host, DumpFile file) {
  if (!options.layout.empty() || options.arena || options.tensors) return file;
  SLABSCOPE_TRY_ASSIGN(settled, settle(options, host, std::move(file)));
  if (settled.access == nullptr) return std::move(settled);
  SLABSCOPE_TRY_ASSIGN(dump, open_dump(options, host, DumpFile{settled.access, nullptr}));
  auto said = self_description(dump.container->facts());
  if (!said) {
    said.error().file = options.dump;
    return fail(std::move(said).error());
  }
  if (*said) take(**said, options);
  return std::move(settled);
}

}  // namespace slabscope::app
