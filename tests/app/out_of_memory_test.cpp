// An allocation that is refused, whichever it is, ends a command with exit 4: it leaks nothing, and
// leaves no file behind.
#include <app/decode.h>
#include <app/diff.h>
#include <app/gen.h>
#include <app/layout.h>
#include <app/lint.h>
#include <app/pack.h>
#include <app/verify.h>

#include <fuzz/support/memory_host.h>
#include <tests/support/heap.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <vector>

using namespace slabscope;
using namespace slabscope::app;
using namespace slabscope::tests;
using Files = fuzz::MemoryHost::Files;

namespace {

using RunCommand = std::function<Result<ExitCode>(Host&)>;

struct Run {
  int exit_code = 0;
  Files files;
  std::string output;
  std::uint64_t asked_for = 0;  // allocations
};

// As main() does it, with the `refused`-th allocation refused.
Run run(const RunCommand& command, const Files& files, std::uint64_t refused, Refusal refusal) {
  fuzz::MemoryHost host(files, 1U << 16);
  Run made;
  {
    const AllocationRefusal refusing(refused, refusal);
    try {
      const Result<ExitCode> outcome = command(host);
      made.exit_code = outcome ? static_cast<int>(*outcome) : info(outcome.error().code).exit_code;
      if (!outcome) host.tell(Severity::error, outcome.error());
    } catch (const std::bad_alloc&) {
      made.exit_code = info(ErrorCode::out_of_memory).exit_code;
    }
    made.asked_for = refusing.asked_for();
  }
  made.files = host.files();
  made.output = host.standard_output();
  return made;
}

constexpr std::string_view rows =
    R"({"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [
 {"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}]}
)";
constexpr std::string_view bad_rows =
    R"({"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [
 {"position": 7, "slot": 55, "seq_len": "x", "block_table": [3]}]}
)";
constexpr std::string_view own_layout =
    R"({"name": "own", "params": {"rows": {}, "width": {}}, "row_param": "rows", "gaps": "any",
 "fields": [{"name": "a", "type": "u8", "shape": ["rows"], "fill": 3},
            {"name": "b", "type": "i64", "shape": ["rows", "width", 2], "align": 64}]}
)";

Result<ExitCode> pack(Host& host, const char* rows_path, const PackOptions& given) {
  PackOptions options = given;
  options.rows = rows_path;
  return run_pack(options, host);
}

// Options of a command that reads slabs of mtp_batch with two blocks a row.
template <class Options>
Options dump_options(const char* dump) {
  Options made;
  made.dump = dump;
  made.layout = "mtp_batch";
  made.params = {"max_blocks=2"};
  return made;
}

struct Command {
  std::string_view name;
  RunCommand run;
};

