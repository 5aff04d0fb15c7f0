// Changes to rows documents and slabs that know what they change: values move to other fields,
// numbers to the ends of their ranges, rows come twice or not at all.
#pragma once

#include <tests/support/pseudo_random.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slabscope::fuzz {

using tests::PseudoRandom;

// Does the input hold a rows document rather than a slab case?
bool is_document(std::span<const std::uint8_t> input);

// A document or slab case like `input`, of at most `most` bytes.
std::vector<std::uint8_t> mutated(std::span<const std::uint8_t> input, std::size_t most,
                                  PseudoRandom random);
// Rows or elements of `other` in the place of some of `input`.
std::vector<std::uint8_t> crossed(std::span<const std::uint8_t> input,
                                  std::span<const std::uint8_t> other, std::size_t most,
                                  PseudoRandom random);

}  // namespace slabscope::fuzz
