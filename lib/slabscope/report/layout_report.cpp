#include <slabscope/report/layout_report.h>

#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace slabscope {
namespace {

std::string shown(const Figure& figure) {
  return figure.value ? std::to_string(*figure.value) : figure.expression;
}

// Long expressions stand below the table, under a letter.
class Footnotes {
 public:
  std::string cell(const Figure& figure) {
    constexpr std::size_t longest_in_table = 17;
    const std::string text = shown(figure);
    if (figure.value || text.size() <= longest_in_table) return text;
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const auto index = static_cast<std::size_t>(found - texts_.begin());
    if (found == texts_.end()) texts_.push_back(text);
    return label(index);
  }
  [[nodiscard]] std::string text() const {
    Table table({{"", Align::left, false}, {"", Align::left, true}});
    for (std::size_t index = 0; index < texts_.size(); ++index)
      table.add({label(index), texts_[index]});
    return texts_.empty() ? "" : table.text();
  }

 private:
  static std::string label(std::size_t index) {
    std::string letters;
    for (std::size_t rest = index + 1; rest != 0; rest = (rest - 1) / 26)
      letters.insert(0, 1, static_cast<char>('a' + (rest - 1) % 26));
    return "(" + letters + ")";
  }
  std::vector<std::string> texts_;
};

std::string shape_text(const OutlineField& field) {
  if (field.shape.empty()) return "scalar";
  std::string text;
  for (const Figure& each : field.shape) text += (text.empty() ? "[" : " x ") + shown(each);
  return text + "]";
}

std::string param_note(const ParamDescription& param) {
  std::string note = param.doc;
  const auto add = [&](std::string_view what, const std::optional<Expression>& value) {
    if (!value) return;
    note.append(note.empty() ? "" : "; ").append(what).append(value->text());
  };
  add("= ", param.value);
  add("default ", param.default_value);
  add("at least ", param.min);
  add("at most ", param.max);
  add("warns above ", param.soft_max);
  return note;
}

std::string value_text(const Outline& outline, const ParamDescription& param) {
  if (const Assignment* const set = find(outline.params, param.name))
    return std::to_string(set->value);
  const bool needed =
      std::find(outline.unset.begin(), outline.unset.end(), param.name) != outline.unset.end();
  return needed ? "not set" : "-";
}

// One member a line, and of lists one entry a line.
std::string lines_of(const nlohmann::ordered_json& object) {
  std::string text = "{";
  std::string separator;
  for (const auto& [key, value] : object.items()) {
    text += separator + nlohmann::ordered_json(key).dump() + ": ";
    separator = ",\n ";
    if (!value.is_array() || value.empty()) {
      text += value.dump();
      continue;
    }
    std::string before = "[\n  ";
    for (const auto& entry : value) text += std::exchange(before, ",\n  ") + entry.dump();
    text += "]";
  }
  return text + "}\n";
}

nlohmann::ordered_json number_or_null(const Figure& figure) {
  return figure.value ? nlohmann::ordered_json(*figure.value) : nlohmann::ordered_json();
}

}  // namespace

std::string layout_table(const Outline& outline, const std::optional<LayoutFit>& fit) {
  const Description& description = *outline.description;
  std::string text;
  for (const std::string& line :
       wrap(description.name + (description.doc.empty() ? "" : ": " + description.doc), 80))
    text += line + "\n";
  if (!description.params.empty()) {
    Table params({{"parameter", Align::left, false},
                  {"value", Align::right, false},
                  {"", Align::left, true}});
    for (const ParamDescription& each : description.params)
      params.add({each.name, value_text(outline, each), param_note(each)});
    text += "\n" + params.text();
  }

  // Fields in order of offset where all are known, else as they stand in the description.
  std::vector<std::size_t> order(outline.fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::all_of(outline.fields.begin(), outline.fields.end(),
                  [](const OutlineField& each) { return each.offset.value.has_value(); }))
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      return *outline.fields[left].offset.value < *outline.fields[right].offset.value;
    });
  order.push_back(outline.fields.size());  // the end, for a gap behind the last field
  Footnotes notes;
  Table fields({{"offset", Align::right, true},
                {"bytes", Align::right, true},
                {"field", Align::left, false},
                {"type", Align::left, false},
                {"shape", Align::left, true},
                {"align", Align::right, false},
                {"role", Align::left, false}});
  for (const std::size_t index : order) {
    for (const OutlineGap& gap : outline.gaps)
      if (gap.before_field == index)
        fields.add({notes.cell(gap.offset), notes.cell(gap.bytes), "(gap)", "", "", "",
                    description.gaps_are_zero ? "zero" : "not written"});
    if (index == outline.fields.size()) break;
    const OutlineField& field = outline.fields[index];
    fields.add({notes.cell(field.offset), notes.cell(field.bytes), field.description->name,
                std::string(name(field.description->type)), shape_text(field),
                std::to_string(field.align), field.description->role});
  }
  text += "\n" + fields.text() + notes.text() + "\n";
  for (const std::string& line : wrap("size " + shown(outline.size) + " B, first byte aligned to " +
                                          std::to_string(outline.align) + " B",
                                      80))
    text += line + "\n";
  if (fit) {
    text += "fits: " + fit->param + " = " + std::to_string(fit->value) + " is the largest in " +
            std::to_string(fit->region_bytes) + " B";
    if (fit->tokens) text += ", for " + counted(*fit->tokens, "token");
    text += "\n";
  }
  return text;
}

