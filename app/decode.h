// slabscope decode: a dump in, the rows of its slabs out.
#pragma once

#include "command.h"

namespace slabscope::app {

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

[[nodiscard]] Result<ExitCode> run_decode(const DecodeOptions& options, Host& host);

}  // namespace slabscope::app
