#include <slabscope/layout/embedded.h>
#include <slabscope/report/schema_report.h>
#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace slabscope {

Result<std::string> schema_text(std::string_view name) {
  const auto schemas = embedded_schemas();
  const auto found = std::find_if(schemas.begin(), schemas.end(),
                                  [&](const EmbeddedFile& each) { return each.name == name; });
  if (found == schemas.end()) {
    std::string known;
    for (const EmbeddedFile& each : schemas)
      known.append(known.empty() ? "" : ", ").append(each.name);
    return fail(error(ErrorCode::unknown_schema, "there is no schema of this name")
                    .with(printable(name, 80), known));
  }
  if (name != "error") return std::string(found->text);
  // The codes are in one place, the library's table; the published schema takes them from there.
  nlohmann::ordered_json schema = nlohmann::ordered_json::parse(found->text);
  nlohmann::ordered_json codes = nlohmann::ordered_json::array();
  for (const ErrorCodeInfo& each : error_codes())
    codes.push_back({{"const", each.name},
                     {"description", std::string(each.meaning) + " (exit " +
                                         std::to_string(each.exit_code) + ")"}});
  schema["$defs"]["message"]["properties"]["code"]["oneOf"] = std::move(codes);
  return schema.dump(2) + "\n";
}

std::string schema_table() {
  Table table({{"schema", Align::left, false}, {"what it describes", Align::left, true}});
  for (const EmbeddedFile& each : embedded_schemas()) {
    const auto schema = nlohmann::json::parse(each.text);
    table.add({std::string(each.name), schema.at("title").get<std::string>()});
  }
  return table.text();
}

std::string error_code_table() {
  Table table({{"code", Align::left, false},
               {"exit", Align::right, false},
               {"meaning", Align::left, true}});
  for (const ErrorCodeInfo& each : error_codes())
    table.add({std::string(each.name), std::to_string(each.exit_code), std::string(each.meaning)});
  return table.text();
}

}  // namespace slabscope
