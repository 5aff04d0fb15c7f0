// The kinds of containers: one line for each, beside the file that reads it.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

extern const ContainerKind bzip2_kind;
extern const ContainerKind cuda_core_kind;
extern const ContainerKind elf_core_kind;
extern const ContainerKind gzip_kind;
extern const ContainerKind lz4_kind;
extern const ContainerKind npy_kind;
extern const ContainerKind npz_kind;
extern const ContainerKind pickle_kind;
extern const ContainerKind raw_kind;
extern const ContainerKind safetensors_kind;
extern const ContainerKind torch_kind;
extern const ContainerKind xz_kind;
extern const ContainerKind zip_kind;
extern const ContainerKind zstd_kind;

}  // namespace slabscope
