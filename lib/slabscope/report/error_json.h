// Errors, warnings and notes as one line of JSON.
#pragma once

#include <slabscope/base/error.h>

#include <string>
#include <string_view>

namespace slabscope {

// {"error": {"code", "message", "file", "line", "column", "pointer", "offset", "got", "allowed"}};
// keys that do not apply are left out. `severity` is the outer key. No newline.
std::string to_json(const Error& failed, std::string_view severity = "error");

}  // namespace slabscope
