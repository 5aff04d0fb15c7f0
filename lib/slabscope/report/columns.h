// Cells of lines that are written as they come, when nobody knows yet how wide the rest will be.
#pragma once

#include <cstddef>
#include <string>

namespace slabscope {

// `text` in `width` columns, at the left or at the right; longer texts stay whole.
[[nodiscard]] inline std::string at_left(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}
[[nodiscard]] inline std::string at_right(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

}  // namespace slabscope
