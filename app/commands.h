// The commands: their options as they come from the command line, and the functions that run them.
#pragma once

#include "arguments.h"
#include "host.h"

#include <optional>
#include <string>
#include <vector>

namespace slabscope::app {

enum class ExitCode : int { done = 0, findings = 1 };  // errors bring their own

struct PackOptions {
  std::string rows = "-";
  std::optional<std::string> layout;
  std::vector<std::string> params;
  NumberOption region_bytes{"--region-bytes", {}};
  NumberOption stride{"--stride", {}};
  std::optional<std::string> into;
  NumberOption offset{"--offset", {}};
  NumberOption max_slab_bytes{"--max-slab-bytes", {}};
  std::optional<std::string> output;
  bool strict = false;
  bool force = false;
};

struct DecodeOptions {
  std::string dump = "-";
  std::string layout;
  std::vector<std::string> params;
  NumberOption live{"--live", {}};
  NumberOption padded{"--padded", {}};
  NumberOption offset{"--offset", {}};
  NumberOption length{"--length", {}};
  NumberOption stride{"--stride", {}};
  NumberOption count{"--count", {}};
  NumberOption max_slab_bytes{"--max-slab-bytes", {}};
  bool trim = false;
  bool no_residue = false;
  std::optional<std::string> format;
  std::string output = "-";
};

struct LayoutOptions {
  std::optional<std::string> layout;
  std::vector<std::string> params;
  NumberOption rows{"--rows", {}};
  bool list = false;
  std::string format = "table";
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_pack(const PackOptions& options, Host& host);
[[nodiscard]] Result<ExitCode> run_decode(const DecodeOptions& options, Host& host);
[[nodiscard]] Result<ExitCode> run_layout(const LayoutOptions& options, Host& host);

}  // namespace slabscope::app
