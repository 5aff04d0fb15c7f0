// slabscope lint: what does not add up in slabs or rows documents.
#pragma once

#include "input.h"

namespace slabscope::app {

struct LintOptions : InputOptions {
  std::vector<std::string> only;
  std::vector<std::string> disable;
  bool strict = false;
  std::optional<std::string> explain;  // a rule, or "all"
  std::string format = "table";
  std::string output = "-";
};

// Exit 1 on errors, with `strict` also on warnings.
[[nodiscard]] Result<ExitCode> run_lint(const LintOptions& options, Host& host);

}  // namespace slabscope::app
