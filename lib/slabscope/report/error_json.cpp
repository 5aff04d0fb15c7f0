#include <slabscope/report/error_json.h>

#include <nlohmann/json.hpp>

namespace slabscope {

std::string to_json(const Error& failed, std::string_view severity) {
  nlohmann::ordered_json body;
  body["code"] = info(failed.code).name;
  body["message"] = failed.message;
  if (!failed.file.empty()) body["file"] = failed.file;
  if (failed.place.line != 0) {
    body["line"] = failed.place.line;
    body["column"] = failed.place.column;
  }
  if (!failed.pointer.empty()) body["pointer"] = failed.pointer;
  if (failed.offset) body["offset"] = *failed.offset;
  if (!failed.got.empty()) body["got"] = failed.got;
  if (!failed.allowed.empty()) body["allowed"] = failed.allowed;
  nlohmann::ordered_json line;
  line[std::string(severity)] = std::move(body);
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace slabscope
