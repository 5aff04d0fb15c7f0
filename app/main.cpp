#include <unistd.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "cli.h"
#include "posix_host.h"

namespace {

// Without taking memory, of which there is none.
int out_of_memory(int argc, const char* const* argv) {
  constexpr std::string_view text = "slabscope: error[out_of_memory]: memory is used up\n";
  constexpr std::string_view json =
      "{\"error\":{\"code\":\"out_of_memory\",\"message\":\"memory is used up\"}}\n";
  const bool as_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  const std::string_view line = as_json ? json : text;
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return 4;
  return 4;  // what the table of errors says of out_of_memory
}

}  // namespace

int main(int argc, char** argv) {
  slabscope::app::prepare_standard_streams();
  try {
    slabscope::app::PosixHost host;
    return slabscope::app::run_command_line(argc, argv, host);
  } catch (const std::bad_alloc&) {
    return out_of_memory(argc, argv);
  }
}
