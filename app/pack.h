// slabscope pack: rows documents in, slabs out.
#pragma once

#include "command.h"

namespace slabscope::app {

struct PackOptions {
  std::string rows = "-";
  std::optional<std::string> layout;
  std::vector<std::string> params;
  NumberOption region_bytes{"--region-bytes", {}};
  NumberOption stride{"--stride", {}};
  std::optional<std::string> into;
  NumberOption offset{"--offset", {}};
  NumberOption max_slab_bytes{"--max-slab-bytes", {}};
  NumberOption jobs{"--jobs", {}};
  std::optional<std::string> output;
  bool strict = false;
  bool force = false;
  bool raw = false;  // with --into: memory, whatever it begins with
};

[[nodiscard]] Result<ExitCode> run_pack(const PackOptions& options, Host& host);

}  // namespace slabscope::app
