#include "command_run.h"

#include "limits.h"
#include "property.h"

#include <app/cli.h>

#include <tests/support/json_reference.h>

#include <algorithm>
#include <initializer_list>

namespace slabscope::fuzz {
namespace {

constexpr std::string_view mark = "@@";

bool takes_slab_limit(std::string_view argument) {
  return argument == "pack" || argument == "decode" || argument == "lint" || argument == "diff";
}

}  // namespace

CommandInput read_command_input(std::string_view text) {
  CommandInput made;
  std::string* file = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(mark)) {
      file = &made.files[std::string(line.substr(mark.size()))];
      file->clear();
    } else if (file == nullptr) {
      // What ends at a zero byte cannot come from a command line.
      made.arguments.emplace_back(line.substr(0, line.find('\0')));
    } else {
      file->append(text.substr(0, end + 1));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

bool is_costly(const std::vector<std::string>& arguments) {
  const auto holds = [&](std::string_view wanted) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const std::string& each) { return each.find(wanted) == 0; });
  };
  if (holds("--max-slab-bytes")) return true;  // what it does is for the tests
  if (holds("verify") && (holds("--repeat") || holds("--timings"))) return true;  // on purpose
  if (!holds("gen")) return false;
  std::size_t digits = 0;
  for (const std::string& each : arguments) {
    for (const char character : each) {
      digits = std::isxdigit(static_cast<unsigned char>(character)) != 0 ? digits + 1 : 0;
      const bool is_number = each.find_first_of("0123456789") != std::string::npos;
      if (is_number && digits > max_gen_digits) return true;
    }
    digits = 0;
  }
  return false;
}

CommandOutcome run_command(const CommandInput& input, std::size_t pace) {
  MemoryHost host(input.files, pace);
  const std::string limit = "--max-slab-bytes=" + std::to_string(max_slab_bytes);
  std::vector<const char*> argv = {"slabscope"};
  bool is_limited =
      std::any_of(input.arguments.begin(), input.arguments.end(),
                  [](const auto& each) { return each.starts_with("--max-slab-bytes"); });
  for (const std::string& each : input.arguments) {
    argv.push_back(each.c_str());
    if (is_limited || !takes_slab_limit(each)) continue;
    is_limited = true;
    argv.push_back(limit.c_str());
  }
  CommandOutcome made;
  made.exit_code = app::run_command_line(static_cast<int>(argv.size()), argv.data(), host);
  made.files = host.files();
  made.output = host.standard_output();
  made.errors = host.errors();
  made.last_opened = host.last_opened();
  made.is_full = host.is_full();
  return made;
}

void check_findings(const CommandInput& input, const CommandOutcome& outcome) {
  const auto has = [&](std::string_view wanted) {
    return std::find(input.arguments.begin(), input.arguments.end(), wanted) !=
           input.arguments.end();
  };
  const auto has_option = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(input.arguments.begin(), input.arguments.end(), [&](const auto& each) {
      return std::any_of(options.begin(), options.end(),
                         [&](std::string_view option) { return each.starts_with(option); });
    });
  };
  require(outcome.exit_code == 0 || has("lint") || has("diff") || has("verify") ||
              has_option({"--compare", "--locate", "--arena"}),
          "only what looks for something has findings");
  if (has("diff") && !has_option({"-f", "--format", "-o", "--output", "-h", "--help"}))
    require(outcome.output.empty() == (outcome.exit_code == 0), "a difference is shown");
  const auto report = tests::read_reference(outcome.output);
  if (!report || !report->has("findings") || !report->has("not_run")) return;
  bool is_bad = false;
  for (const tests::JsonReference& each : (*report)["findings"].children)
    is_bad = is_bad || each["severity"].string == "error" ||
             (has("--strict") && each["severity"].string == "warning");
  require(is_bad == (outcome.exit_code == 1), "the exit code goes by the severities",
          [&] { return outcome.output; });
}

}  // namespace slabscope::fuzz
