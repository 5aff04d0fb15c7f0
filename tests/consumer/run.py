#!/usr/bin/env python3
"""Installs the build, then builds and runs a small engine outside the tree against it.

Once with find_package, and once with pkg-config where that is installed. Of a build with CUDA also its CUDA part.
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from built import cache, run  # noqa: E402

ENGINE_CUDA = pathlib.Path(__file__).resolve().parent / "engine_cuda"
ENGINE = pathlib.Path(__file__).resolve().parent / "engine"
EXPECTED = (
    "264 B, slot 151, block 9\n"
    "engine: error[region_exceeded]: MTP attention metadata exceeds meta stride: needs 264 B, have 256 B"
    " (2 block-table entries)\n"
)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build", required=True)
    build = pathlib.Path(options.parse_args().build)
    compiler = cache(build, "CMAKE_CXX_COMPILER")
    flags = ["-fsanitize=address,undefined"] if cache(build, "SLABSCOPE_SANITIZE") == "ON" else []
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder) / "prefix"
        run("cmake", "--install", str(build), "--prefix", str(prefix))
        made = pathlib.Path(folder) / "engine"
        run("cmake", "-S", str(ENGINE), "-B", str(made), f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={' '.join(flags)}")
        run("cmake", "--build", str(made))
        if run(str(made / "engine")) != EXPECTED:
            raise SystemExit("FAILED find_package: " + run(str(made / "engine")))
        passed += 1
        if run(str(prefix / "bin" / "slabscope"), "--version").split()[0] != "slabscope":
            raise SystemExit("FAILED the installed command")
        passed += 1
        if shutil.which("pkg-config"):
            places = ":".join(str(each.parent) for each in prefix.rglob("slabscope.pc"))
            words = run("pkg-config", "--cflags", "--libs", "slabscope",
                        env={**os.environ, "PKG_CONFIG_PATH": places}).split()
            alone = pathlib.Path(folder) / "alone"
            run(compiler, *flags, str(ENGINE / "engine.cpp"), "-o", str(alone), *words)
            if run(str(alone)) != EXPECTED:
                raise SystemExit("FAILED pkg-config: " + run(str(alone)))
            passed += 1
        else:
            print("SKIPPED pkg-config: it is not installed")
        if list(prefix.rglob("libslabscope_cuda.a")):
            made = pathlib.Path(folder) / "engine_cuda"
            run("cmake", "-S", str(ENGINE_CUDA), "-B", str(made), f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DCMAKE_CUDA_COMPILER={cache(build, 'CMAKE_CUDA_COMPILER')}", f"-DCMAKE_CXX_COMPILER={compiler}")
            run("cmake", "--build", str(made))
            got = run(str(made / "engine_cuda"), env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
            if got != "no_device\n":
                raise SystemExit(f"FAILED the CUDA part: {got}")
            passed += 1
        else:
            print("SKIPPED the CUDA part: this build has none")
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
