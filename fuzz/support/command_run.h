// Inputs of the target command_line: arguments, one a line, up to a line that begins with "@@";
// then each file as such a line with its name ("-": standard input) and the bytes up to the next
// one.
#pragma once

#include "memory_host.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::fuzz {

struct CommandInput {
  std::vector<std::string> arguments;
  MemoryHost::Files files;
};

CommandInput read_command_input(std::string_view text);

// Would the command rightly take longer than a fuzzer should?
bool is_costly(const std::vector<std::string>& arguments);

struct CommandOutcome {
  int exit_code = 0;
  MemoryHost::Files files;
  std::string output;
  std::vector<Error> errors;
  std::string last_opened;
  bool is_full = false;
};

// Through the real command line; slabs are limited to max_slab_bytes where the arguments do not
// say.
CommandOutcome run_command(const CommandInput& input, std::size_t pace);

// Of a run that did not fail: exit code 1 is that of commands that look for something, and goes by
// the severities in a report that stands on standard output.
void check_findings(const CommandInput& input, const CommandOutcome& outcome);

}  // namespace slabscope::fuzz
