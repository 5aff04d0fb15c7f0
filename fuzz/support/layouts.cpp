#include "layouts.h"

#include "property.h"

#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/embedded.h>
#include <slabscope/layout/outline.h>
#include <slabscope/layout/solve.h>

#include <tests/support/own_layouts.h>

#include <algorithm>

namespace slabscope::fuzz {
namespace {

FuzzLayout made_of(std::string_view text) {
  MemorySource source(text);
  FuzzLayout made{text, tests::read_reference(text).value(),
                  read_description(source, "layout.json").value()};
  for (const ParamDescription& each : made.description->params)
    if (!each.value) made.settable.push_back(each.name);
  for (const std::string_view each : well_known_params)
    if (made.description->find_param(each) == nullptr) made.settable.emplace_back(each);
  return made;
}

}  // namespace

const std::vector<FuzzLayout>& layouts() {
  static const std::vector<FuzzLayout> all = [] {
    std::vector<FuzzLayout> made;
    for (const EmbeddedFile& each : embedded_layouts()) made.push_back(made_of(each.text));
    for (const char* const each : tests::own_layouts) made.push_back(made_of(each));
    return made;
  }();
  return all;
}

Assignments assignments(const ReferenceParams& params) {
  Assignments made;
  for (const auto& [name, value] : params) made.push_back({name, value, {}});
  return made;
}
ReferenceParams reference_params(const Assignments& params) {
  ReferenceParams made;
  for (const Assignment& each : params) made.emplace_back(each.name, each.value);
  return made;
}

void check_resolved(const Layout& layout, const ReferenceLayout& reference) {
  const auto same = [&](std::string_view what, std::uint64_t got, std::uint64_t wanted) {
    require(got == wanted, "the layout agrees with a second evaluation", [&] {
      return reference.name + ": " + std::string(what) + " is " + std::to_string(got) + ", not " +
             std::to_string(wanted);
    });
  };
  same("size", layout.size, reference.size);
  same("align", layout.align, reference.align);
  same("capacity", layout.capacity, reference.capacity);
  same("row_count", layout.row_count, reference.row_count);
  same("live_rows", layout.live_rows, reference.live_rows);
  same("padded_rows", layout.padded_rows, reference.padded_rows);
  require(reference_params(layout.params) == reference.params &&
              reference_params(layout.carried) == reference.carried,
          "parameters agree with a second evaluation");
  same("number of fields", layout.fields.size(), reference.fields.size());
  for (std::size_t index = 0; index < layout.fields.size(); ++index) {
    const ResolvedField& field = layout.fields[index];
    const ReferenceField& wanted = reference.fields[index];
    same("offset of " + wanted.name, field.offset, wanted.offset);
    same("bytes of " + wanted.name, field.bytes, wanted.bytes);
    same("element bytes of " + wanted.name, field.element_bytes(), wanted.width);
    require(field.shape == wanted.shape && field.pad.has_value() == wanted.pad.has_value() &&
                (!wanted.pad || *field.pad == *wanted.pad) &&
                field.fill.has_value() == wanted.fill.has_value() &&
                (!wanted.fill || *field.fill == *wanted.fill),
            "shape, fill and pad agree with a second evaluation", [&] { return wanted.name; });
  }
}

void check_tiles(const Layout& layout) {
  std::vector<std::size_t> tiles_of(layout.fields.size());
  std::uint64_t here = 0;
  for (const Tile& each : layout.tiles) {
    require(each.bytes != 0 && each.offset == here && each.bytes <= layout.size - here,
            "tiles follow each other without a hole",
            [&] { return "at " + std::to_string(here) + " of " + std::to_string(layout.size); });
    here += each.bytes;
    if (each.is_gap()) continue;
    const ResolvedField& field = layout.fields.at(each.field);
    ++tiles_of[each.field];
    require(field.offset == each.offset && field.bytes == each.bytes, "a field is one tile",
            [&] { return field.name(); });
  }
  require(here == layout.size, "tiles go to the end");
  for (std::size_t index = 0; index < tiles_of.size(); ++index)
    require(tiles_of[index] == (layout.fields[index].bytes == 0 ? 0U : 1U),
            "every field with bytes has a tile", [&] { return layout.fields[index].name(); });
}

std::optional<Layout> check_resolution(const DescriptionPtr& description, const JsonReference& tree,
                                       const ReferenceParams& given, ReferenceRowNumbers rows) {
  Result<Layout> layout =
      resolve(description, assignments(given), {rows.row_count, rows.live_rows});
  const auto reference = resolve_reference(tree, given, rows);
  require(layout.has_value() == reference.has_value(),
          "parameters are taken exactly when a second evaluation takes them",
          [&] { return layout ? "taken" : to_line(layout.error(), "resolve"); });
  if (!layout) return check_error(layout.error(), {}, {}), std::nullopt;
  check_resolved(*layout, *reference);
  check_tiles(*layout);
  return std::move(*layout);
}

namespace {

Assignments without(const Layout& layout, const std::string& unset) {
  Assignments rest;
  for (const Assignment& each : layout.given)
    if (each.name != unset) rest.push_back(each);
  return rest;
}

// Empty where the size is known, or nothing is.
std::string size_expression(const Layout& layout, const std::string& unset) {
  const auto made = outline(layout.description, without(layout, unset), layout.row_count);
  return made && !made->size.value ? made->size.expression : std::string();
}

}  // namespace

void check_outline(const Layout& layout, const std::string& unset) {
  if (layout.live_rows != layout.row_count) return;  // an outline takes all rows to be live
  const std::string expression = size_expression(layout, unset);
  const auto value_of = [&](std::string_view name) {
    const Assignment* const found = find(layout.params, name);
    return found == nullptr ? ReferenceValue{0, "param_missing"}
                            : ReferenceValue{int128{found->value}};
  };
  const auto size = evaluate_reference(expression, ReferenceDomain::counts, value_of);
  require(!size || !size->has_value() || size->value == int128{layout.size},
          "the outline's expression gives the size",
          [&] { return expression + ", not " + std::to_string(layout.size); });
}

void check_solved(const Layout& layout, const std::string& unset) {
  if (size_expression(layout, unset).empty()) return;
  const Assignments rest = without(layout, unset);
  const RowNumbers rows{layout.row_count, layout.live_rows};
  const auto solved = solve_param(layout.description, rest, rows, unset, layout.size);
  if (!solved) return check_error(solved.error(), {}, {});
  for (const std::uint64_t value : {solved->first, solved->last}) {
    Assignments all = rest;
    all.push_back({unset, value, {}});
    const auto again = resolve(layout.description, all, rows);
    require(again && again->size == layout.size, "a solved parameter gives the size",
            [&] { return unset + " = " + std::to_string(value); });
  }
}

}  // namespace slabscope::fuzz
