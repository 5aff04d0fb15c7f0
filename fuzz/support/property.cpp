#include "property.h"

#include <slabscope/report/error_json.h>

#include <tests/support/json_reference.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace slabscope::fuzz {
namespace {

bool is_printable_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char each) {
    return static_cast<unsigned char>(each) < 0x20 || each == 0x7f;
  });
}

// Is there a line `place.line` with at least so many bytes, its end included?
bool is_inside(std::string_view text, TextPlace place) {
  for (std::uint64_t line = 1; line < place.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return place.column >= 1 && place.column <= std::min(text.find('\n'), text.size()) + 1;
}

}  // namespace

void violated(std::string_view property, const std::string& detail,
              const std::source_location& where) {
  std::fprintf(stderr, "%s:%u: violated: %.*s\n%s\n", where.file_name(), where.line(),
               static_cast<int>(property.size()), property.data(), detail.c_str());
  std::abort();
}

void check_error(const Error& failed, std::string_view text, std::string_view file) {
  const std::string line = to_line(failed, "slabscope");
  const auto shown = [&] { return line; };
  const auto codes = error_codes();
  require(static_cast<std::size_t>(failed.code) < codes.size(), "error codes are a closed set",
          shown);
  require(info(failed.code).exit_code >= 2 && info(failed.code).exit_code <= 5,
          "an error has an exit code of the closed set", shown);
  require(!failed.message.empty() && is_printable_line(line), "an error is one line of text",
          shown);
  const auto json = tests::read_reference(to_json(failed));
  require(json && json->has("error") && (*json)["error"]["code"].string == info(failed.code).name,
          "an error is an object of JSON", shown);
  if (failed.file == file && failed.place.line != 0)
    require(is_inside(text, failed.place), "an error points into the text", shown);
}

}  // namespace slabscope::fuzz
