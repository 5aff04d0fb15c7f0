// The name that numpy gives to an element's type: "<i4", "|u1", ">f8", "<M8[ns]".
#pragma once

#include <slabscope/dump/npy_header.h>

namespace slabscope {

// Errors, without a place: bad_container; unsupported_container (objects).
[[nodiscard]] Result<NpyType> npy_type(std::string_view name);

}  // namespace slabscope
