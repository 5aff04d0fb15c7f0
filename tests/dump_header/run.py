#!/usr/bin/env python3
"""Compiles slabscope_dump.h as C99 and as C++, and reads what it writes, without any option."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from built import cache, run  # noqa: E402
from made_dumps import GOLDEN, SLAB  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-pedantic"]
LANGUAGES = {"c99": ["-x", "c", "-std=c99"], "c17": ["-x", "c", "-std=c17"], "cxx11": ["-x", "c++", "-std=c++11"],
             "cxx20": ["-x", "c++", "-std=c++20"]}
ROWS = [{"position": 7, "slot": 100, "seq_len": 8, "block_table": [3, 0]},
        {"position": 9, "slot": 2000, "seq_len": 10, "block_table": [4, 5]}]


class Checks:
    def __init__(self, slabscope):
        self.slabscope = slabscope
        self.passed = 0
        self.failed = 0

    def expect(self, what, got, expected):
        self.passed += got == expected
        self.failed += got != expected
        if got != expected:
            print(f"FAILED {what}: got {got}, expected {expected}")

    def json_of(self, what, *arguments):
        done = subprocess.run([self.slabscope, *arguments], capture_output=True, timeout=60)
        self.expect(f"{what}: exit", (done.returncode, done.stderr.decode()), (0, ""))
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def check_slab(self, path, rows):
        document = self.json_of(path.name, "decode", str(path))
        self.expect(f"{path.name}: layout", (document.get("layout"), document.get("params")),
                    ("mtp_batch", {"rows": 2, "max_blocks": 2}))
        self.expect(f"{path.name}: rows", document.get("rows"), rows)
        packed = subprocess.run([self.slabscope, "pack"], input=json.dumps(document).encode(), capture_output=True)
        self.expect(f"{path.name}: packed again", packed.stdout, SLAB)
        return document


# Beside the function that README.md shows.
README_MAIN = """
int main(int argc, char **argv) {
  static unsigned char arena[65536];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fread(arena, 1, sizeof arena, file) != sizeof arena) return 2;
  return dump_batch(stdout, arena, sizeof arena, 0x7f32a0000000, 2) == 0 ? 0 : 1;
}
"""


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build", required=True, type=pathlib.Path)
    given = options.parse_args()
    checks = Checks(given.slabscope)
    compiler = cache(given.build, "CMAKE_CXX_COMPILER")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        written = set()
        for name, language in LANGUAGES.items():
            run(compiler, *WARNINGS, *language, f"-I{ROOT / 'lib'}", ROOT / "tests" / "dump_header" / "engine.c", "-o",
                folder / name)
            dumps = []
            for what, memory in (("slab", "slab.bin"), ("none_live", "slab.bin"), ("one_live", "slab.bin"),
                                 ("arena", "arena_aa_64k_at_0x8000.bin")):
                done = subprocess.run([folder / name, what, GOLDEN / "raw" / memory], capture_output=True, check=True)
                dumps.append(done.stdout)
                (folder / f"{what}.safetensors").write_bytes(done.stdout)
            for what in ("bad_name", "stdin_name", "dotted_name", "no_layout", "many"):
                done = subprocess.run([folder / name, what, GOLDEN / "raw" / "slab.bin"], capture_output=True)
                checks.expect(f"{name}: {what} is refused", (done.returncode, done.stdout), (1, b""))
            written.add(tuple(dumps))
        checks.expect("every language writes the same", len(written), 1)
        for dump in written.pop():
            size = int.from_bytes(dump[:8], "little")
            header = json.loads(dump[8:8 + size])
            checks.expect("the header", (size % 8, header["memory"]["data_offsets"]), (0, [0, len(dump) - 8 - size]))
        checks.check_slab(folder / "slab.safetensors", ROWS)
        checks.check_slab(folder / "none_live.safetensors", [])
        checks.check_slab(folder / "one_live.safetensors", ROWS[:1])
        shown = re.search(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)[1]
        (folder / "readme.c").write_text(shown + README_MAIN)
        run(compiler, *WARNINGS, *LANGUAGES["c99"], f"-I{ROOT / 'lib'}", folder / "readme.c", "-o", folder / "readme")
        done = subprocess.run([folder / "readme", GOLDEN / "raw" / "arena_aa_64k_at_0x8000.bin"], capture_output=True,
                              check=True)
        (folder / "readme.safetensors").write_bytes(done.stdout)
        for name in ("arena.safetensors", "readme.safetensors"):
            document = checks.check_slab(folder / name, ROWS)
            checks.expect("the arena's address", document.get("source", {}).get("address"), "0x7f32a0008000")
        lint = checks.json_of("lint", "lint", "-f", "json", str(folder / "slab.safetensors"))
        checks.expect("lint knows the layout", lint.get("layout"), "mtp_batch")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
