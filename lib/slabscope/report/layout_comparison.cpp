#include <slabscope/base/integer_text.h>
#include <slabscope/report/layout_comparison.h>
#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

namespace slabscope {
namespace {

std::string shape_text(const ResolvedField& field) {
  if (field.shape.empty()) return "scalar";
  std::string text;
  for (const std::uint64_t each : field.shape)
    text += (text.empty() ? "[" : " x ") + std::to_string(each);
  return text + "]";
}

// What is compared of a field, in the order in which it is told.
std::vector<std::pair<std::string, std::string>> figures(const ResolvedField& field) {
  return {{"offset", std::to_string(field.offset)},
          {"bytes", std::to_string(field.bytes)},
          {"type", std::string(name(field.type()))},
          {"shape", shape_text(field)}};
}

// Numbers as numbers, types and shapes as text.
nlohmann::ordered_json figure(const std::string& text) {
  const IntegerText number = parse_integer(text);
  if (number.fault != IntegerTextFault::none) return text;
  return static_cast<std::uint64_t>(number.value);
}

std::string title(const Layout& layout) {
  std::string text = layout.description->name;
  for (const Assignment& each : layout.params)
    text += " " + each.name + "=" + std::to_string(each.value);
  return text;
}

}  // namespace

std::vector<LayoutChange> compare_layouts(const Layout& from, const Layout& to) {
  std::vector<LayoutChange> changes;
  for (const ResolvedField& field : from.fields) {
    const ResolvedField* const other = to.find_field(field.name());
    const auto mine = figures(field);
    if (other == nullptr) {
      changes.push_back({field.name(), "offset", mine.front().second, std::nullopt});
      continue;
    }
    const auto theirs = figures(*other);
    for (std::size_t index = 0; index < mine.size(); ++index)
      if (mine[index].second != theirs[index].second)
        changes.push_back(
            {field.name(), mine[index].first, mine[index].second, theirs[index].second});
  }
  for (const ResolvedField& field : to.fields)
    if (from.find_field(field.name()) == nullptr)
      changes.push_back({field.name(), "offset", std::nullopt, std::to_string(field.offset)});
  if (from.size != to.size)
    changes.push_back({"", "size", std::to_string(from.size), std::to_string(to.size)});
  return changes;
}

std::string comparison_table(const Layout& from, const Layout& to,
                             const std::vector<LayoutChange>& changes) {
  std::string text = "from  " + title(from) + "\nto    " + title(to) + "\n\n";
  if (changes.empty()) return text + "nothing moved\n";
  Table table({{"field", Align::left, false},
               {"what", Align::left, false},
               {"from", Align::right, false},
               {"to", Align::right, false}});
  for (const LayoutChange& each : changes)
    table.add({each.field.empty() ? "(slab)" : each.field, each.what, each.from.value_or("-"),
               each.to.value_or("-")});
  return text + table.text();
}

std::string comparison_json(const Layout& from, const Layout& to,
                            const std::vector<LayoutChange>& changes) {
  const auto side = [](const Layout& layout) {
    nlohmann::ordered_json made = {{"layout", layout.description->name},
                                   {"params", nlohmann::ordered_json::object()},
                                   {"size", layout.size}};
    for (const Assignment& each : layout.params) made["params"][each.name] = each.value;
    return made;
  };
  nlohmann::ordered_json made = {
      {"from", side(from)}, {"to", side(to)}, {"changes", nlohmann::ordered_json::array()}};
  for (const LayoutChange& each : changes) {
    nlohmann::ordered_json change = nlohmann::ordered_json::object();
    if (!each.field.empty()) change["field"] = each.field;
    change["what"] = each.what;
    if (each.from) change["from"] = figure(*each.from);
    if (each.to) change["to"] = figure(*each.to);
    made["changes"].push_back(std::move(change));
  }
  return made.dump(1) + "\n";
}

}  // namespace slabscope
