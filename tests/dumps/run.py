#!/usr/bin/env python3
"""decode -f hex and diff on random dumps, from files and from pipes, against a few lines of Python.

The bytes of every window are in the hex lines exactly once, whatever offset, length, stride and count make of it. What
diff says of two dumps is what a comparison of their elements finds, at offsets that are written out here.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS, BLOCKS = 3, 2
PARAMS = ("-l", "mtp_batch", "-D", f"rows={ROWS}", "-D", f"max_blocks={BLOCKS}")


def elements():
    """(offset, bytes, is signed, field, row, index) of all elements of mtp_batch, as its documentation has them."""
    slot = (4 * ROWS + 7) // 8 * 8
    table = (slot + 12 * ROWS + 15) // 16 * 16
    made = [(4 * row, 4, False, "position", row, None) for row in range(ROWS)]
    made += [(slot + 8 * row, 8, True, "slot", row, None) for row in range(ROWS)]
    made += [(slot + 8 * ROWS + 4 * row, 4, True, "seq_len", row, None) for row in range(ROWS)]
    made += [(table + 4 * (BLOCKS * row + entry), 4, False, "block_table", row, entry)
             for row in range(ROWS) for entry in range(BLOCKS)]
    return made


ELEMENTS = elements()
SIZE = ELEMENTS[-1][0] + 4


class Checks:
    """Counts what passed and prints what did not."""

    def __init__(self, slabscope, folder):
        self.slabscope = slabscope
        self.folder = pathlib.Path(folder)
        self.passed = 0
        self.failed = 0
        schema = json.loads((ROOT / "schemas" / "diff_report.schema.json").read_text())
        self.report = jsonschema.Draft202012Validator(schema)

    def expect(self, what, got, expected):
        self.passed += got == expected
        self.failed += got != expected
        if got != expected:
            print(f"FAILED {what}: got {got}, expected {expected}")

    def run(self, *arguments, stdin=b""):
        return subprocess.run([self.slabscope, *arguments], input=stdin, capture_output=True, timeout=120)

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)


# --- hex -----------------------------------------------------------------------------------------

def hex_bytes(line):
    """Offset and bytes of a line that is not folded."""
    words = line.split()
    digits = ""
    for word in words[1:]:
        if word in ("u32", "i64", "i32") or word.startswith("("):
            break
        digits += word
    return int(words[0]), bytes.fromhex(digits)


def check_window(checks, what, done, dump, slabs):
    """`slabs`: where each begins in the dump, and where what stands behind it ends."""
    checks.expect(f"{what}: exit", (done.returncode, done.stderr), (0, b""))
    shown = []
    for line in done.stdout.decode().splitlines():
        if line.startswith("slab "):
            shown.append((int(line.split(" at ")[1].rstrip("):")), b""))
        elif "bytes" not in line:
            begin, seen = shown[-1]
            offset, data = hex_bytes(line)
            checks.expect(f"{what}: offset", offset, len(seen))
            shown[-1] = (begin, seen + data)
    checks.expect(what, shown, [(begin, dump[begin:end]) for begin, end in slabs])


def check_hex(checks, rng):
    for number in range(60):
        offset = rng.choice([0, 1, 100])
        stride = rng.choice([SIZE, SIZE + 1, SIZE + 40])
        count = rng.randint(1, 4)
        rest = rng.choice([0, 1, 15, 16, 17, 70000])
        dump = rng.randbytes(offset + count * stride + rest)
        at = [offset + slab * stride for slab in range(count)]
        length = SIZE + rng.randint(0, stride)
        windows = {
            "alone": ([], [(offset, len(dump))]),
            "length": (["--length", str(length)], [(offset, min(len(dump), offset + length))]),
            "count": (["--stride", str(stride), "--count", str(count)], [(each, each + stride) for each in at]),
            "count without stride": (["--count", "1"], [(offset, offset + SIZE)]),
            "length and count": (["--stride", str(stride), "--count", "1", "--length", str(length)],
                                 [(offset, min(len(dump), offset + length))]),
            "stride and length": (["--stride", str(stride), "--length", str(count * stride)],
                                  [(each, each + stride) for each in at]),
        }
        if length > len(dump) - offset:
            del windows["length"], windows["length and count"]
        if rest == 0:
            windows["stride"] = (["--stride", str(stride)], [(each, each + stride) for each in at])
        for name, (arguments, slabs) in windows.items():
            command = ["decode", "-f", "hex", *PARAMS, "--offset", str(offset), *arguments]
            what = f"hex {number} {name} {arguments}"
            for source, done in (("file", checks.run(*command, checks.file("dump.bin", dump))),
                                 ("pipe", checks.run(*command, stdin=dump))):
                # Of a pipe the note about bytes behind --length comes too; it is no error.
                done.stderr = b"" if b"error" not in done.stderr else done.stderr
                check_window(checks, f"{what} {source}", done, dump, slabs)
        # The last stride need not be whole.
        cut = dump[:at[-1] + SIZE + rng.randint(0, stride - SIZE)]
        done = checks.run("decode", "-f", "hex", *PARAMS, "--offset", str(offset), "--stride", str(stride),
                          "--count", str(count), stdin=cut)
        check_window(checks, f"hex {number} cut", done, cut,
                     [(each, min(each + stride, len(cut))) for each in at])


# --- diff ----------------------------------------------------------------------------------------

def differences(slab, before, after):
    """What diff must say of two slabs: elements, then the runs of bytes that are no element's."""
    made = []
    owned = bytearray(SIZE)
    for offset, width, signed, field, row, index in ELEMENTS:
        owned[offset:offset + width] = bytes([1]) * width
        old, new = (int.from_bytes(each[offset:offset + width], "little", signed=signed) for each in (before, after))
        if old != new:
            change = {"slab": slab, "row": row, "field": field, "index": index, "offset": offset, "old": old, "new": new}
            made.append({key: value for key, value in change.items() if value is not None})
    at = 0
    while at < SIZE:
        begin = at
        while at < SIZE and not owned[at] and before[at] != after[at]:
            at += 1
        if at > begin:
            made.append({"slab": slab, "offset": begin, "old": before[begin:at].hex(), "new": after[begin:at].hex()})
        at += at == begin
    return sorted(made, key=lambda change: change["offset"])


