// slabscope gen: pseudo-random rows that make sense, or that break one rule of lint.
#pragma once

#include "command.h"

namespace slabscope::app {

struct GenOptions {
  std::string layout;
  std::vector<std::string> params;
  std::optional<std::string> rows;  // N, or A..B for a number between them in each document
  NumberOption seed{"--seed", {}};
  NumberOption count{"--count", {}};
  bool share_prefix = false;
  std::optional<std::string> fault;  // the rule to break
  std::optional<std::string> format;
  std::string output = "-";
};

[[nodiscard]] Result<ExitCode> run_gen(const GenOptions& options, Host& host);

}  // namespace slabscope::app