const std::array commands = {
    Command{"pack to a file",
            [](Host& host) {
              PackOptions options;
              options.output = "out.bin";
              return pack(host, "rows.json", options);
            }},
    Command{"pack a stream of documents",
            [](Host& host) {
              PackOptions options;
              options.output = "out.bin";
              options.stride.text = "256";
              return pack(host, "two.ndjson", options);
            }},
    Command{"pack into a dump",
            [](Host& host) {
              PackOptions options;
              options.into = "b.bin";
              return pack(host, "rows.json", options);
            }},
    Command{"pack what is refused", [](Host& host) { return pack(host, "bad.json", {}); }},
    Command{"decode",
            [](Host& host) { return run_decode(dump_options<DecodeOptions>("a.bin"), host); }},
    Command{"decode to a file, trimmed",
            [](Host& host) {
              auto options = dump_options<DecodeOptions>("a.bin");
              options.trim = true;
              options.output = "out.json";
              return run_decode(options, host);
            }},
    Command{"decode a layout of one's own",
            [](Host& host) {
              auto options = dump_options<DecodeOptions>("a.bin");
              options.layout = "own.json";
              options.params = {"rows=2", "width=0"};
              return run_decode(options, host);
            }},
    Command{"decode by stride",
            [](Host& host) {
              auto options = dump_options<DecodeOptions>("a.bin");
              options.params.emplace_back("rows=0");
              options.stride.text = "8";
              return run_decode(options, host);
            }},
    Command{"decode to a table",
            [](Host& host) {
              auto options = dump_options<DecodeOptions>("b.bin");
              options.params.emplace_back("block_size=16");
              options.format = "table";
              return run_decode(options, host);
            }},
    Command{"decode to annotated bytes",
            [](Host& host) {
              auto options = dump_options<DecodeOptions>("b.bin");
              options.format = "hex";
              return run_decode(options, host);
            }},
    Command{"lint a slab",
            [](Host& host) {
              auto options = dump_options<LintOptions>("b.bin");
              options.params.insert(options.params.end(), {"block_size=16", "num_blocks=5"});
              return run_lint(options, host);
            }},
    Command{"lint documents",
            [](Host& host) {
              LintOptions options;
              options.dump = "two.ndjson";
              options.params = {"block_size=16"};
              return run_lint(options, host);
            }},
    Command{"diff to a table",
            [](Host& host) {
              auto options = dump_options<DiffOptions>("a.bin");
              options.other = "b.bin";
              return run_diff(options, host);
            }},
    Command{"diff to JSON",
            [](Host& host) {
              auto options = dump_options<DiffOptions>("a.bin");
              options.other = "b.bin";
              options.format = "json";
              return run_diff(options, host);
            }},
    Command{"the map of a layout",
            [](Host& host) {
              LayoutOptions options;
              options.layout = "mtp_batch";
              options.params = {"rows=4", "max_blocks=8"};
              return run_layout(options, host);
            }},
    Command{"what fits",
            [](Host& host) {
              LayoutOptions options;
              options.layout = "mtp_batch";
              options.params = {"rows=4", "block_size=16"};
              options.fit = "max_blocks";
              options.region_bytes.text = "4096";
              return run_layout(options, host);
            }},
    Command{"where a byte is",
            [](Host& host) {
              LayoutOptions options;
              options.layout = "own.json";
              options.params = {"rows=2", "width=3"};
              options.locate = {"5", "64"};
              return run_layout(options, host);
            }},
    Command{"the map of an arena",
            [](Host& host) {
              LayoutOptions options;
              options.arena = "scratch";
              options.params = {"max_batch_size=8", "max_blocks=16"};
              return run_layout(options, host);
            }},
    Command{"gen",
            [](Host& host) {
              GenOptions options;
              options.layout = "mtp_batch";
              options.params = {"max_blocks=4"};
              options.rows = "3";
              options.count.text = "2";
              return run_gen(options, host);
            }},
    Command{"gen with a fault",
            [](Host& host) {
              GenOptions options;
              options.layout = "mtp_batch";
              options.params = {"max_blocks=4"};
              options.rows = "3";
              options.fault = "write-alias";
              return run_gen(options, host);
            }},
    Command{"verify documents on the host",
            [](Host& host) {
              VerifyCommandOptions options;
              options.dump = "rows.json";
              options.device = "host";
              return run_verify(options, host);
            }},
    Command{"verify a slab with a byte flipped",
            [](Host& host) {
              auto options = dump_options<VerifyCommandOptions>("a.bin");
              options.device = "host";
              options.inject = "slot:1";
              return run_verify(options, host);
            }},
};

Files inputs() {
  std::string line(rows);
  std::replace(line.begin(), line.end(), '\n', ' ');
  Files made = {{"rows.json", std::string(rows)},
                {"bad.json", std::string(bad_rows)},
                {"two.ndjson", line + "\n" + line + "\n"},
                {"own.json", std::string(own_layout)}};
  made["a.bin"] =
      run([](Host& host) { return pack(host, "rows.json", {}); }, made, 0, Refusal::once).output;
  REQUIRE(made["a.bin"].size() > 40);
  made["b.bin"] = made["a.bin"];
  made["b.bin"][0] = 8;
  made["b.bin"][9] = 1;
  return made;
}

// Numbers of allocations to refuse: every one of a short run, so many of a long one.
constexpr std::uint64_t most_refused = 500;

// What became of a run with one allocation refused, beside what becomes of it otherwise.
enum class Ending : std::uint8_t { out_of_memory, as_otherwise, something_else };

Ending ending(const Run& refused, const Run& whole, const Files& files) {
  // Algorithms that can do with less memory do the same with less.
  if (refused.exit_code == whole.exit_code && refused.files == whole.files &&
      refused.output == whole.output)
    return Ending::as_otherwise;
  // The memory of the device that is the host is memory too: 5 says that the device has none.
  const bool says_so = refused.exit_code == 4 || refused.exit_code == 5;
  return says_so && refused.files == files ? Ending::out_of_memory : Ending::something_else;
}

}  // namespace

// The command line before a command runs, and reports as JSON, are not among them: the libraries
// for both take memory where nothing may be thrown. tests/faults sees how these end.
TEST_CASE("a command that is refused memory exits 4, leaks nothing and leaves no file") {
  const Files files = inputs();
  std::uint64_t points = 0;
  for (const Command& command : commands) {
    CAPTURE(std::string(command.name));
    const Run whole = run(command.run, files, 0, Refusal::once);
    REQUIRE(whole.exit_code != 4);
    REQUIRE(whole.exit_code != 2);
    const std::uint64_t step = 1 + whole.asked_for / most_refused;
    for (const Refusal refusal : {Refusal::once, Refusal::from_then_on}) {
      for (std::uint64_t number = 1; number <= whole.asked_for; number += step) {
        CAPTURE(number);
        const std::int64_t before = live_allocations();
        const Ending how = ending(run(command.run, files, number, refusal), whole, files);
        const std::int64_t after = live_allocations();
        ++points;
        CHECK(how != Ending::something_else);
        CHECK(after == before);
      }
    }
  }
  MESSAGE(points << " allocations were refused");
  CHECK(points >= 1000);
}
