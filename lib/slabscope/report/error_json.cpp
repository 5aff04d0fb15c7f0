#include <slabscope/report/error_json.h>

#include <slabscope/text/json_text.h>

namespace slabscope {
namespace {

void add(std::string& to, std::string_view key, std::string_view value) {
  to.append(",\"").append(key).append("\":").append(value);
}

void add_text(std::string& to, std::string_view key, std::string_view text) {
  if (!text.empty()) add(to, key, json_string(text));
}

}  // namespace

// Without a tree of values: one that is destroyed takes memory, which may just have been refused.
std::string to_json(const Error& failed, std::string_view severity) {
  std::string line = "{" + json_string(severity) +
                     ":{\"code\":" + json_string(info(failed.code).name) +
                     ",\"message\":" + json_string(failed.message);
  add_text(line, "file", failed.file);
  if (failed.place.line != 0) {
    add(line, "line", std::to_string(failed.place.line));
    add(line, "column", std::to_string(failed.place.column));
  }
  add_text(line, "pointer", failed.pointer);
  if (failed.offset) add(line, "offset", std::to_string(*failed.offset));
  add_text(line, "got", failed.got);
  add_text(line, "allowed", failed.allowed);
  return line + "}}";
}

}  // namespace slabscope
