// What bounds the work for one input, each with its reason. What bounds a process (time, memory,
// bytes of an input) is in libfuzzer.options.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slabscope::fuzz {

// Slabs that are packed. A larger one has no other paths, only more bytes; sizes up to 2^64 are
// still resolved.
inline constexpr std::uint64_t max_slab_bytes = std::uint64_t{1} << 14;

// A file that a command writes. What would be written without end (gen --count 9999999999) meets a
// full disk here.
inline constexpr std::size_t max_output_bytes = std::size_t{1} << 18;

// Digits of a number in the arguments of gen: it makes as many rows and entries as it is asked for,
// up to a slab of 1 GiB, which is right and takes its time.
inline constexpr std::size_t max_gen_digits = 3;

// Text beyond this is not read by the targets either, whatever the engine offers.
inline constexpr std::size_t max_input_bytes = std::size_t{1} << 16;

// Processor time that a check of a slab may take, under sanitizers, valgrind and on busy machines:
// what is worse than linear passes it on inputs of a few KiB.
inline constexpr double max_seconds = 2.0;
inline constexpr double max_seconds_per_byte = 200e-6;

}  // namespace slabscope::fuzz
