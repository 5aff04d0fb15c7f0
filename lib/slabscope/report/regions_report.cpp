#include <slabscope/report/regions_report.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/report/table.h>

namespace slabscope {
namespace {

std::string shape_text(const Region& region) {
  std::string text;
  for (const std::uint64_t each : region.shape)
    text += (text.empty() ? "" : " x ") + std::to_string(each);
  return region.shape.empty() ? "" : "[" + text + "]";
}

std::string type_text(const Region& region) {
  if (!region.type) return "";
  return printable(region.type->name, 40) + (region.type->is_big_endian ? " (big-endian)" : "");
}

}  // namespace

void RegionsReport::write_table(TextWriter& text) const {
  text.put(printable(file, 4096) + ": " + std::string(container.name()) + "\n");
  for (const ContainerFact& each : container.facts())
    text.put("  " + printable(each.name, 60) + ": " + printable(each.value, 400) + "\n");
  if (!container.regions().empty()) text.put("\n");
  Table table({{"region", Align::left, false},
               {"kind", Align::left, false},
               {"address", Align::left, false},
               {"bytes", Align::right, false},
               {"in file at", Align::right, false},
               {"type", Align::left, false},
               {"shape", Align::left, false}});
  bool is_any_cut = false;
  const std::vector<std::string> names = region_names(container.regions());
  for (std::size_t index = 0; index < names.size(); ++index) {
    const Region& each = container.regions()[index];
    is_any_cut = is_any_cut || each.missing != 0;
    table.add({each.name.empty() ? "(all)" : printable(names[index]), each.kind,
               each.address ? hex_text(*each.address) : "",
               std::to_string(each.bytes == unknown_bytes ? unknown : each.bytes),
               each.file_offset ? std::to_string(*each.file_offset) : "", type_text(each),
               shape_text(each)});
  }
  if (!container.regions().empty()) text.put(table.text());
  if (is_any_cut) text.put("\n");
  for (std::size_t index = 0; index < names.size(); ++index) {
    const Region& each = container.regions()[index];
    if (each.missing != 0)
      text.put("cut: of '" + printable(names[index]) + "' the file lacks the last " +
               std::to_string(each.missing) + " of " + std::to_string(each.bytes) + " B\n");
  }
  if (container.remark().empty()) return;
  text.put("\n");
  for (const std::string& line : wrap(std::string(container.remark()), 80)) text.put(line + "\n");
}

void RegionsReport::write_json(TextWriter& text) const {
  text.put("{\"file\": " + json_string(file) + ", \"container\": " + json_string(container.name()) +
           ",\n \"facts\": [");
  std::string_view comma;
  for (const ContainerFact& each : container.facts()) {
    text.put(comma);
    text.put("{\"name\": " + json_string(each.name) + ", \"value\": " + json_string(each.value) +
             "}");
    comma = ", ";
  }
  text.put("],\n");
  if (!container.remark().empty())
    text.put(" \"remark\": " + json_string(container.remark()) + ",\n");
  text.put(" \"regions\": [");
  comma = "\n  ";
  const std::vector<std::string> names = region_names(container.regions());
  for (std::size_t index = 0; index < names.size(); ++index) {
    const Region& each = container.regions()[index];
    text.put(comma);
    comma = ",\n  ";
    text.put("{\"name\": " + json_string(names[index]) + ", \"kind\": " + json_string(each.kind));
    if (each.address) text.put(", \"address\": \"" + hex_text(*each.address) + "\"");
    text.put(", \"bytes\": ");
    text.put(int128{each.bytes == unknown_bytes ? unknown : each.bytes});
    if (each.missing != 0) text.put(", \"missing\": " + std::to_string(each.missing));
    if (each.file_offset) text.put(", \"file_offset\": " + std::to_string(*each.file_offset));
    if (each.type) {
      text.put(", \"type\": " + json_string(each.type->name));
      if (each.type->is_big_endian) text.put(", \"big_endian\": true");
      text.put(", \"shape\": [");
      std::string_view between;
      for (const std::uint64_t extent : each.shape) {
        text.put(between);
        text.put(int128{extent});
        between = ", ";
      }
      text.put("]");
    }
    text.put("}");
  }
  text.put("]}\n");
}

}  // namespace slabscope
