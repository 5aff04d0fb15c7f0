#include "diff.h"

#include "self_described.h"

#include <slabscope/check/diff.h>
#include <slabscope/report/diff_report.h>

#include <algorithm>
#include <string_view>

namespace slabscope::app {
namespace {

// One of the two dumps: its options, and its slabs once it is open.
struct Side {
  DumpOptions options;
  std::unique_ptr<DumpSlabs> slabs;

  Side(const DiffOptions& both, const char* name, const std::string& dump,
       const DiffOptions::Window& window)
      : options(both) {
    options.dump = dump;
    options.note_prefix = std::string(name) + ": ";
    // What one side says of its place is instead of what both have in common.
    if (window.offset.text || window.address.text) {
      options.offset = window.offset;
      options.address = window.address;
    }
    if (window.region || window.tensor) {
      options.region = window.region;
      options.tensor = window.tensor;
    }
    if (window.container) options.container = window.container;
    if (window.base.text) options.base = window.base;
    if (window.length.text) options.length = window.length;
    if (window.stride.text) options.stride = window.stride;
  }

  Result<void> open(const DescriptionPtr& description, Host& host) {
    Result<Dump> dump = apply_self_description(options, host);
    if (!dump) return fail(std::move(dump).error());
    auto opened = DumpSlabs::open(options, host, *std::move(dump), CutSlabs::refuse, description);
    if (!opened) {
      // What follows from the bytes of this dump has it as its place.
      Error failed = std::move(opened).error();
      if (failed.file.empty() && failed.pointer.empty()) failed.file = options.dump;
      return fail(std::move(failed));
    }
    slabs = *std::move(opened);
    return {};
  }
};

Result<DiffRules> diff_rules(const std::vector<std::string>& ignore) {
  DiffRules rules;
  for (const std::string& list : ignore) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string each = list.substr(begin, end - begin);
      if (each == "gap") {
        rules.ignore_gaps = true;
      } else if (each == "stale") {
        rules.ignore_stale = true;
      } else {
        Error made = error(ErrorCode::usage, "this cannot be ignored");
        made.pointer = "--ignore";
        return fail(std::move(made).with(printable(each, 40), "gap, stale"));
      }
      begin = end + 1;
    }
  }
  return rules;
}

// Where one parameter was left to the bytes of each dump, it must have come out alike.
Result<void> check_same_params(const Layout& before, const Layout& after) {
  for (const Assignment& each : before.params) {
    const Assignment* const other = find(after.params, each.name);
    if (other == nullptr || other->value == each.value) continue;
    Error made = error(ErrorCode::param_unsolved,
                       "the windows of A and B are of slabs of different size: '" + each.name +
                           "' is " + std::to_string(each.value) + " in A and " +
                           std::to_string(other->value) + " in B");
    made.pointer = "-D " + each.name;
    return fail(std::move(made));
  }
  return {};
}

class DiffRun {
 public:
  DiffRun(DumpSlabs& before, DumpSlabs& after, const SlabDiff& diff)
      : before_(before), after_(after), diff_(diff) {}

  Result<void> run(DiffReport& report, const TextWriter& text) {
    const auto count_before = before_.count();
    const auto count_after = after_.count();
    if (count_before && count_after && *count_before != *count_after)
      return numbers_differ(*count_before, *count_after);
    for (std::uint64_t number = 0; !text.failed(); ++number) {
      SLABSCOPE_TRY_ASSIGN(before, before_.next());
      SLABSCOPE_TRY_ASSIGN(after, after_.next());
      if (!before && !after) break;
      if (!before || !after) return one_goes_on(number, before.has_value());
      report.begin_slab(before->offset, after->offset);
      diff_.compare(before->bytes, after->bytes, [&](const Change& change) { report.add(change); });
    }
    return {};
  }

 private:
  static Failure numbers_differ(std::uint64_t before, std::uint64_t after) {
    return fail(error(ErrorCode::ragged_dump, "A holds " + counted(before, "slab") + " and B " +
                                                  std::to_string(after) + "; --count " +
                                                  std::to_string(std::min(before, after)) +
                                                  " compares those that both have"));
  }

  // One dump has ended behind `number` slabs, and the other one goes on.
  static Failure one_goes_on(std::uint64_t number, bool is_before) {
    return fail(error(ErrorCode::ragged_dump,
                      std::string(is_before ? "A" : "B") + " holds more slabs than " +
                          (is_before ? "B" : "A") + ", which holds " + counted(number, "slab") +
                          "; --count " + std::to_string(number) +
                          " compares those that both have"));
  }

  DumpSlabs& before_;
  DumpSlabs& after_;
  const SlabDiff& diff_;
};

}  // namespace

Result<ExitCode> run_diff(const DiffOptions& options, Host& host) {
  if (options.format != "table" && options.format != "json")
    return fail(unknown_format(options.format, "table, json"));
  if (options.dump == "-" && options.other == "-")
    return fail(ErrorCode::usage, "A and B cannot both come from standard input");
  if (options.layout == "-" && (options.dump == "-" || options.other == "-"))
    return fail(ErrorCode::usage, "the layout and a dump cannot both come from standard input");
  SLABSCOPE_TRY(check_padded(options.padded, options.params));
  SLABSCOPE_TRY_ASSIGN(rules, diff_rules(options.ignore));
  SLABSCOPE_TRY_ASSIGN(description, load_layout(options.layout, "--layout", host));
  Side before(options, "A", options.dump, options.window_a);
  Side after(options, "B", options.other, options.window_b);
  SLABSCOPE_TRY(before.open(description, host));
  SLABSCOPE_TRY(after.open(description, host));
  const Layout& layout = before.slabs->layout();
  tell_warnings(layout, host);
  SLABSCOPE_TRY(check_same_params(layout, after.slabs->layout()));
  const std::optional<Assignment>& padded = before.slabs->padded_rows();
  if (padded && description->row_param) rules.uploaded_rows = padded->value;
  Result<SlabDiff> diff = SlabDiff::of(layout, rules);
  if (!diff) {
    if (padded && diff.error().code == ErrorCode::padded_rows)
      diff.error().pointer = padded->origin.pointer;
    return fail(std::move(diff).error());
  }
  if (rules.ignore_stale && !diff->knows_used_entries())
    host.note("entries past those in use are compared: -D block_size=N tells them apart");
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  TextWriter text(*output);
  DiffReport report(options.format == "json" ? DiffFormat::json : DiffFormat::table, *diff, text);
  SLABSCOPE_TRY(DiffRun(*before.slabs, *after.slabs, *diff).run(report, text));
  report.finish();
  SLABSCOPE_TRY(text.finish());
  SLABSCOPE_TRY(output->commit());
  return report.changes() != 0 ? ExitCode::findings : ExitCode::done;
}

}  // namespace slabscope::app
