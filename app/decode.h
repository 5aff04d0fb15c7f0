// slabscope decode: a dump in, the rows of its slabs out.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

struct DecodeOptions : DumpOptions {
  bool trim = false;
  bool no_residue = false;
  bool wide = false;     // tables: whole lists
  bool no_fold = false;  // hex: also on a terminal
  NumberOption jobs{"--jobs", {}};
  std::optional<std::string> format;
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_decode(const DecodeOptions& options, Host& host);

}  // namespace slabscope::app
