// Texts that are compared with a file in golden/.
#pragma once

#include <string>

namespace slabscope::tests {

// Fails the test when `text` is not what golden/NAME holds. With SLABSCOPE_UPDATE_GOLDEN set the
// file is written instead: look at what changed.
void check_golden(const std::string& name, const std::string& text);

}  // namespace slabscope::tests
