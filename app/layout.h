// slabscope layout: where everything stands in a layout, at given parameters.
#pragma once

#include "command.h"

namespace slabscope::app {

struct LayoutOptions {
  std::optional<std::string> layout;
  std::vector<std::string> params;
  NumberOption rows{"--rows", {}};
  std::optional<std::string> fit;
  NumberOption region_bytes{"--region-bytes", {}};
  std::optional<std::string> compare;
  std::vector<std::string> compare_params;
  std::optional<std::string> arena;
  std::vector<std::string> locate;  // offsets, or addresses
  NumberOption base{"--base", {}};
  bool list = false;
  std::string format = "table";
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_layout(const LayoutOptions& options, Host& host);

}  // namespace slabscope::app
