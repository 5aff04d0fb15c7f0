#!/usr/bin/env python3
"""How long `slabscope --version` takes beside a C program that only prints: the ratio of the
fastest runs, which other work on the machine changes least.

    tests/bench/startup.py --slabscope build/release/slabscope [--most 3]
"""
import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRINTS = '#include <stdio.h>\nint main(void) { puts("slabscope 0.1.0"); return 0; }\n'


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--slabscope", required=True, help="the binary of the release preset")
    parser.add_argument("--runs", type=int, default=200, help="runs of each, in turn")
    parser.add_argument("--most", type=float, help="exit 1 above this ratio")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "prints.c")
        prints = Path(folder, "prints")
        source.write_text(PRINTS)
        subprocess.run(["gcc", "-O2", source, "-o", prints], check=True)
        pairs = [(seconds([options.slabscope, "--version"]), seconds([prints])) for _ in range(options.runs)]
    ratio = min(ours for ours, _ in pairs) / min(theirs for _, theirs in pairs)
    print(f"slabscope --version takes {ratio:.2f} times what a program takes that only prints")
    return 1 if options.most and ratio > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
