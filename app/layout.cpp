#include "layout.h"

#include <slabscope/layout/catalog.h>
#include <slabscope/report/layout_report.h>

namespace slabscope::app {
Result<ExitCode> run_layout(const LayoutOptions& options, Host& host) {
  const bool as_json = options.format == "json";
  if (!as_json && options.format != "table")
    return fail(unknown_format(options.format, "table, json"));
  if (options.list && options.layout)
    return fail(ErrorCode::usage, "--list shows all built-in layouts and takes no name");
  if (options.list || !options.layout) {
    if (!options.params.empty())
      return fail(ErrorCode::usage, "-D needs a layout to set parameters of");
    std::vector<DescriptionPtr> catalog;
    for (const std::string_view name : builtin_layout_names()) {
      SLABSCOPE_TRY_ASSIGN(description, builtin_layout(name));
      catalog.push_back(description);
    }
    return print(as_json ? catalog_json(catalog) : catalog_table(catalog), options.output, host);
  }
  SLABSCOPE_TRY_ASSIGN(description, load_layout(*options.layout, "LAYOUT", host));
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(rows, parse_count(options.rows));
  SLABSCOPE_TRY_ASSIGN(made, outline(description, params, rows));
  for (const Error& each : made.warnings) host.tell(Severity::warning, each);
  return print(as_json ? layout_json(made) : layout_table(made), options.output, host);
}

}  // namespace slabscope::app
