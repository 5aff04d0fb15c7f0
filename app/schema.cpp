#include "schema.h"

#include <slabscope/report/schema_report.h>

namespace slabscope::app {

Result<ExitCode> run_schema(const SchemaOptions& options, Host& host) {
  const bool as_table = options.format.value_or(options.name ? "json" : "table") == "table";
  if (!as_table && options.format.value_or("json") != "json")
    return fail(unknown_format(*options.format, "json, table"));
  if (!options.name && !as_table)
    return fail(ErrorCode::usage, "name the schema that is to be printed");
  if (options.name && as_table && *options.name != "error")
    return fail(ErrorCode::usage, "only the codes of 'error' have a table");
  if (as_table)
    return print(options.name ? error_code_table() : schema_table(), options.output, host);
  SLABSCOPE_TRY_ASSIGN(text, schema_text(*options.name));
  return print(text, options.output, host);
}

}  // namespace slabscope::app
