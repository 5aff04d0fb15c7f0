#!/usr/bin/env python3
"""Shows that tests/device/prepare and tests/device/run work: on host threads, with little data.

Also that a failure is told and keeps its inputs, and that without a device nothing passes: without a
driver, and with the library that stands in for one where CUDA is built.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from built import cache  # noqa: E402

DEVICE = pathlib.Path(__file__).resolve().parents[1] / "device"


def run(folder, *arguments, **environment):
    return subprocess.run([folder / "run", *arguments], capture_output=True, text=True, timeout=250,
                          env={**os.environ, "CUDA_VISIBLE_DEVICES": "", **environment})


def stub_library(build):
    """The toolkit's libcuda to link against, which can do nothing."""
    nvcc = pathlib.Path(cache(build, "CMAKE_CUDA_COMPILER") or "none")
    if cache(build, "SLABSCOPE_CUDA") == "OFF" or not nvcc.is_file():
        return None
    return next(nvcc.resolve().parents[1].glob("**/stubs/libcuda.so"), None)


def expect(what, holds, done):
    if not holds:
        print(done.stdout[-8000:] + done.stderr)
        raise SystemExit(f"FAILED {what}: exit {done.returncode}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build", required=True, type=pathlib.Path)
    given = options.parse_args()
    slabscope = given.slabscope
    stub = stub_library(given.build)
    passed = 8
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "device"
        subprocess.run([DEVICE / "prepare", slabscope, folder, "--small", "2000", "--scale", "512"], check=True)

        done = run(folder)
        expect("without a device", done.returncode == 5 and "error[no_device]" in done.stderr and not done.stdout, done)

        done = run(folder, "--device", "hots")
        expect("a device that there cannot be", done.returncode == 2 and "unknown device" in done.stderr
               and not done.stdout, done)
        if stub:
            (pathlib.Path(scratch) / "libcuda.so.1").symlink_to(stub)
            done = run(folder, LD_LIBRARY_PATH=scratch)
            expect("a stub of a driver", done.returncode == 5 and "error[no_device]" in done.stderr
                   and "cudaErrorStubLibrary" in done.stderr and not done.stdout, done)
            passed += 1
        else:
            print("SKIPPED a stub of a driver: this build has no CUDA")

        # One that is wrong on purpose, behind a few that are right.
        cases = (folder / "cases.tsv").read_text().splitlines(keepends=True)
        (folder / "cases.tsv").write_text("".join(cases[:3]) + "golden\twrong\t0\tgoldens.ndjson --inject slot\n")
        done = run(folder, "--device", "host")
        expect("a failure", done.returncode == 1 and "3 passed, 1 failed, 3 skipped" in done.stdout, done)
        kept = sorted(each.name for each in (folder / "failed" / "golden-wrong").iterdir())
        expect("its inputs are kept", kept == ["command", "err", "goldens.ndjson", "out"], done)

        (folder / "cases.tsv").write_text("".join(cases))
        done = run(folder, "--device", "host")
        expect("all cases", done.returncode == 0 and f"{len(cases)} passed, 0 failed, 3 skipped" in done.stdout, done)
        expect("it says host", done.stdout.startswith("device    host threads: no GPU was used\n"), done)
        expect("rates", "plain upload" in done.stdout, done)
        expect("nothing is kept", not (folder / "failed").exists(), done)
    print(f"{len(cases)} cases, {passed} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
