// Tables that people read: columns as wide as their content, numbers to the right, no wider than a
// terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slabscope {

enum class Align : unsigned char { left, right };

class Table {
 public:
  struct Column {
    std::string heading;
    Align align = Align::left;
    bool wraps = false;  // may be broken over several lines when the table would be too wide
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Lines of at most `width` columns where wrapping can bring them there; trailing blanks are cut.
  [[nodiscard]] std::string text(std::size_t width = 80) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// `text` broken at blanks into lines of at most `width` columns (longer words are cut).
std::vector<std::string> wrap(const std::string& text, std::size_t width);

}  // namespace slabscope
