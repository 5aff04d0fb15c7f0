#include <slabscope/report/table.h>

#include <algorithm>

namespace slabscope {
namespace {

constexpr std::size_t column_gap = 2;

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  std::size_t here = 0;
  for (const char each : text) {
    here = each == ' ' ? 0 : here + 1;
    longest = std::max(longest, here);
  }
  return longest;
}

}  // namespace

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (text.size() - begin > width) {
    std::size_t cut = text.rfind(' ', begin + width);
    if (cut == std::string::npos || cut <= begin) cut = begin + width;
    lines.push_back(text.substr(begin, cut - begin));
    begin = text[cut] == ' ' ? cut + 1 : cut;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t widest = columns_[column].heading.size();
    for (const auto& row : rows_) widest = std::max(widest, row[column].size());
    widths.push_back(widest);
  }
  const auto total = [&] {
    std::size_t sum = column_gap * (columns_.size() - 1);
    for (const std::size_t each : widths) sum += each;
    return sum;
  };
  // Columns that wrap give way, the widest one first, as far as its longest word allows.
  std::vector<std::size_t> least = widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (!columns_[column].wraps) continue;
    least[column] = columns_[column].heading.size();
    for (const auto& row : rows_)
      least[column] = std::max(least[column], longest_word(row[column]));
  }
  while (total() > width) {
    std::size_t widest = columns_.size();
    for (std::size_t column = 0; column < columns_.size(); ++column)
      if (widths[column] > least[column] &&
          (widest == columns_.size() || widths[column] > widths[widest]))
        widest = column;
    if (widest == columns_.size()) break;
    --widths[widest];
  }

  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      lines.push_back(wrap(cells[column], widths[column]));
      height = std::max(height, lines.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string out;
      for (std::size_t column = 0; column < columns_.size(); ++column) {
        const std::string cell = line < lines[column].size() ? lines[column][line] : std::string();
        const std::string blanks(widths[column] - std::min(widths[column], cell.size()), ' ');
        out += columns_[column].align == Align::right ? blanks + cell : cell + blanks;
        out += std::string(column_gap, ' ');
      }
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    }
  };
  std::vector<std::string> headings;
  for (const Column& each : columns_) headings.push_back(each.heading);
  add_row(headings);
  for (const auto& row : rows_) add_row(row);
  return text;
}

}  // namespace slabscope
