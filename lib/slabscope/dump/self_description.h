// What a dump says of itself, as slabscope_dump.h writes it: the options that decode then needs no
// more.
#pragma once

#include <slabscope/dump/container.h>
#include <slabscope/layout/scope.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace slabscope {

struct SelfDescription {
  std::string layout;
  Assignments params = {};  // their places are the facts' names
  std::optional<std::uint64_t> live_rows = {};
  std::optional<std::uint64_t> offset = {};  // of the slab, in the only region
};

// From facts that begin with "slabscope."; nothing if there are none. Errors: missing_key (no
// layout), unknown_key, duplicate_key, out_of_range (a number that is none or beyond 64 bits); the
// pointer is the fact's name.
[[nodiscard]] Result<std::optional<SelfDescription>> self_description(
    std::span<const ContainerFact> facts);

}  // namespace slabscope
