// Layout descriptions made of an input's bytes: well-formed JSON with any arithmetic in it.
#pragma once

#include "fuzzed_input.h"

#include <string>

namespace slabscope::fuzz {

std::string described(FuzzedInput& input);

}  // namespace slabscope::fuzz
