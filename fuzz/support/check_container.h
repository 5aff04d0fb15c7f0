// What must hold of any bytes as a container of any kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace slabscope::fuzz {

// Opened as `kind`, or as what its first bytes say: an error, or regions within the limits. Every
// region has as many bytes as it claims, the same ones however they are asked for, and those of the
// file where it says that they stand there. All in work that is linear in the file and in what is
// read. Input: a byte of hints, one that says how much is read at a time, and the file.
int check_container(std::optional<std::string_view> kind, std::span<const std::uint8_t> input);

}  // namespace slabscope::fuzz
