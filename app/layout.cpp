#include "layout.h"

#include "arena_slabs.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/catalog.h>
#include <slabscope/layout/solve.h>
#include <slabscope/report/arena_report.h>
#include <slabscope/report/layout_comparison.h>
#include <slabscope/report/layout_report.h>
#include <slabscope/report/locate_report.h>

#include <algorithm>

namespace slabscope::app {
namespace {

Result<ExitCode> print_catalog(bool as_json, const std::string& path, Host& host) {
  std::vector<DescriptionPtr> catalog;
  for (const std::string_view name : builtin_layout_names()) {
    SLABSCOPE_TRY_ASSIGN(description, builtin_layout(name));
    catalog.push_back(description);
  }
  return print(as_json ? catalog_json(catalog) : catalog_table(catalog), path, host);
}

// Which bytes of the slabs the positions are.
Result<ExitCode> locate(const LayoutOptions& options, std::vector<LocatableSlab> slabs,
                        const std::string& arena, bool as_json, Host& host) {
  SLABSCOPE_TRY_ASSIGN(base, parse_size(options.base));
  for (const LocatableSlab& each : slabs) {
    if (checked_add(base.value_or(0), each.begin + each.layout->size)) continue;
    Error made = error(ErrorCode::out_of_range, "the slab ends past the address space");
    made.pointer = options.base.option;
    return fail(std::move(made).with(std::to_string(*base), {}));
  }
  constexpr std::uint64_t least_address = std::uint64_t{1} << 32;  // beyond any slab
  std::uint64_t furthest = 0;
  Locator locator(std::move(slabs), base);
  for (const std::string& each : options.locate) {
    SLABSCOPE_TRY_ASSIGN(position, parse_size({"--locate", each}));
    locator.add(*position);
    furthest = std::max(furthest, *position);
  }
  SLABSCOPE_TRY(print(as_json ? locator.json(arena) : locator.text(), options.output, host));
  if (locator.all_inside()) return ExitCode::done;
  if (!base && furthest >= least_address)
    host.note("--locate looks for " + hex_text(furthest) +
              " bytes behind the begin: if it is an address, give that of the first byte with "
              "--base");
  return ExitCode::findings;
}

// The map of an arena.
Result<ExitCode> show_arena(const LayoutOptions& options, bool as_json, Host& host) {
  if (options.layout || options.list || options.compare || !options.compare_params.empty() ||
      options.fit)
    return fail(ErrorCode::usage,
                "--arena shows an arena's map, and takes no LAYOUT, --list, "
                "--compare, --with or --fit");
  if (!options.locate.empty() && options.region_bytes.text)
    return fail(ErrorCode::usage, "--region-bytes says nothing about what --locate looks for");
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(bytes, parse_size(options.region_bytes));
  SLABSCOPE_TRY_ASSIGN(arena, load_arena(*options.arena, params, options.rows, host));
  if (bytes) arena.bytes = bytes;
  SLABSCOPE_TRY_ASSIGN(placed, place_arena(std::move(arena)));
  for (const PlacedSlab& each : placed.slabs)
    if (each.layout) tell_warnings(*each.layout, host);
  if (!options.locate.empty()) {
    std::vector<LocatableSlab> slabs;
    for (const PlacedSlab& each : placed.slabs) {
      if (!each.layout)  // a byte may be its own, nobody knows
        return fail(missing_param(*each.slab->layout, each.unset.front()));
      slabs.push_back({each.slab->name, &*each.layout, each.begin()});
    }
    return locate(options, std::move(slabs), placed.arena.name, as_json, host);
  }
  SLABSCOPE_TRY(print(as_json ? arena_json(placed) : arena_table(placed), options.output, host));
  return placed.is_sound() ? ExitCode::done : ExitCode::findings;
}

Result<ExitCode> compare(const LayoutOptions& options, const DescriptionPtr& description,
                         const Assignments& params, RowNumbers rows, bool as_json, Host& host) {
  SLABSCOPE_TRY_ASSIGN(other, load_layout(*options.compare, "--compare", host));
  SLABSCOPE_TRY_ASSIGN(changed, parse_params(options.compare_params));
  // Parameters of the first hold for the second as far as it has them.
  Assignments others;
  for (const Assignment& each : params)
    if (const ParamDescription* const param = other->find_param(each.name);
        param != nullptr && !param->value)
      others.push_back(each);
  for (const Assignment& each : changed) assign(others, each);
  SLABSCOPE_TRY_ASSIGN(from, resolve(description, params, rows));
  SLABSCOPE_TRY_ASSIGN(to, resolve(other, others, rows));
  const std::vector<LayoutChange> changes = compare_layouts(from, to);
  SLABSCOPE_TRY(
      print(as_json ? comparison_json(from, to, changes) : comparison_table(from, to, changes),
            options.output, host));
  return changes.empty() ? ExitCode::done : ExitCode::findings;
}

// Tokens that the entries of a table stand for, where the parameter counts them and the block size
// is known.
std::optional<std::uint64_t> tokens_of(const Description& description, const Assignments& params,
                                       const std::string& param, std::uint64_t value) {
  const Assignment* const block_size = find(params, "block_size");
  if (block_size == nullptr) return std::nullopt;
  for (const FieldDescription& each : description.fields)
    if (each.role == "block_table" && !each.shape.empty() && each.shape.back().as_name() == param)
      return checked_multiply(value, block_size->value);
  return std::nullopt;
}

}  // namespace

Result<ExitCode> run_layout(const LayoutOptions& options, Host& host) {
  const bool as_json = options.format == "json";
  if (!as_json && options.format != "table")
    return fail(unknown_format(options.format, "table, json"));
  if (options.base.text && options.locate.empty())
    return fail(ErrorCode::usage, "--base is the address of the first byte for --locate");
  if (options.arena) return show_arena(options, as_json, host);
  if (options.list && options.layout)
    return fail(ErrorCode::usage, "--list shows all built-in layouts and takes no name");
  if (options.list || !options.layout) {
    if (!options.locate.empty())
      return fail(ErrorCode::usage, "--locate needs a layout, or --arena");
    if (!options.params.empty())
      return fail(ErrorCode::usage, "-D needs a layout to set parameters of");
    if (options.rows.text || options.fit || options.region_bytes.text || options.compare ||
        !options.compare_params.empty())
      return fail(ErrorCode::usage,
                  "--rows, --fit, --region-bytes, --compare and --with need a layout");
    return print_catalog(as_json, options.output, host);
  }
  if (options.fit.has_value() != options.region_bytes.text.has_value())
    return fail(ErrorCode::usage, "--fit and --region-bytes go together");
  if (!options.compare_params.empty() && !options.compare)
    return fail(ErrorCode::usage,
                "--with sets parameters of the layout of --compare, and there is none");
  if (options.compare && !options.locate.empty())
    return fail(ErrorCode::usage, "--compare and --locate exclude each other");
  if (options.compare && options.fit)
    return fail(ErrorCode::usage, "--compare and --fit exclude each other");
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(rows, parse_count(options.rows));
  SLABSCOPE_TRY_ASSIGN(description, load_layout(*options.layout, "LAYOUT", host));
  if (options.compare) return compare(options, description, params, {rows, {}}, as_json, host);

  if (!options.locate.empty()) {
    if (options.fit) return fail(ErrorCode::usage, "--locate and --fit exclude each other");
    SLABSCOPE_TRY_ASSIGN(layout, resolve(description, params, {rows, {}}));
    if (rows) SLABSCOPE_TRY(check_rows(layout));
    tell_warnings(layout, host);
    return locate(options, {{"", &layout, 0}}, "", as_json, host);
  }

  std::optional<LayoutFit> fit;
  if (options.fit) {
    SLABSCOPE_TRY_ASSIGN(region_bytes, parse_size(options.region_bytes));
    const ParamDescription* const param = description->find_param(*options.fit);
    if (param == nullptr) {
      Error made = error(ErrorCode::unknown_param,
                         "the layout '" + description->name + "' has no such parameter");
      made.pointer = "--fit";
      return fail(std::move(made).with(printable(*options.fit, 80), {}));
    }
    if (find(params, *options.fit) != nullptr)
      return fail(ErrorCode::usage,
                  "--fit finds the value of '" + *options.fit + "', and -D sets it");
    SLABSCOPE_TRY_ASSIGN(value,
                         fit_param(description, params, {rows, {}}, *options.fit, *region_bytes));
    fit = LayoutFit{*options.fit, value, *region_bytes,
                    tokens_of(*description, params, *options.fit, value)};
    assign(params, {*options.fit, value, {}});
  }
  SLABSCOPE_TRY_ASSIGN(made, outline(description, params, rows));
  if (rows)
    if (const Result<Layout> layout = resolve(description, params, {rows, {}}); layout)
      SLABSCOPE_TRY(check_rows(*layout));
  for (const Error& each : made.warnings) host.tell(Severity::warning, each);
  return print(as_json ? layout_json(made, fit) : layout_table(made, fit), options.output, host);
}

}  // namespace slabscope::app
