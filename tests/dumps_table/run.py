#!/usr/bin/env python3
"""Reads every dump of tests/golden/dumps and compares with expectations.json: the slab, or an error's code and words.

    tests/dumps_table/run.py --slabscope build/test/slabscope [WORD..]   rows that contain all of the words

Each dump is read from its file and from a pipe, by decode, lint and verify; what is decoded is packed again to the 48
bytes, and lint and verify say of it what they say of the slab alone.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from made_dumps import GOLDEN, MADE, SLAB  # noqa: E402

LAYOUT = ["-l", "mtp_batch", "-D", "rows=2", "-D", "max_blocks=2"]
ROWS = [{"position": 7, "slot": 100, "seq_len": 8, "block_table": [3, 0]},
        {"position": 9, "slot": 2000, "seq_len": 10, "block_table": [4, 5]}]
TENSORS = "position={0}:positions,slot={0}:slots,seq_len={0}:seq_lens,block_table={0}:block_tables"
# Of slabs that end early lint says by how much, unless it is not to look.
CHECKS = {"lint": ["lint", *LAYOUT, "--disable", "region-fit", "-D", "block_size=16", "-D", "num_blocks=8", "-f", "json"],
          "verify": ["verify", *LAYOUT, "--device", "host", "-f", "json"]}
EXIT_CODES = {"read_failed": 4}  # all others of dumps are refused data


def said(done):
    """Of a check, whatever the time that it took; an error where the exit code is none of a check."""
    return {**json.loads(done.stdout), "timings": None} if done.returncode in (0, 1) else {"error": done.stderr}


class Table:
    def __init__(self, slabscope):
        self.slabscope = slabscope
        self.passed = 0
        self.failed = 0
        self.said = {name: said(self.run(*command, stdin=SLAB)) for name, command in CHECKS.items()}
        self.expect("lint finds something in the slab", self.said["lint"].get("findings"), self.said)
        self.expect("verify takes the slab", self.said["verify"].get("slabs") == 1, self.said)

    def run(self, *arguments, stdin=b""):
        return subprocess.run([self.slabscope, *arguments], input=stdin, capture_output=True, timeout=120)

    def expect(self, what, holds, detail):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {what}: {detail}")

    def expect_slab(self, what, done):
        shown = done.stderr.decode(errors="replace").strip()
        if done.returncode != 0:
            return self.expect(what, False, f"exit {done.returncode}: {shown}")
        self.expect(what, json.loads(done.stdout)["rows"] == ROWS, done.stdout.decode())
        packed = self.run("pack", stdin=done.stdout)
        self.expect(f"{what}, packed", packed.stdout == SLAB, packed.stderr.decode() or packed.stdout.hex())

    def expect_error(self, what, done, row):
        message = done.stderr.decode(errors="replace").strip()
        code = EXIT_CODES.get(row["error"], 3)
        holds = done.returncode == code and not done.stdout and f"error[{row['error']}]" in message
        missing = [word for word in row["words"] if word not in message]
        self.expect(what, holds and not missing, f"exit {done.returncode}, without {missing}: {message}")

    def expect_outcome(self, command, what, done, row):
        what = f"{command} {what}"
        if "error" in row:
            self.expect_error(what, done, row)
        elif command == "decode":
            self.expect_slab(what, done)
        else:
            self.expect(what, said(done) == self.said[command], (done.stdout + done.stderr).decode())

    def check(self, row, path):
        what = f"{row.get('sample') or row['made']} {' '.join(row.get('options', ['--tensors']))}"
        for command, arguments in {"decode": ["decode", *LAYOUT], **CHECKS}.items():
            if "tensors" in row:
                self.expect_outcome(command, what, self.run(*arguments, "--tensors", TENSORS.format(path)), row)
                continue
            for way in row.get("from", ["file", "pipe"]):
                place = [*arguments, *row["options"]]
                done = self.run(*place, str(path)) if way == "file" else self.run(*place, stdin=path.read_bytes())
                self.expect_outcome(command, f"{what} ({way})", done, row)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build")
    options.add_argument("words", nargs="*")
    given = options.parse_args()
    rows = json.loads((GOLDEN / "expectations.json").read_text())
    table = Table(given.slabscope)
    there = {str(each.relative_to(GOLDEN)) for each in GOLDEN.rglob("*") if each.is_file()}
    there -= {"README.md", "expectations.json"}
    table.expect("every dump has a row", there == {row["sample"] for row in rows if "sample" in row},
                 there ^ {row["sample"] for row in rows if "sample" in row})
    table.expect("every made dump has a row", set(MADE) == {row["made"] for row in rows if "made" in row},
                 set(MADE) ^ {row["made"] for row in rows if "made" in row})
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            if not all(word in json.dumps(row) for word in given.words):
                continue
            path = GOLDEN / row["sample"] if "sample" in row else pathlib.Path(folder, row["made"])
            if "made" in row:
                path.write_bytes(MADE[row["made"]]())
            table.check(row, path)
    print(f"{table.passed} passed, {table.failed} failed")
    return table.failed != 0


if __name__ == "__main__":
    sys.exit(main())