std::string layout_json(const Outline& outline, const std::optional<LayoutFit>& fit) {
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  made["layout"] = outline.description->name;
  made["params"] = nlohmann::ordered_json::object();
  for (const Assignment& each : outline.params) made["params"][each.name] = each.value;
  const auto put = [](nlohmann::ordered_json& object, const std::string& key,
                      const Figure& figure) {
    object[key] = number_or_null(figure);
    if (!figure.value) object[key + "_expr"] = figure.expression;
  };
  put(made, "size", outline.size);
  made["align"] = outline.align;
  made["fields"] = nlohmann::ordered_json::array();
  for (const OutlineField& field : outline.fields) {
    nlohmann::ordered_json each = nlohmann::ordered_json::object();
    each["name"] = field.description->name;
    each["type"] = name(field.description->type);
    each["shape"] = nlohmann::ordered_json::array();
    bool all_known = true;
    for (const Figure& dimension : field.shape) {
      each["shape"].push_back(number_or_null(dimension));
      all_known = all_known && dimension.value.has_value();
    }
    if (!all_known) {
      each["shape_expr"] = nlohmann::ordered_json::array();
      for (const Figure& dimension : field.shape) each["shape_expr"].push_back(shown(dimension));
    }
    put(each, "offset", field.offset);
    put(each, "bytes", field.bytes);
    each["align"] = field.align;
    if (!field.description->role.empty()) each["role"] = field.description->role;
    made["fields"].push_back(std::move(each));
  }
  made["gaps"] = nlohmann::ordered_json::array();
  for (const OutlineGap& gap : outline.gaps) {
    nlohmann::ordered_json each = nlohmann::ordered_json::object();
    put(each, "offset", gap.offset);
    put(each, "bytes", gap.bytes);
    made["gaps"].push_back(std::move(each));
  }
  if (fit) {
    nlohmann::ordered_json each = {{"param", fit->param}, {"value", fit->value}};
    each["size"] = number_or_null(outline.size);
    each["region_bytes"] = fit->region_bytes;
    if (fit->tokens) each["tokens"] = *fit->tokens;
    made["fit"] = std::move(each);
  }
  return lines_of(made);
}

std::string catalog_table(const std::vector<DescriptionPtr>& catalog) {
  Table table({{"layout", Align::left, false},
               {"parameters", Align::left, true},
               {"what it is", Align::left, true}});
  for (const DescriptionPtr& each : catalog) {
    std::string params;
    for (const ParamDescription& param : each->params)
      if (!param.value) params += (params.empty() ? "" : ", ") + param.name;
    table.add({each->name, params, each->doc});
  }
  return table.text();
}

std::string catalog_json(const std::vector<DescriptionPtr>& catalog) {
  nlohmann::ordered_json made = nlohmann::ordered_json::array();
  for (const DescriptionPtr& each : catalog) {
    nlohmann::ordered_json layout = nlohmann::ordered_json::object();
    layout["layout"] = each->name;
    layout["doc"] = each->doc;
    layout["params"] = nlohmann::ordered_json::object();
    for (const ParamDescription& param : each->params)
      if (!param.value) layout["params"][param.name] = {{"doc", param.doc}};
    made.push_back(std::move(layout));
  }
  return made.dump(1) + "\n";
}

}  // namespace slabscope
