#include "golden_text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace slabscope::tests {

void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(SLABSCOPE_TESTS_DIR) + "/golden/" + name;
  if (std::getenv("SLABSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  std::ostringstream golden;
  golden << file.rdbuf();
  CHECK(text == golden.str());
}

}  // namespace slabscope::tests
