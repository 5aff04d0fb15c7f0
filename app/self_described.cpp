#include "self_described.h"

#include <slabscope/dump/self_description.h>

#include <utility>

namespace slabscope::app {
namespace {

// What is given goes before what the dump says.
void apply(const SelfDescription& said, DumpOptions& options) {
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

Result<Dump> apply_self_description(DumpOptions& options, Host& host, Dump dump) {
  if (!options.layout.empty() || options.arena || options.tensors) return dump;
  SLABSCOPE_TRY_ASSIGN(opened, open_dump(options, host, std::move(dump)));
  auto said = self_description(opened.container->facts());
  if (!said) {
    said.error().file = options.dump;
    return fail(std::move(said).error());
  }
  if (*said) apply(**said, options);
  return std::move(opened);
}

}  // namespace slabscope::app
