// What takes minutes, and is run by `ctest -C extra`: every golden document with every bit flipped
// and cut off at every byte, and every pair of bits in the first 64 bytes.
#include "../support/sweep.h"

#include <doctest/doctest.h>

namespace slabscope::tests {
namespace {

void flip(std::string& text, std::size_t bit) {
  text[bit / 8] = static_cast<char>(text[bit / 8] ^ static_cast<char>(1U << (bit % 8)));
}

TEST_CASE("every golden document, cut off or with a bit flipped") {
  Accepted accepted;
  for (const std::string& document : golden_documents(8192)) {
    sweep_lengths(document);
    sweep_bits(document, accepted);
  }
  CHECK(accepted["rows/block_table"] > 0);
}

TEST_CASE("any two bits of the first 64 bytes flipped") {
  constexpr std::size_t bits = 8 * 64;
  std::vector<std::string> documents = golden_documents(300);
  REQUIRE(documents.size() >= 3);
  documents.resize(3);
  for (const std::string& document : documents) {
    REQUIRE(document.size() > 64);
    std::string changed = document;
    for (std::size_t first = 0; first < bits; ++first) {
      flip(changed, first);
      for (std::size_t second = first + 1; second < bits; ++second) {
        flip(changed, second);
        sweep_document(changed);
        flip(changed, second);
      }
      flip(changed, first);
    }
  }
}

}  // namespace
}  // namespace slabscope::tests
