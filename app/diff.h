// slabscope diff: what differs between the slabs of two dumps.
#pragma once

#include "dump_slabs.h"

namespace slabscope::app {

// `dump` is A. Its window is that of both dumps, unless one is given a figure of its own.
struct DiffOptions : DumpOptions {
  struct Window {
    explicit Window(const std::string& side)
        : offset{"--offset" + side, {}},
          length{"--length" + side, {}},
          stride{"--stride" + side, {}},
          address{"--address" + side, {}},
          base{"--base" + side, {}} {}

    NumberOption offset;
    NumberOption length;
    NumberOption stride;
    NumberOption address;
    NumberOption base;
    std::optional<std::string> region;
    std::optional<std::string> tensor;
    std::optional<std::string> container;
  };

  std::string other;  // B
  Window window_a{"-a"};
  Window window_b{"-b"};
  std::vector<std::string> ignore;  // lists of gap, stale
  std::string format = "table";
  std::string output = "-";
};

// Exit 1 when anything differs that is not ignored.
[[nodiscard]] Result<ExitCode> run_diff(const DiffOptions& options, Host& host);

}  // namespace slabscope::app
