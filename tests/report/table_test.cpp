// Tables: columns as wide as their content, no wider than asked for where wrapping can help.
#include <slabscope/report/table.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

namespace slabscope {
namespace {

TEST_CASE("a small table") {
  Table table(
      {{"offset", Align::right, false}, {"field", Align::left, false}, {"", Align::left, true}});
  table.add({"0", "position", "rotary position"});
  table.add({"1024", "slot", ""});
  CHECK(table.text() ==
        "offset  field\n"
        "     0  position  rotary position\n"
        "  1024  slot\n");
}

TEST_CASE("columns that wrap give way") {
  Table table({{"n", Align::right, false}, {"what", Align::left, true}});
  table.add({"7", "one two three four"});
  CHECK(table.text(12) ==
        "n  what\n"
        "7  one two\n"
        "   three\n"
        "   four\n");
  // What does not wrap keeps its width, however narrow the terminal is.
  Table fixed({{"n", Align::right, false}});
  fixed.add({"12345678901234567890"});
  CHECK(fixed.text(5) == std::string(19, ' ') + "n\n12345678901234567890\n");
}

TEST_CASE("a table without rows has its headings") {
  CHECK(Table({{"a", Align::left, false}, {"b", Align::right, true}}).text() == "a  b\n");
}

TEST_CASE("wrapping") {
  struct Row {
    std::string_view what;
    std::string text;
    std::size_t width;
    std::vector<std::string> lines;
  };
  const Row rows[] = {
      {"nothing", "", 10, {""}},
      {"what fits", "one two", 7, {"one two"}},
      {"at a blank", "one two", 6, {"one", "two"}},
      {"at the last blank that fits", "one two three", 8, {"one two", "three"}},
      {"a blank right at the edge", "one two", 3, {"one", "two"}},
      {"a word that is too long", "abcdefgh", 3, {"abc", "def", "gh"}},
      {"a word that is too long behind others", "ab abcdefgh c", 4, {"ab", "abcd", "efgh", "c"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK((wrap(row.text, row.width) == row.lines));
  }
}

TEST_CASE("wrapping loses no letter and keeps the width") {
  tests::PseudoRandom random(15);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    std::string letters;
    for (std::uint64_t count = random.below(30); count != 0; --count) {
      const std::string word(1 + random.below(9), static_cast<char>('a' + random.below(26)));
      text += (text.empty() ? "" : " ") + word;
      letters += word;
    }
    const std::size_t width = 1 + random.below(20);
    std::string joined;
    for (const std::string& line : wrap(text, width)) {
      CHECK(line.size() <= width);
      for (const char each : line)
        if (each != ' ') joined += each;
    }
    CHECK(joined == letters);
  }
}

TEST_CASE("random tables keep the width, and every word stands in its column") {
  tests::PseudoRandom random(16);
  for (int round = 0; round < 200; ++round) {
    Table table({{"head", Align::right, random.one_in(2)},
                 {"middle", Align::left, true},
                 {"end", Align::left, true}});
    std::size_t words = 3;
    for (std::uint64_t row = random.below(6); row != 0; --row) {
      std::vector<std::string> cells;
      for (int column = 0; column < 3; ++column) {
        std::string cell;
        for (std::uint64_t count = random.below(8); count != 0; --count, ++words)
          cell += (cell.empty() ? "" : " ") + std::string(1 + random.below(6), 'w');
        cells.push_back(cell);
      }
      table.add(cells);
    }
    const std::string text = table.text(60);
    std::istringstream stream(text);
    std::size_t found = 0;
    for (std::string word; stream >> word;) ++found;
    CHECK(found == words);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      CHECK(line.size() <= 60 + 50);  // the first column may not wrap
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

}  // namespace
}  // namespace slabscope
