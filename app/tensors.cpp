#include "tensors.h"

#include "meant_region.h"

#include <slabscope/dump/assemble.h>
#include <slabscope/layout/resolve_dump.h>

#include <map>
#include <utility>

namespace slabscope::app {
namespace {

Failure unusable(std::string message, std::string got = {}) {
  Error made = error(ErrorCode::usage, std::move(message));
  made.pointer = "--tensors";
  return fail(std::move(made).with(std::move(got), "FIELD=FILE[:NAME],.."));
}

Result<void> check_others(const DumpOptions& options) {
  const auto refuse = [](const std::string& option) {
    return fail(ErrorCode::usage,
                "--tensors makes one slab of whole tensors, and " + option + " is given too");
  };
  for (const NumberOption* const each : {&options.address, &options.base, &options.offset,
                                         &options.length, &options.stride, &options.count})
    if (each->text) return refuse(each->option);
  if (options.arena) return refuse("--arena");
  if (options.region || options.tensor) return refuse("--region or --tensor");
  if (options.container) return refuse("--container");
  if (options.dump != "-") return refuse("DUMP");
  return {};
}

struct TensorName {
  std::string field;
  std::string file;
  std::string name;  // empty: the only one of the file

  [[nodiscard]] std::string shown() const { return name.empty() ? file : file + ":" + name; }
};

Result<std::vector<TensorName>> parse_names(std::string_view text) {
  std::vector<TensorName> names;
  for (bool is_more = true; is_more;) {
    const std::size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    is_more = comma != std::string_view::npos;
    if (is_more) text.remove_prefix(comma + 1);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return unusable("this names no field and file", printable(one, 60));
    TensorName made{std::string(one.substr(0, equals)), std::string(one.substr(equals + 1)), {}};
    if (const std::size_t colon = made.file.rfind(':'); colon != std::string::npos) {
      made.name = made.file.substr(colon + 1);
      made.file.resize(colon);
    }
    if (made.file.empty() || made.file == "-")
      return unusable("tensors are read from files", printable(one, 60));
    names.push_back(std::move(made));
  }
  return names;
}

// The files of the tensors, each opened once.
class TensorFiles {
 public:
  TensorFiles(const DumpOptions& options, Host& host) : options_(options), host_(host) {}

  Result<DumpedColumn> open(TensorName wanted) {
    SLABSCOPE_TRY_ASSIGN(container, open_file(wanted));
    SLABSCOPE_TRY_ASSIGN(index, find(wanted, *container));
    auto bytes = container->open(index);
    if (!bytes) {
      if (bytes.error().file.empty()) bytes.error().file = wanted.file;
      return fail(std::move(bytes).error());
    }
    const Region& region = container->regions()[index];
    return DumpedColumn{wanted.field, *std::move(bytes), region.type, region.shape, wanted.shown()};
  }

 private:
  // Where there is no such file, the colon is one of the path.
  Result<std::shared_ptr<Container>> open_file(TensorName& wanted) {
    auto opened = open_once(wanted.file);
    if (opened || wanted.name.empty() || opened.error().code != ErrorCode::open_failed)
      return opened;
    auto whole = open_once(wanted.shown());
    if (whole) wanted = {wanted.field, wanted.shown(), {}};
    return whole;
  }

  Result<std::shared_ptr<Container>> open_once(const std::string& path) {
    const auto before = opened_.find(path);
    if (before != opened_.end()) return before->second;
    RegionOptions of_file = options_;
    of_file.dump = path;
    of_file.takes_container = false;
    SLABSCOPE_TRY_ASSIGN(dump, open_dump(of_file, host_));
    if (dump.file.stream != nullptr) return unusable("tensors are read from files", path);
    if (const std::string_view passed = dump.container->passed_over(); !passed.empty())
      host_.note(options_.note_prefix + printable(path) + ": " + std::string(passed));
    return opened_[path] = dump.container;
  }

  // Bytes without a type are taken, too.
  static Result<std::size_t> find(const TensorName& wanted, const Container& container) {
    const bool is_named = !wanted.name.empty();
    auto found = meant_region(container, is_named ? std::optional(wanted.name) : std::nullopt);
    if (found) return found;
    Error failed = std::move(found).error();
    failed.file = wanted.file;
    if (!is_named && !container.regions().empty()) failed.message += ": name one behind a colon";
    return fail(std::move(failed));
  }

  const DumpOptions& options_;
  Host& host_;
  std::map<std::string, std::shared_ptr<Container>> opened_;
};

// What -D says goes before what shapes say.
Result<Assignments> add_params(DumpOptions& options, const Assignments& of_columns, Host& host) {
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  std::string note;
  for (const Assignment& each : of_columns) {
    if (find(params, each.name) != nullptr) continue;
    const std::string text = each.name + "=" + std::to_string(each.value);
    params.push_back({each.name, each.value, {{}, {}, "-D " + each.name, true}});
    options.params.push_back(text);
    note += (note.empty() ? "" : ", ") + text;
  }
  if (!note.empty()) host.note(options.note_prefix + note + ", as the tensors' shapes are");
  return params;
}

}  // namespace

Result<DumpFile> open_tensors(DumpOptions& options, Host& host) {
  SLABSCOPE_TRY(check_others(options));
  SLABSCOPE_TRY_ASSIGN(names, parse_names(*options.tensors));
  if (options.layout.empty())
    return fail(ErrorCode::usage, "tensors do not name their layout: give --layout");
  SLABSCOPE_TRY_ASSIGN(description, load_layout(options.layout, "--layout", host));
  SLABSCOPE_TRY_ASSIGN(live, parse_count(options.live));
  SLABSCOPE_TRY_ASSIGN(max_slab_bytes, parse_size(options.max_slab_bytes));
  TensorFiles files(options, host);
  std::vector<DumpedColumn> columns;
  for (const TensorName& each : names) {
    SLABSCOPE_TRY_ASSIGN(column, files.open(each));
    columns.push_back(std::move(column));
  }
  SLABSCOPE_TRY_ASSIGN(of_columns, params_of_columns(*description, columns));
  SLABSCOPE_TRY_ASSIGN(params, add_params(options, of_columns, host));
  SLABSCOPE_TRY_ASSIGN(resolved, resolve_dump(description, params, live, std::nullopt));
  SLABSCOPE_TRY_ASSIGN(
      slab, assemble_slab(resolved.layout, std::move(columns),
                          max_slab_bytes.value_or(default_max_slab_bytes), options.reinterpret));
  options.container = "raw";
  options.dump = *options.tensors;
  DumpFile made;
  made.access = std::make_shared<HeldAccess>(std::move(slab));
  return made;
}

}  // namespace slabscope::app
