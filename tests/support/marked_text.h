// Documents of tests with the place of their mistake marked in the text itself: '@' stands before
// the offending byte and is taken out. Lines and columns are counted here, not by the library.
#pragma once

#include <slabscope/base/error.h>

#include <string>
#include <string_view>

namespace slabscope::tests {

// Line and column, both from 1 and in bytes, of the byte at `offset`.
inline TextPlace place_of(std::string_view text, std::size_t offset) {
  TextPlace place{1, 1};
  for (const char each : text.substr(0, offset)) {
    ++place.column;
    if (each == '\n') place = {place.line + 1, 1};
  }
  return place;
}

inline std::string shown(TextPlace place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

struct MarkedText {
  std::string text;
  std::string place = "0:0";  // "line:column", "0:0" without a mark

  explicit MarkedText(std::string_view marked) : text(marked) {
    const std::size_t mark = text.find('@');
    if (mark == std::string::npos) return;
    text.erase(mark, 1);
    place = shown(place_of(text, mark));
  }
};

// "code line:column pointer": what of an error tests compare.
inline std::string shown(const Error& failed) {
  return std::string(info(failed.code).name) + " " + shown(failed.place) + " " + failed.pointer;
}
template <class T>
std::string shown_error(const Result<T>& result) {
  return result ? "no error" : shown(result.error());
}

}  // namespace slabscope::tests
