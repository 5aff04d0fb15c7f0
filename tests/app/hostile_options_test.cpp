// Hostile integers as the value of every option that takes a number: the exit code is one of the
// closed set, a refusal names the option or comes from what the value does, and changes no file.
#include <fuzz/support/command_run.h>
#include <tests/support/golden_text.h>
#include <tests/support/hostile_integers.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {
namespace {

// The value stands at every '%'. What reads dumps has the options of `window` too.
constexpr std::string_view lines[] = {
    "pack rows.json --region-bytes %",
    "pack rows.json --stride %",
    "pack rows.json --into a.bin --offset %",
    "pack rows.json --max-slab-bytes %",
    "pack rows.json --jobs %",
    "pack rows.json --define max_blocks=%",
    "decode a.bin -l mtp_batch -D rows=2 --define max_blocks=%",
    "decode a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --jobs %",
    "decode a.bin -l mtp_batch -D rows=2 -D max_blocks=2 -f table --groups 0,%",
    "layout mtp_batch -D rows=2 --define max_blocks=%",
    "layout mtp_batch -D rows=2 -D max_blocks=2 --rows %",
    "layout mtp_batch -D rows=2 --fit max_blocks --region-bytes %",
    "layout mtp_batch -D rows=2 -D max_blocks=2 --compare mtp_batch --with max_blocks=%",
    "layout mtp_batch -D rows=2 -D max_blocks=2 --locate %",
    "layout mtp_batch -D rows=2 -D max_blocks=2 --locate 0x1008 --base %",
    "layout --arena scratch -D max_batch_size=8 -D max_blocks=16 --region-bytes %",
    "lint rows.json --region-bytes %",
    "lint a.bin -l mtp_batch -D rows=2 --define max_blocks=%",
    "lint a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --groups 0,%",
    "diff a.bin b.bin -l mtp_batch -D rows=2 --define max_blocks=%",
    "verify a.bin -l mtp_batch --device host --define max_blocks=%",
    "verify a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --device host --base-offset %",
    "verify a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --device host --repeat %",
    "verify a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --device host --inject seq_len:%",
    "verify rows.json --device host --region-bytes %",
    "regions a.bin --base %",
    "regions a.bin --max-inflate %",
    "regions a.txt --unit %",
    "gen mtp_batch --rows % -D max_blocks=2 -D block_size=16 -D num_blocks=64",
    "gen mtp_batch --count % -D max_blocks=2 -D block_size=16 -D num_blocks=64",
    "gen mtp_batch --seed % -D max_blocks=2 -D block_size=16 -D num_blocks=64",
    "gen mtp_batch --define max_blocks=% -D block_size=16 -D num_blocks=64",
};
constexpr std::string_view window[] = {
    "--offset %", "--length %",      "--stride %",           "--count %",
    "--live %",   "--padded %",      "--address % --base %", "--base % --address %",
    "--unit %",   "--max-inflate %", "--max-slab-bytes %"};
constexpr std::string_view dump_commands[] = {
    "decode a.bin -l mtp_batch -D rows=2 -D max_blocks=2 ",
    "lint a.bin -l mtp_batch -D rows=2 -D max_blocks=2 ",
    "verify a.bin -l mtp_batch -D rows=2 -D max_blocks=2 --device host ",
    "diff a.bin b.bin -l mtp_batch -D rows=2 -D max_blocks=2 "};
constexpr std::string_view window_of_one_side[] = {"--offset", "--length", "--stride", "--base"};

std::vector<std::string> all_lines() {
  std::vector<std::string> made(std::begin(lines), std::end(lines));
  for (const std::string_view command : dump_commands)
    for (const std::string_view option : window)
      made.push_back(std::string(command) + std::string(option));
  for (const std::string side : {"-a", "-b"})
    for (const std::string_view option : window_of_one_side)
      made.push_back(std::string(dump_commands[3]) + std::string(option) + side + " %");
  for (const std::string side : {"-a", "-b"})
    made.push_back(std::string(dump_commands[3]) + "--address" + side + " % --base" + side + " %");
  return made;
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// "decode --offset": the command, and the option whose value is at the first '%'.
std::string key(const std::vector<std::string>& arguments) {
  const auto value = std::find_if(arguments.begin(), arguments.end(), [](const auto& each) {
    return each.find('%') != std::string::npos;
  });
  return arguments.front() + " " + *(value - 1);
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::string& value) {
  for (std::string& each : arguments)
    if (const auto at = each.find('%'); at != std::string::npos) each.replace(at, 1, value);
  return arguments;
}

// The options of a command that take a number, as its help says.
std::set<std::string> number_options(const std::string& command) {
  const auto help = fuzz::run_command({{command, "--help"}, {}}, 4096);
  std::istringstream stream(help.output);
  std::set<std::string> made;
  for (std::string line; std::getline(stream, line);) {
    const auto said = words(line);
    if (said.size() < 2 || said[0].front() != '-') continue;
    const bool is_number =
        said[1] == "SIZE" || said[1] == "ADDRESS" || said[1] == "NAME=VALUE" || said[1] == "N";
    if (is_number) made.insert(command + " " + said[0].substr(said[0].find("--")));
  }
  return made;
}

const fuzz::MemoryHost::Files& files() {
  static const fuzz::MemoryHost::Files made = [] {
    fuzz::MemoryHost::Files all;
    all["rows.json"] =
        R"({"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [
 {"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}]}
)";
    all["a.bin"] = fuzz::run_command({{"pack", "rows.json"}, all}, 4096).output;
    all["b.bin"] = all["a.bin"];
    all["a.txt"] = "0x1000: 1 2 3 4\n";
    return all;
  }();
  return made;
}

// Does it rightly take as long as it is told to?
bool is_long(const std::string& option, const std::string& value) {
  return option == "verify --repeat" && value.size() > 3;
}

TEST_CASE("every option that takes a number is among the lines") {
  std::set<std::string> covered;
  for (const std::string& line : all_lines()) covered.insert(key(words(line)));
  std::set<std::string> said = {"decode --groups", "lint --groups",
                                "verify --inject"};  // not alone
  for (const std::string command :
       {"pack", "decode", "layout", "lint", "diff", "verify", "regions", "gen", "schema"})
    said.merge(number_options(command));
  std::vector<std::string> missing;
  std::set_symmetric_difference(said.begin(), said.end(), covered.begin(), covered.end(),
                                std::back_inserter(missing));
  CHECK((missing == std::vector<std::string>()));
}

TEST_CASE("hostile integers as the value of every option") {
  REQUIRE(files().at("a.bin").size() > 16);
  std::vector<std::string> values(std::begin(hostile_integers), std::end(hostile_integers));
  for (const std::string_view each :
       {"", "2", "3", "0x7f32a0008000", "0xffffffffffffffff", "0x10000000000000000", "16EiB",
        "15EiB", "1KiB", "18014398509481984KiB", "18014398509481983KiB"})
    values.emplace_back(each);
  for (const int more : {-1, 0, 1})
    values.push_back(std::to_string(files().at("a.bin").size() + static_cast<std::size_t>(more)));
  std::map<std::string, std::size_t> accepted;
  for (const std::string& line : all_lines()) {
    const std::vector<std::string> arguments = words(line);
    const std::string option = key(arguments);
    accepted[option] += 0;
    for (const std::string& value : values) {
      if (is_long(option, value)) continue;
      CAPTURE(line);
      CAPTURE(value);
      const fuzz::CommandInput input{with(arguments, value), files()};
      const auto outcome = fuzz::run_command(input, 4096);
      REQUIRE(outcome.exit_code >= 0);
      REQUIRE(outcome.exit_code <= 4);
      const bool has_failed = outcome.exit_code >= 2;
      REQUIRE(outcome.errors.size() == (has_failed ? 1 : 0));
      accepted[option] += has_failed ? 0 : 1;
      if (!has_failed) continue;
      CHECK(info(outcome.errors[0].code).exit_code == outcome.exit_code);
      CHECK(outcome.files == input.files);
    }
  }
  std::string table;
  for (const auto& [option, count] : accepted) table += std::to_string(count) + " " + option + "\n";
  check_golden("sweep_options.txt", table);
}

// Does `told` name an option whose value is at '%'?
bool names_value(const std::vector<std::string>& arguments, const std::string& told) {
  for (std::size_t index = 1; index < arguments.size(); ++index) {
    const std::string& value = arguments[index];
    if (value.find('%') == std::string::npos) continue;
    if (told.find(arguments[index - 1]) != std::string::npos) return true;
    if (value.find('=') != std::string::npos &&
        told.find("-D " + value.substr(0, value.find('='))) != std::string::npos)
      return true;
  }
  return false;
}

TEST_CASE("what is no number is refused by the option's name") {
  for (const std::string& line : all_lines()) {
    for (const std::string value : {"x", "1e3", "1.0", "0x", "--", "1 2", "+1", "1KiBs"}) {
      CAPTURE(line);
      CAPTURE(value);
      const auto outcome = fuzz::run_command({with(words(line), value), files()}, 4096);
      REQUIRE(outcome.errors.size() == 1);
      const Error& failed = outcome.errors[0];
      CHECK(outcome.exit_code >= 2);
      CHECK(outcome.exit_code <= 3);
      const std::string told = failed.pointer + " " + failed.message;
      CHECK_MESSAGE(names_value(words(line), told), told);
    }
  }
}

}  // namespace
}  // namespace slabscope::tests
