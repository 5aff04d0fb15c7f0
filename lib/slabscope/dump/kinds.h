// The kinds of containers: one line for each, beside the file that reads it.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

extern const ContainerKind archive_kind;
extern const ContainerKind bzip2_kind;
extern const ContainerKind cuda_core_kind;
extern const ContainerKind elf_core_kind;
extern const ContainerKind gdb_x_kind;
extern const ContainerKind gzip_kind;
extern const ContainerKind hex_words_kind;
extern const ContainerKind hexdump_kind;
extern const ContainerKind ihex_kind;
extern const ContainerKind lz4_kind;
extern const ContainerKind npy_kind;
extern const ContainerKind npz_kind;
extern const ContainerKind octal_kind;
extern const ContainerKind pickle_kind;
extern const ContainerKind raw_kind;
extern const ContainerKind safetensors_kind;
extern const ContainerKind srec_kind;
extern const ContainerKind symbolsrec_kind;
extern const ContainerKind tekhex_kind;
extern const ContainerKind text_kind;
extern const ContainerKind torch_kind;
extern const ContainerKind verilog_kind;
extern const ContainerKind xxd_include_kind;
extern const ContainerKind xxd_kind;
extern const ContainerKind xxd_plain_kind;
extern const ContainerKind xxd_words_kind;
extern const ContainerKind xz_kind;
extern const ContainerKind zip_kind;
extern const ContainerKind zstd_kind;

}  // namespace slabscope
