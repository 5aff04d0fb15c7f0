#include "self_described.h"

#include <slabscope/dump/self_description.h>
#include <slabscope/layout/catalog.h>

#include <utility>

namespace slabscope::app {
namespace {

// What is given goes before what the dump says.
void apply(SelfDescription said, DumpOptions& options) {
  for (Assignment& each : said.params) each.origin.file = options.dump;
  if (options.layout.empty()) options.layout = said.layout;
  if (said.live_rows && !options.live.text)
    options.live = {"slabscope.live_rows", std::to_string(*said.live_rows)};
  if (said.offset && !options.offset.text && !options.address.text)
    options.offset = {"slabscope.offset", std::to_string(*said.offset)};
  options.said = std::move(said);
}

// What is wrong with the layout alone is told before the dump is opened.
bool is_refused(const DumpOptions& options) {
  if (options.layout == "-") return options.dump == "-";
  return !options.layout.empty() && !is_path(options.layout) && !builtin_layout(options.layout);
}

}  // namespace

Result<Dump> apply_self_description(DumpOptions& options, Host& host, Dump dump) {
  if (options.arena || options.tensors) return dump;
  if (is_refused(options)) return dump;
  SLABSCOPE_TRY_ASSIGN(opened, open_dump(options, host, std::move(dump)));
  auto said = self_description(opened.container->facts());
  if (!said) {
    said.error().file = options.dump;
    return fail(std::move(said).error());
  }
  if (*said) apply(**std::move(said), options);
  return std::move(opened);
}

}  // namespace slabscope::app
