// The kinds of containers: one line for each, beside the file that reads it.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

extern const ContainerKind raw_kind;

}  // namespace slabscope
