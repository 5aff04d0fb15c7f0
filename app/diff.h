// slabscope diff: what differs between the slabs of two dumps.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// `dump` is A. Its window is that of both dumps, unless one is given a figure of its own.
struct DiffOptions : DumpOptions {
  struct Window {
    NumberOption offset;
    NumberOption length;
    NumberOption stride;
  };

  std::string other;  // B
  Window window_a{{"--offset-a", {}}, {"--length-a", {}}, {"--stride-a", {}}};
  Window window_b{{"--offset-b", {}}, {"--length-b", {}}, {"--stride-b", {}}};
  std::vector<std::string> ignore;  // lists of gap, stale
  std::string format = "table";
  std::string output = "-";
};

// Exit 1 when anything differs that is not ignored.
[[nodiscard]] Result<ExitCode> run_diff(const DiffOptions& options, Host& host);

}  // namespace slabscope::app
