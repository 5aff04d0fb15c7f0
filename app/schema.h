// slabscope schema: the JSON Schemas of all documents and outputs.
#pragma once

#include "command.h"

namespace slabscope::app {

struct SchemaOptions {
  std::optional<std::string> name;
  std::optional<std::string> format;
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_schema(const SchemaOptions& options, Host& host);

}  // namespace slabscope::app
