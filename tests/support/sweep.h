// What becomes of a rows document of which something was changed: it is refused with a place inside
// the text, or accepted, and then what is written of it is read back as the same.
#pragma once

#include "documents.h"

#include <map>
#include <string>
#include <string_view>

namespace slabscope::tests {

// Slabs beyond this are refused: a changed size must not take memory or time.
inline constexpr std::uint64_t sweep_slab_bytes = std::uint64_t{1} << 16;

enum class Swept : std::uint8_t { refused, accepted };

// Fails the test when neither holds.
Swept sweep_document(std::string_view text);

// How many changes are accepted, by the path of what was changed.
using Accepted = std::map<std::string, std::uint64_t>;

// Every bit flipped, one after the other.
void sweep_bits(const std::string& document, Accepted& accepted);
// Cut off at every byte: refused, until it is whole.
void sweep_lengths(const std::string& document);

// "rows/seq_len": the object keys that lead to the byte at `at` of a valid document, without
// indices; "rows/seq_len:" where it is of the key itself or of what follows it. What is between
// members belongs to what is around them.
std::string path_at(std::string_view document, std::size_t at);

// Documents of golden cases that are packed, each once, up to `most_bytes` long.
std::vector<std::string> golden_documents(std::size_t most_bytes);

}  // namespace slabscope::tests
