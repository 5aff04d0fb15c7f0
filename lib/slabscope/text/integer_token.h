// Integers in documents: a JSON integer, or its text as a string.
#pragma once

#include <slabscope/text/tokenizer.h>

#include <string>

namespace slabscope {

// A JSON integer or an integer as a string; what else it is, if neither.
struct IntegerToken {
  int128 value = 0;
  bool is_integer = false;
  bool beyond_64_bits = false;
};
IntegerToken as_integer(const Token& token);
// What a token was, as an error shows it.
std::string shown(const Token& token);

}  // namespace slabscope
