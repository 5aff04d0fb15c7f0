// Parameters that a document need not set, because its rows say them.
#pragma once

#include <slabscope/layout/scope.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace slabscope {

// Adds to `params`, where they have no value yet: the row parameter, which is the number of rows,
// and each parameter that is the last dimension of a field, which is the longest list given for
// such a field. `longest` tells that of a field.
void imply_params(const Description& description, Assignments& params, std::uint64_t row_count,
                  const std::function<std::uint64_t(std::size_t field)>& longest);

}  // namespace slabscope
