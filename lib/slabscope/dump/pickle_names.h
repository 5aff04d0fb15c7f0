// The names that a pickle may use.
#pragma once

#include <slabscope/dump/pickle.h>

namespace slabscope {

[[nodiscard]] std::optional<PickleGlobal> pickle_global(std::string_view module,
                                                        std::string_view name) noexcept;

}  // namespace slabscope
