// The command line: options of every command, help, and the way from an error to an exit code.
#pragma once

#include "host.h"

namespace slabscope::app {

// Runs the command that `arguments` ask for; the exit code.
int run_command_line(int argc, const char* const* argv, Host& host);

}  // namespace slabscope::app
