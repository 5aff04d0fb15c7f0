// Golden documents with one thing changed: cut off at every byte, with every bit flipped, with
// every integer replaced by those that mistakes are made with.
#include "../support/sweep.h"
#include "../support/golden_text.h"
#include "../support/hostile_integers.h"

#include <slabscope/base/integer_text.h>

#include <doctest/doctest.h>

#include <cctype>

namespace slabscope::tests {
namespace {

// Longer ones have more of the same in them: json/sweep_extra_test.cpp takes them all.
constexpr std::size_t most_bytes = 220;

std::string table(const Accepted& accepted) {
  std::string text;
  for (const auto& [path, count] : accepted)
    text += std::to_string(count) + " " + (path.empty() ? "(between)" : path) + "\n";
  return text;
}

struct Integer {
  std::size_t begin;
  std::size_t end;
};

// The integers of a valid document, outside its strings.
std::vector<Integer> integers(std::string_view text) {
  std::vector<Integer> made;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') in_string = !in_string;
    if (in_string || (text[at] != '-' && std::isdigit(static_cast<unsigned char>(text[at])) == 0))
      continue;
    std::size_t end = at + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    made.push_back({at, end});
    at = end - 1;
  }
  return made;
}

TEST_CASE("golden documents cut off at every byte are refused") {
  for (const std::string& document : golden_documents(most_bytes)) sweep_lengths(document);
}

TEST_CASE("golden documents with any bit flipped are refused, or packed and read back the same") {
  Accepted accepted;
  for (const std::string& document : golden_documents(most_bytes)) sweep_bits(document, accepted);
  check_golden("sweep_bits.txt", table(accepted));
}

TEST_CASE("hostile integers at the place of every integer of golden documents") {
  Accepted accepted;
  for (const std::string& document : golden_documents(most_bytes)) {
    for (const Integer& place : integers(document)) {
      const std::string path = path_at(document, place.begin);
      const std::string was = document.substr(place.begin, place.end - place.begin);
      std::vector<std::string> values(std::begin(hostile_integers), std::end(hostile_integers));
      const int128 value = parse_integer(was).value;
      for (const std::string_view quoted : {"0x7fffffff", "-0x1", "18446744073709551616"})
        values.push_back('"' + std::string(quoted) + '"');
      values.push_back(to_text(value - 1));
      values.push_back(to_text(value + 1));
      for (const std::string& each : values) {
        CAPTURE(each);
        std::string changed = document;
        changed.replace(place.begin, place.end - place.begin, each);
        accepted[path] += sweep_document(changed) == Swept::accepted ? 1U : 0U;
      }
    }
  }
  check_golden("sweep_integers.txt", table(accepted));
}

}  // namespace
}  // namespace slabscope::tests
