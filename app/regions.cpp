#include "regions.h"

#include <slabscope/report/regions_report.h>

namespace slabscope::app {

std::string container_names() {
  std::string text;
  for (const ContainerKind* const each : container_kinds())
    text += (text.empty() ? "" : ", ") + std::string(each->name);
  return text;
}

Result<ExitCode> run_regions(const RegionsOptions& options, Host& host) {
  if (options.format != "table" && options.format != "json")
    return fail(unknown_format(options.format, "table, json"));
  SLABSCOPE_TRY_ASSIGN(dump, open_dump(options, host));
  const RegionsReport report{options.dump, *dump.container};
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
