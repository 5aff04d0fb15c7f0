#!/usr/bin/env python3
"""Shows that tests/device/prepare and tests/device/run work: on host threads, with little data.

Also that a failure is told and keeps its inputs, and that without a device nothing passes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

DEVICE = pathlib.Path(__file__).resolve().parents[1] / "device"


def run(folder, *arguments):
    return subprocess.run([folder / "run", *arguments], capture_output=True, text=True, timeout=250,
                          env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})


def expect(what, holds, done):
    if not holds:
        print(done.stdout[-8000:] + done.stderr)
        raise SystemExit(f"FAILED {what}: exit {done.returncode}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build")
    slabscope = options.parse_args().slabscope
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "device"
        subprocess.run([DEVICE / "prepare", slabscope, folder, "--small", "2000", "--scale", "512"], check=True)

        done = run(folder)
        expect("without a device", done.returncode == 5 and "error[no_device]" in done.stderr and not done.stdout, done)

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
    print(f"{len(cases)} cases, 7 passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