def changed(rng, slab):
    """The slab with some of its bytes changed: none, one, a few, or all."""
    data = bytearray(slab)
    for _ in range(rng.choice([0, 1, 3, 10, 200])):
        data[rng.randrange(SIZE)] = rng.randrange(256)
    return bytes(data)


def check_diff_of(checks, what, command, expected, stdin=b""):
    done = checks.run("diff", *command, "-f", "json", stdin=stdin)
    checks.expect(f"{what}: exit", (done.returncode, done.stderr), (int(bool(expected)), b""))
    report = json.loads(done.stdout)
    checks.expect(f"{what}: schema", [each.message for each in checks.report.iter_errors(report)], [])
    messages = [change.pop("message") for change in report["changes"]]
    checks.expect(f"{what}: messages", all(messages), True)
    checks.expect(what, report["changes"], expected)
    summary = {}
    for change in expected:
        field = change.get("field", "(gap)")
        summary[field] = summary.get(field, 0) + 1
    checks.expect(f"{what}: summary", report["summary"], summary)
    table = checks.run("diff", *command, stdin=stdin)
    lines = table.stdout.decode().splitlines()
    checks.expect(f"{what}: table exit", (table.returncode, table.stderr), (int(bool(expected)), b""))
    checks.expect(f"{what}: table of nothing", lines == [], expected == [])
    offsets = [int(line.split()[0]) for line in lines if line.startswith("  ") and line.split()[0].isdigit()]
    wanted = []  # an element a line, 8 bytes of a gap a line
    for change in expected:
        count = len(change["old"]) // 2 if "field" not in change else 1
        wanted += range(change["offset"], change["offset"] + count, 8)
    checks.expect(f"{what}: lines", offsets, wanted)


def check_diff(checks, rng):
    for number in range(60):
        count = rng.randint(1, 4)
        steps = {side: SIZE + rng.choice([0, 1, 40]) for side in "ab"}
        offsets = {side: rng.choice([0, 1, 100]) for side in "ab"}
        slabs = {"a": [rng.randbytes(SIZE) for _ in range(count)]}
        slabs["b"] = [changed(rng, each) for each in slabs["a"]]
        dumps = {}
        for side in "ab":
            dumps[side] = rng.randbytes(offsets[side])
            dumps[side] += b"".join(each + rng.randbytes(steps[side] - SIZE) for each in slabs[side])
        expected = [change for slab in range(count)
                    for change in differences(slab, slabs["a"][slab], slabs["b"][slab])]
        files = {side: checks.file(f"{side}.bin", dumps[side]) for side in "ab"}
        window = [word for side in "ab" for word in (f"--offset-{side}", str(offsets[side]),
                                                     f"--stride-{side}", str(steps[side]))]
        check_diff_of(checks, f"diff {number}", [files["a"], files["b"], *PARAMS, *window], expected)
        check_diff_of(checks, f"diff {number}, B from a pipe", [files["a"], "-", *PARAMS, *window], expected, dumps["b"])
        check_diff_of(checks, f"diff {number}, first only",
                      [files["a"], files["b"], *PARAMS, *window, "--count", "1"],
                      [change for change in expected if change["slab"] == 0])
        check_diff_of(checks, f"diff {number}, itself", [files["a"], files["a"], *PARAMS, "--offset", str(offsets["a"])], [])
        check_diff_of(checks, f"diff {number}, no gaps", [files["a"], files["b"], *PARAMS, *window, "--ignore", "gap"],
                      [change for change in expected if "field" in change])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build")
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(options.parse_args().slabscope, folder)
        check_hex(checks, random.Random(1))
        check_diff(checks, random.Random(2))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
