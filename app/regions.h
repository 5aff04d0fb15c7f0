// slabscope regions: what a dump file holds.
#pragma once

#include "command.h"
#include "dump_bytes.h"

namespace slabscope::app {

struct RegionsOptions : RegionOptions {
  std::string format = "table";
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_regions(const RegionsOptions& options, Host& host);

// "raw, gzip, ..".
[[nodiscard]] std::string container_names();

}  // namespace slabscope::app
