#include "regions.h"

#include <slabscope/report/regions_report.h>

namespace slabscope::app {

std::string container_names() {
  std::string text;
  for (const ContainerKind* const each : container_kinds())
    text += (text.empty() ? "" : ", ") + std::string(each->name);
  return text;
}

namespace {

// How many bytes there are is known only by reading them: what comes out of a compressed file, a
// pipe.
Result<std::uint64_t> count_bytes(Dump& dump) {
  if (dump.file.stream != nullptr) return dump.file.stream->skip(unknown_bytes);
  SLABSCOPE_TRY_ASSIGN(bytes, dump.container->open(0));
  const std::uint64_t size = bytes->size();
  std::byte behind{};
  SLABSCOPE_TRY(bytes->read_at(size, {&behind, 1}));
  return size;
}

}  // namespace

Result<ExitCode> run_regions(const RegionsOptions& options, Host& host) {
  if (options.format != "table" && options.format != "json")
    return fail(unknown_format(options.format, "table, json"));
  SLABSCOPE_TRY_ASSIGN(dump, open_dump(options, host));
  SLABSCOPE_TRY(stated_base(options, *dump.container));
  RegionsReport report{options.dump, *dump.container};
  const auto regions = dump.container->regions();
  if (!regions.empty() && regions.front().bytes == unknown_bytes) {
    Result<std::uint64_t> counted = count_bytes(dump);
    if (!counted && counted.error().file.empty()) counted.error().file = options.dump;
    if (!counted) return fail(std::move(counted).error());
    report.unknown = *counted;
  }
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  if (options.format == "json")
    report.write_json(text);
  else
    report.write_table(text);
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

}  // namespace slabscope::app
