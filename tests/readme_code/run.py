#!/usr/bin/env python3
"""Compiles the code that README.md shows for engines, with the build's compiler and with nvcc where it is, and runs it.

Blocks tagged `cpp` or `cuda` whose first line is `// NAME.cpp` or `// NAME.cu` are whole files. On
the host, memory of ours stands for the device's, and plain loops for a launch.
"""
import argparse
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from built import cache, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

# What nvcc knows by itself.
KERNEL_PRELUDE = """
struct Place { unsigned x; };
static Place blockIdx, blockDim = {4}, threadIdx;
#define __global__
"""
# seq_len 8 is KV index 7: block 0 of the row; seq_len 18 is KV index 17: block 1.
KERNEL_MAIN = """
#include <cstdio>
int main() {
  const std::uint32_t position[2] = {7, 17};
  const std::int64_t slot[2] = {55, 81};
  const std::int32_t seq_len[2] = {8, 18};
  const std::int32_t block_table[4] = {3, 0, 4, 5};
  slabscope::DeviceView view;
  view.positions = reinterpret_cast<std::uint64_t>(position);
  view.slot = reinterpret_cast<std::uint64_t>(slot);
  view.seq_len = reinterpret_cast<std::uint64_t>(seq_len);
  view.block_table = reinterpret_cast<std::uint64_t>(block_table);
  view.num_seqs = 2;
  std::int32_t last[4] = {-1, -1, -1, -1};
  for (threadIdx.x = 0; threadIdx.x < 4; ++threadIdx.x) last_blocks(view, 2, 16, last);
  std::printf("%d %d %d %d\\n", last[0], last[1], last[2], last[3]);
}
"""
KERNEL_OUTPUT = "3 5 -1 -1\n"

# In the place of slabscope_cuda: host threads.
ENGINE_MAIN = """
#include <slabscope/device/host_operations.h>
#include <slabscope/slab/builtin.h>
#include <array>
#include <cstring>
#include <vector>
std::unique_ptr<slabscope::DeviceOperations> slabscope::make_cuda_operations(int) {
  return std::make_unique<slabscope::HostOperations>();
}
int main() {
  const std::array<std::uint32_t, 2> position = {7, 17};
  const std::array<std::int64_t, 2> slot = {55, 81};
  const std::array<std::int32_t, 2> seq_len = {8, 18};
  const std::vector<std::uint32_t> first = {3};
  const std::vector<std::uint32_t> second = {4, 5};
  const std::array<std::span<const std::uint32_t>, 2> tables = {first, second};
  const auto packed = slabscope::pack_mtp_batch({position, slot, seq_len, tables, 2}, 4096);
  alignas(256) std::byte on_device[64] = {};
  std::memcpy(on_device, packed->data(), packed->size());
  const bool arrived = slab_arrived(on_device, packed->bytes(), 2, 2);
  on_device[24] = std::byte{9};
  const bool differs = slab_arrived(on_device, packed->bytes(), 2, 2);
  std::printf("%d %d\\n", arrived, differs);
}
"""
ENGINE_OUTPUT = "1 0\n"


def shown_files():
    found = {}
    for code in re.findall(r"^```(?:cpp|cuda)\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE):
        if name := re.match(r"// (\w+\.(?:cpp|cu))\n", code):
            found[name[1]] = code
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope")
    options.add_argument("--build", required=True, type=pathlib.Path)
    build = options.parse_args().build
    compiler = cache(build, "CMAKE_CXX_COMPILER")
    flags = ["-fsanitize=address,undefined"] if cache(build, "SLABSCOPE_SANITIZE") == "ON" else []
    nvcc = cache(build, "CMAKE_CUDA_COMPILER")
    nvcc = nvcc if nvcc and pathlib.Path(nvcc).is_file() else shutil.which("nvcc")
    shown = shown_files()
    if sorted(shown) != ["engine_test.cpp", "kernel.cu"]:
        raise SystemExit(f"FAILED: README.md shows {sorted(shown)}")
    include = f"-I{ROOT / 'lib'}"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, code in shown.items():
            (folder / name).write_text(code)
        (folder / "kernel.cpp").write_text(KERNEL_PRELUDE + shown["kernel.cu"] + KERNEL_MAIN)
        run(compiler, *WARNINGS, "-std=c++17", include, *flags, folder / "kernel.cpp", "-o", folder / "kernel")
        if (got := run(folder / "kernel")) != KERNEL_OUTPUT:
            raise SystemExit(f"FAILED kernel.cu on the host: {got}")
        (folder / "engine.cpp").write_text(shown["engine_test.cpp"] + ENGINE_MAIN)
        run(compiler, *WARNINGS, "-std=c++20", include, *flags, folder / "engine.cpp", build / "lib" / "libslabscope.a",
            "-pthread", "-o", folder / "engine")
        if (got := run(folder / "engine")) != ENGINE_OUTPUT:
            raise SystemExit(f"FAILED engine_test.cpp on the host: {got}")
        passed = 2
        if nvcc:
            run(nvcc, "-std=c++17", include, "-c", folder / "kernel.cu", "-o", folder / "kernel.o")
            run(nvcc, "-std=c++20", include, "-c", folder / "engine_test.cpp", "-o", folder / "engine_test.o")
            passed += 2
        else:
            print("SKIPPED nvcc: there is none")
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
