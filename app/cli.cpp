#include "cli.h"

#include "decode.h"
#include "device_choice.h"
#include "diff.h"
#include "gen.h"
#include "help_examples.h"
#include "layout.h"
#include "lint.h"
#include "pack.h"
#include "regions.h"
#include "schema.h"
#include "verify.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

namespace slabscope::app {
namespace {

// A number option keeps its text: what is no number is told by one parser of ours.
void add_number(CLI::App& command, NumberOption& into, const std::string& value_name,
                const std::string& help) {
  command.add_option(into.option, into.text, help)->type_name(value_name);
}

void add_jobs(CLI::App& command, NumberOption& into) {
  command.add_option("-j," + into.option, into.text, "Threads to work on (cores, at most 8)")
      ->type_name("N");
}

// A flag that took a value could stand there with two.
void add_flag(CLI::App& command, const std::string& name, bool& into, const std::string& help) {
  command.add_flag(name, into, help)->disable_flag_override();
}

// What has been added so far means nothing beside this option.
void exclude_all_others(CLI::App& command, const std::string& name) {
  CLI::Option* const chosen = command.get_option(name);
  for (CLI::Option* const each : command.get_options())
    if (each != chosen && each != command.get_help_ptr()) chosen->excludes(each);
}

void add_params(CLI::App& command, std::vector<std::string>& into) {
  command.add_option("-D,--define", into, "Set a parameter of the layout")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_slab_layout(CLI::App& command, DumpOptions& into) {
  command.add_option("-l,--layout", into.layout, "A name or FILE.json")->type_name("LAYOUT");
  add_params(command, into.params);
}

void add_window(CLI::App& command, NumberOption& offset, NumberOption& length, NumberOption& stride,
                const std::string& whose = "") {
  add_number(command, offset, "SIZE", "Where the first slab begins, in its region" + whose);
  add_number(command, length, "SIZE", "Bytes to look at from there on (to the end)" + whose);
  add_number(command, stride, "SIZE", "Bytes from one slab to the next" + whose);
}

// Which bytes of the dump; `side` is "-a" or "-b" where there are two.
void add_place(CLI::App& command, NumberOption& address, NumberOption& base,
               std::optional<std::string>& region, std::optional<std::string>& tensor,
               std::optional<std::string>& container, const std::string& side = "",
               const std::string& whose = "") {
  add_number(command, address, "ADDRESS",
             "Where the first slab begins on the device, instead of --offset" + whose);
  add_number(command, base, "ADDRESS",
             "The address of the first byte, where the dump says none" + whose);
  command.add_option("--region" + side, region, "The region to read (see regions)" + whose)
      ->type_name("NAME");
  command.add_option("--tensor" + side, tensor, "The region with a type to read" + whose)
      ->type_name("NAME");
  command
      .add_option("--container" + side, container,
                  "What the dump is (by its first bytes); raw: all of it is memory" + whose)
      ->type_name("KIND");
}

void add_container_limits(CLI::App& command, RegionOptions& into) {
  add_number(command, into.unit, "N", "Bytes of a number in a text dump: 1, 2, 4, 8");
  add_number(command, into.max_inflate, "SIZE",
             "Refuse what a compressed dump holds beyond that (4GiB)");
}

void add_regions_of(CLI::App& command, DumpOptions& into) {
  add_place(command, into.address, into.base, into.region, into.tensor, into.container);
  add_container_limits(command, into);
  command.add_flag("--reinterpret", into.reinterpret,
                   "Read bytes that the dump says are of another type");
}

void add_count_and_limit(CLI::App& command, DumpOptions& into) {
  add_number(command, into.count, "N", "Number of slabs");
  add_number(command, into.max_slab_bytes, "SIZE", "Refuse larger slabs (1GiB)");
}

void add_dump(CLI::App& command, DumpOptions& into) {
  command.add_option("DUMP", into.dump, "The bytes; - is stdin")->type_name("");
  add_slab_layout(command, into);
  command.add_option("--arena", into.arena, "All slabs of this arena: a name or FILE.json")
      ->type_name("ARENA");
  into.offers_tensors = true;
  command
      .add_option("--tensors", into.tensors,
                  "Instead of DUMP: one slab of tensors, FIELD=FILE[:NAME],..")
      ->type_name("LIST");
  add_number(command, into.live, "N", "Only the first N rows (all of capacity)");
  add_number(command, into.padded, "N", "Short for -D padded_rows=N");
  add_window(command, into.offset, into.length, into.stride);
  add_count_and_limit(command, into);
  add_regions_of(command, into);
}

void add_groups(CLI::App& command, DumpOptions& into) {
  command
      .add_option("--groups", into.groups,
                  "For checks: the sequence of each live row, 0,0,1; rows of one may share blocks")
      ->type_name("LIST");
}

class CommandLine {
 public:
  explicit CommandLine(Host& host) : host_(host) {
    app_.name("slabscope");
    app_.set_version_flag("--version", "slabscope " SLABSCOPE_VERSION);
    app_.set_help_flag("-h,--help", "Show this help");
    add_flag(app_, "--json", json_, "Errors and warnings as lines of JSON");
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.footer(main_examples);
    add_pack();
    add_decode();
    add_layout();
    add_lint();
    add_diff();
    add_verify();
    add_regions();
    add_gen();
    add_schema();
  }

  CLI::App& app() noexcept { return app_; }
  [[nodiscard]] Result<ExitCode> run() const { return run_(); }

 private:
  CLI::App& add(const std::string& name, const std::string& help, const char* examples,
                std::function<Result<ExitCode>()> run_command) {
    CLI::App& command = *app_.add_subcommand(name, help);
    command.footer(examples);
    command.group("Commands");
    command.callback([this, run_command = std::move(run_command)] { run_ = run_command; });
    return command;
  }

  void add_pack() {
    CLI::App& command = add("pack", "Rows documents (JSON) to slabs", pack_examples,
                            [this] { return run_pack(pack_, host_); });
    command.add_option("ROWS", pack_.rows, "Documents: one, NDJSON, or an array; - is stdin")
        ->type_name("");
    command
        .add_option("-l,--layout", pack_.layout, "Instead of the document's: a name or FILE.json")
        ->type_name("LAYOUT");
    add_params(command, pack_.params);
    add_number(command, pack_.region_bytes, "SIZE", "Bytes that a slab may take");
    add_number(command, pack_.stride, "SIZE", "Bytes from one slab to the next, zeros between");
    command.add_option("--into", pack_.into, "Write into this file, in place")->type_name("DUMP");
    add_number(command, pack_.offset, "SIZE", "With --into: where the first slab begins");
    add_flag(command, "--raw", pack_.raw, "With --into: memory, whatever the file begins with");
    add_number(command, pack_.max_slab_bytes, "SIZE", "Refuse larger slabs (1GiB)");
    add_jobs(command, pack_.jobs);
    add_flag(command, "--strict", pack_.strict, "Refuse parameters above a soft maximum");
    add_flag(command, "--force", pack_.force, "Take documents without their residue");
    command.add_option("-o,--output", pack_.output, "Where the slabs go; - is stdout")
        ->type_name("SLAB");
  }

  void add_decode() {
    CLI::App& command = add("decode", "Slabs in a dump to rows documents (JSON)", decode_examples,
                            [this] { return run_decode(decode_, host_); });
    decode_.shows_progress = true;
    add_dump(command, decode_);
    add_groups(command, decode_);
    add_flag(command, "--trim", decode_.trim, "Shorten lists by trailing elements of fill");
    add_flag(command, "--no-residue", decode_.no_residue,
             "Leave out bytes that the rows do not give");
    add_flag(command, "--wide", decode_.wide, "Tables: lists whole, whatever the width");
    add_jobs(command, decode_.jobs);
    add_flag(command, "--no-fold", decode_.no_fold, "hex: all lines, also on a terminal");
    command
        .add_option("-f,--format", decode_.format,
                    "json, ndjson (default for several slabs), table or hex")
        ->type_name("FORMAT");
    command.add_option("-o,--output", decode_.output, "Where the rows go; - is stdout")
        ->type_name("OUT");
  }

  void add_layout() {
    CLI::App& command = add("layout", "Offsets, gaps and sizes of a layout", layout_examples,
                            [this] { return run_layout(layout_, host_); });
    command.add_option("LAYOUT", layout_.layout, "A name or FILE.json")->type_name("");
    add_params(command, layout_.params);
    add_number(command, layout_.rows, "N", "As if a document gave N rows (all of capacity)");
    command.add_option("--fit", layout_.fit, "The largest value of this parameter that fits")
        ->type_name("PARAM");
    add_number(command, layout_.region_bytes, "SIZE",
               "With --fit: the bytes that the slab may take; with --arena: of the arena");
    command.add_option("--compare", layout_.compare, "What moves from LAYOUT to this one (exit 1)")
        ->type_name("OTHER");
    command.add_option("--with", layout_.compare_params, "Set a parameter of OTHER alone")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--arena", layout_.arena,
                    "Instead of LAYOUT: the map of this arena, a name or FILE.json")
        ->type_name("ARENA");
    command
        .add_option("--locate", layout_.locate,
                    "Which field, row or gap this byte is (repeatable; exit 1: outside)")
        ->type_name("SIZE")
        ->allow_extra_args(false);
    add_number(command, layout_.base, "SIZE",
               "With --locate: the address of the first byte, for addresses");
    add_flag(command, "--list", layout_.list, "The built-in layouts");
    command.add_option("-f,--format", layout_.format, "table or json")->type_name("FORMAT");
    command.add_option("-o,--output", layout_.output, "Where it goes; - is stdout")
        ->type_name("OUT");
  }

  void add_lint() {
    CLI::App& command = add("lint", "What does not add up in slabs or rows documents",
                            lint_examples, [this] { return run_lint(lint_, host_); });
    add_dump(command, lint_);
    add_groups(command, lint_);
    add_number(command, lint_.region_bytes, "SIZE", "Bytes that a slab may take");
    add_flag(command, "--raw", lint_.raw, "Bytes, whatever they begin with");
    command.add_option("--only", lint_.only, "Run this rule (repeatable)")
        ->type_name("RULE")
        ->allow_extra_args(false);
    command.add_option("--disable", lint_.disable, "Do not run this rule (repeatable)")
        ->type_name("RULE")
        ->allow_extra_args(false);
    add_flag(command, "--strict", lint_.strict, "Exit 1 on warnings too");
    command.add_option("--explain", lint_.explain, "Tell what a rule is about, or 'all'")
        ->type_name("RULE");
    command.add_option("-f,--format", lint_.format, "table, json or sarif")->type_name("FORMAT");
    exclude_all_others(command, "--explain");
    command.add_option("-o,--output", lint_.output, "Where it goes; - is stdout")->type_name("OUT");
  }

  void add_diff() {
    CLI::App& command = add("diff", "What differs between two dumps, by field and row",
                            diff_examples, [this] { return run_diff(diff_, host_); });
    command.add_option("A", diff_.dump, "The old bytes; - is stdin")->type_name("")->required();
    command.add_option("B", diff_.other, "The new bytes; - is stdin")->type_name("")->required();
    add_slab_layout(command, diff_);
    command.get_option("--layout")->required();
    add_number(command, diff_.live, "N", "Rows that are live (all of capacity)");
    add_number(command, diff_.padded, "N", "Short for -D padded_rows=N");
    add_window(command, diff_.offset, diff_.length, diff_.stride);
    add_window(command, diff_.window_a.offset, diff_.window_a.length, diff_.window_a.stride,
               ", in A");
    add_window(command, diff_.window_b.offset, diff_.window_b.length, diff_.window_b.stride,
               ", in B");
    add_count_and_limit(command, diff_);
    add_regions_of(command, diff_);
    for (auto [side, window, whose] :
         {std::tuple("-a", &diff_.window_a, ", in A"), std::tuple("-b", &diff_.window_b, ", in B")})
      add_place(command, window->address, window->base, window->region, window->tensor,
                window->container, side, whose);
    command.add_option("--ignore", diff_.ignore, "gap, stale, or both with a comma between")
        ->type_name("LIST")
        ->allow_extra_args(false);
    command.add_option("-f,--format", diff_.format, "table or json")->type_name("FORMAT");
    command.add_option("-o,--output", diff_.output, "Where it goes; - is stdout")->type_name("OUT");
  }

  void add_verify() {
    CLI::App& command =
        add("verify", "Slabs on a device: do kernels read and pack them as laid out?",
            verify_examples, [this] { return run_verify(verify_, host_); });
    add_dump(command, verify_);
    command.get_option("--live")->description("Rows that are live, where parameters follow them");
    add_number(command, verify_.region_bytes, "SIZE", "Bytes that a slab of a document may take");
    add_flag(command, "--raw", verify_.raw, "Bytes, whatever they begin with");
    command.add_option("--device", verify_.device, device_help())->type_name("DEVICE");
    add_number(command, verify_.base_offset, "SIZE", "Move slabs from aligned addresses (0)");
    add_number(command, verify_.repeat, "N", "Do everything N times (1)");
    command
        .add_option("--inject", verify_.inject,
                    "Flip a byte of this element on the device, to see it found")
        ->type_name("FIELD[:INDEX]");
    add_flag(command, "--timings", verify_.timings,
             "Also time plain copies of the same bytes, and show all rates");
    command.add_option("-f,--format", verify_.format, "table or json")->type_name("FORMAT");
    command.add_option("-o,--output", verify_.output, "Where it goes; - is stdout")
        ->type_name("OUT");
  }

  void add_regions() {
    CLI::App& command = add("regions", "What a dump file holds, and at which addresses",
                            regions_examples, [this] { return run_regions(regions_, host_); });
    command.add_option("DUMP", regions_.dump, "The dump; - is stdin")->type_name("");
    add_number(command, regions_.base, "ADDRESS", "The address of the first byte");
    command
        .add_option("--container", regions_.container,
                    "What the dump is (by its first bytes): " + container_names())
        ->type_name("KIND");
    add_container_limits(command, regions_);
    command.add_option("-f,--format", regions_.format, "table or json")->type_name("FORMAT");
    command.add_option("-o,--output", regions_.output, "Where it goes; - is stdout")
        ->type_name("OUT");
  }

  void add_gen() {
    CLI::App& command = add("gen", "Pseudo-random rows that make sense", gen_examples,
                            [this] { return run_gen(gen_, host_); });
    command.add_option("LAYOUT", gen_.layout, "A name or FILE.json")->type_name("")->required();
    add_params(command, gen_.params);
    command.add_option("--rows", gen_.rows, "Live rows: N, or A..B (1)")->type_name("N");
    add_number(command, gen_.seed, "N", "The same seed, the same rows (1)");
    add_number(command, gen_.count, "N", "Number of documents");
    add_flag(command, "--share-prefix", gen_.share_prefix,
             "Rows may share full blocks at their start");
    command.add_option("--fault", gen_.fault, "Break this rule of lint (see lint --explain all)")
        ->type_name("RULE");
    command.add_option("-f,--format", gen_.format, "json, or ndjson (the default with --count)")
        ->type_name("FORMAT");
    command.add_option("-o,--output", gen_.output, "Where the rows go; - is stdout")
        ->type_name("OUT");
  }

  void add_schema() {
    CLI::App& command = add("schema", "JSON Schemas of all documents and outputs", schema_examples,
                            [this] { return run_schema(schema_, host_); });
    command.add_option("NAME", schema_.name, "Which one; without, what there is")->type_name("");
    command.add_option("-f,--format", schema_.format, "json; for 'error' also table")
        ->type_name("FORMAT");
    command.add_option("-o,--output", schema_.output, "Where it goes; - is stdout")
        ->type_name("OUT");
  }

  Host& host_;
  CLI::App app_{
      "Packs rows into the slabs that LLM inference engines upload to the GPU, decodes dumps "
      "of\nthem, and shows where every byte stands."};
  bool json_ = false;
  PackOptions pack_;
  DecodeOptions decode_;
  LayoutOptions layout_;
  LintOptions lint_;
  DiffOptions diff_;
  VerifyCommandOptions verify_;
  RegionsOptions regions_;
  GenOptions gen_;
  SchemaOptions schema_;
  std::function<Result<ExitCode>()> run_;
};

// The library's own words say only that something was not expected.
std::optional<Error> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  const char* const* const end = argv + argc;
  const char* const* const word = std::find_if(
      argv + std::min(argc, 1), end, [](std::string_view each) { return each != "--json"; });
  if (word == end || **word == '-' || !app.get_subcommands().empty()) return std::nullopt;
  std::string known;
  for (const CLI::App* const each : app.get_subcommands({}))
    known += (known.empty() ? "" : ", ") + each->get_name();
  return error(ErrorCode::usage, "there is no such command; see slabscope --help")
      .with(**word == 0 ? "an empty text" : printable(*word, 40), std::move(known));
}

// What was not expected, in the order in which it was given.
std::string in_words(const CLI::App& app, const CLI::ParseError& failed) {
  if (dynamic_cast<const CLI::ExtrasError*>(&failed) == nullptr) return failed.what();
  std::string words;
  for (const std::string& each : app.remaining(true)) words += " " + each;
  return "this was not expected:" + words;
}

int tell(Host& host, const Error& failed) {
  host.tell(Severity::error, failed);
  return info(failed.code).exit_code;
}

int finish(Host& host, const Result<ExitCode>& outcome) {
  return outcome ? static_cast<int>(*outcome) : tell(host, outcome.error());
}

}  // namespace

int run_command_line(int argc, const char* const* argv, Host& host) {
  // Needed before the options are parsed, for what is wrong with them.
  const char* const* const end = std::find(argv, argv + argc, std::string_view("--"));
  host.set_json_messages(std::find(argv, end, std::string_view("--json")) != end);
  CommandLine line(host);
  try {
    line.app().parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = line.app().get_subcommands();
    return finish(
        host,
        print(chosen.empty() ? line.app().help() : chosen.front()->help("slabscope"), "-", host));
  } catch (const CLI::CallForVersion& version) {
    return finish(host, print(std::string(version.what()) + "\n", "-", host));
  } catch (const CLI::ParseError& failed) {
    if (auto unknown = unknown_command(line.app(), argc, argv)) return tell(host, *unknown);
    const auto chosen = line.app().get_subcommands();
    const std::string command =
        chosen.empty() ? "slabscope" : "slabscope " + chosen.front()->get_name();
    return tell(host, error(ErrorCode::usage, printable(in_words(line.app(), failed)) + "; see " +
                                                  command + " --help"));
  }
  return finish(host, line.run());
}

}  // namespace slabscope::app
