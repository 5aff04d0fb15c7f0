// slabscope verify: slabs go to a device, and kernels read and pack them there.
#pragma once

#include "input.h"

namespace slabscope::app {

struct VerifyCommandOptions : InputOptions {
  std::string device = "auto";
  NumberOption base_offset{"--base-offset", {}};
  NumberOption repeat{"--repeat", {}};
  std::optional<std::string> inject;  // FIELD[:INDEX]
  bool timings = false;
  std::string format = "table";
  std::string output = "-";
};

// Exit 1 on a mismatch.
[[nodiscard]] Result<ExitCode> run_verify(const VerifyCommandOptions& options, Host& host);

}  // namespace slabscope::app
