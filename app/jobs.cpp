#include "jobs.h"

#include <algorithm>
#include <thread>

namespace slabscope::app {

Result<unsigned> parse_jobs(const NumberOption& jobs) {
  constexpr unsigned usual = 8;  // reading and writing bound what more could do
  constexpr unsigned most = 256;
  SLABSCOPE_TRY_ASSIGN(given, parse_count(jobs));
  if (!given) return std::clamp(std::thread::hardware_concurrency(), 1U, usual);
  if (*given != 0 && *given <= most) return static_cast<unsigned>(*given);
  Error made = error(ErrorCode::out_of_range, "there is no work for this number of threads");
  made.pointer = jobs.option;
  return fail(std::move(made).with(std::to_string(*given), "1.." + std::to_string(most)));
}

}  // namespace slabscope::app
