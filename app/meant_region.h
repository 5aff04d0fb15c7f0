// Which region of a container is meant: that of a name, or the only one that needs none.
#pragma once

#include <slabscope/dump/container.h>

#include <optional>
#include <string>

namespace slabscope::app {

// `is_typed`: only regions that have a type count. Error: unknown_region, with the names that there
// are; how to give one is for the caller to say.
[[nodiscard]] Result<std::size_t> meant_region(const Container& container,
                                               const std::optional<std::string>& name,
                                               bool is_typed = false);

}  // namespace slabscope::app
