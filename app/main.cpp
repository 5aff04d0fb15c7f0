#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli.h"
#include "posix_host.h"

namespace {

bool as_json = false;

// Without taking memory, of which there is none.
int out_of_memory() {
  constexpr std::string_view text = "slabscope: error[out_of_memory]: memory is used up\n";
  constexpr std::string_view json =
      "{\"error\":{\"code\":\"out_of_memory\",\"message\":\"memory is used up\"}}\n";
  const std::string_view line = as_json ? json : text;
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return 4;
  return 4;  // what the table of errors says of out_of_memory
}

// A destructor of the JSON library takes memory, and ends the program when there is none.
[[noreturn]] void end_by_exception() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    slabscope::app::remove_unfinished_output();
    ::_exit(out_of_memory());
  } catch (...) {  // a mistake of ours: as it would end without this
  }
  std::abort();
}

// Before main, because objects of the command line's library take memory even earlier.
struct EndsByException {
  EndsByException() noexcept { std::set_terminate(end_by_exception); }
};
[[gnu::init_priority(101)]] const EndsByException ends_by_exception;

}  // namespace

int main(int argc, char** argv) {
  as_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  slabscope::app::prepare_standard_streams();
  try {
    slabscope::app::PosixHost host;
    return slabscope::app::run_command_line(argc, argv, host);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}
