// Property: any arguments, standard input and files, through the real commands: the exit code is
// one of the closed set and that of the error that was told, never 0 or 1 beside an error; a run
// that failed leaves every file as it was and, of a stream, only the output of the documents before
// the one that failed. Input: arguments and files as text (support/command_run.h).
#include "support/command_run.h"
#include "support/limits.h"
#include "support/property.h"
#include "support/reference_rows.h"

#include <tests/support/paced_source.h>

#include <algorithm>

namespace {

using namespace slabscope;

// What a failed run left on standard output is what some of its first documents give. Of commands
// that write text it is seen only where more was written than is collected.
void check_partial_output(const fuzz::CommandInput& input, const fuzz::CommandOutcome& outcome) {
  constexpr std::size_t collected_bytes = std::size_t{1} << 16;
  if (outcome.output.empty() || outcome.is_full || outcome.output.size() >= collected_bytes) return;
  const auto& arguments = input.arguments;
  const bool packs = std::find(arguments.begin(), arguments.end(), "pack") != arguments.end();
  const auto file = input.files.find(outcome.last_opened);
  fuzz::require(packs && file != input.files.end(), "only a stream leaves output behind");
  const std::string& text = file->second;
  for (std::size_t end = text.find('}'); end < text.size(); end = text.find('}', end + 1)) {
    fuzz::CommandInput part = input;
    part.files[file->first] = text.substr(0, end + 1);
    if (text.find_first_of("[{") < text.find('{')) part.files[file->first] += ']';
    const auto again = fuzz::run_command(part, tests::all_at_once);
    if (again.exit_code == 0 && again.output == outcome.output) return;
  }
  fuzz::violated("output of a failed run is that of the documents before", outcome.output,
                 std::source_location::current());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::max_input_bytes) return 0;
  const auto input = fuzz::read_command_input({reinterpret_cast<const char*>(data), size});
  if (fuzz::is_costly(input.arguments)) return 0;
  const auto outcome = fuzz::run_command(input, tests::paces[size % std::size(tests::paces)]);
  const bool has_failed = outcome.exit_code >= 2;
  fuzz::require(outcome.exit_code >= 0 && outcome.exit_code <= 5, "exit codes are a closed set",
                [&] { return std::to_string(outcome.exit_code); });
  fuzz::require(outcome.errors.size() == (has_failed ? 1U : 0U), "a run that failed says why, once",
                [&] { return std::to_string(outcome.errors.size()) + " errors"; });
  if (!has_failed) return fuzz::check_findings(input, outcome), 0;
  fuzz::require(info(outcome.errors[0].code).exit_code == outcome.exit_code,
                "the exit code is that of the error");
  fuzz::require(outcome.files == input.files, "a run that failed leaves files as they were");
  check_partial_output(input, outcome);
  return 0;
}
