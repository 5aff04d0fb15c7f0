#include "cli.h"

#include <new>

int main(int argc, char** argv) {
  slabscope::app::prepare_standard_streams();
  slabscope::app::PosixHost host;
  try {
    return slabscope::app::run_command_line(argc, argv, host);
  } catch (const std::bad_alloc&) {
    const slabscope::Error failed =
        slabscope::error(slabscope::ErrorCode::out_of_memory, "memory is used up");
    host.tell(slabscope::app::Severity::error, failed);
    return slabscope::info(failed.code).exit_code;
  }
}
