// Kernel bodies on tables of any content: the property, for a test and for a fuzz target.
#pragma once

#include <cstddef>
#include <span>

namespace slabscope::tests {

// Makes tables of `input` and runs both kernel bodies on them. False when a byte outside the memory
// that they were given has changed; a read outside of it is for AddressSanitizer to see: each piece
// of memory is an allocation of its own. Time and memory are bounded whatever the input is.
bool kernels_keep_to_their_memory(std::span<const std::byte> input);

}  // namespace slabscope::tests
