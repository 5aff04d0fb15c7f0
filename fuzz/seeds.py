#!/usr/bin/env python3
"""Seeds and dictionaries of the fuzz targets, from goldens, layouts and schemas and from `slabscope gen`.

    fuzz/seeds.py --slabscope build/test/slabscope --output FOLDER

writes FOLDER/TARGET/ with seeds and FOLDER/TARGET.dict for every target; what a new layout, golden or error code brings
is in them without an edit here.
"""
import argparse
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys

FUZZ = pathlib.Path(__file__).resolve().parent
ROOT = FUZZ.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import made_dumps  # noqa: E402

SEED_BYTES = 4096  # longer ones only slow mutation down; max_len of libfuzzer.options

# The header of slab cases (support/slab_case.h).
NONE = 0xFF
WELL_KNOWN = re.findall(r'"(\w+)"', re.search(r"well_known_params\[\] = \{(.*?)\}", (
    ROOT / "lib/slabscope/layout/description.h").read_text(), re.S).group(1))


def targets():
    return sorted(each.stem for each in FUZZ.glob("*.cpp"))


def layout_files():
    return sorted((ROOT / "schemas" / "layouts").glob("*.json"))


def golden_cases():
    for name in ("seed_cases.ndjson", "decode_cases.ndjson"):
        for line in (ROOT / "tests" / "golden" / name).read_text().splitlines():
            yield json.loads(line)


def lint_cases():
    for path in sorted((ROOT / "tests" / "golden").glob("lint*_cases.json")):
        yield from json.loads(path.read_text())


def texts(value):
    """Every string in a tree of JSON, keys included."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


class Seeds:
    """Collects the seeds of each target."""

    def __init__(self, command):
        self.command = command
        self.of = {target: set() for target in targets()}
        self.layouts = {path.stem: json.loads(path.read_text()) for path in layout_files()}

    def add(self, names, seed):
        seed = seed.encode() if isinstance(seed, str) else seed
        if len(seed) <= SEED_BYTES:
            for name in names:
                self.of[name].add(seed)

    def run(self, *arguments, stdin=b""):
        done = subprocess.run([self.command, *arguments], input=stdin, capture_output=True, timeout=60)
        return done.stdout if done.returncode in (0, 1) else None

    def settable(self, name):
        declared = self.layouts[name].get("params", {})
        names = [each for each, value in declared.items() if "value" not in value]
        return names + [each for each in WELL_KNOWN if each not in declared]

    def slab(self, layout, slab, params, live=None, rows_in_group=NONE):
        """A slab as the input of the targets that read slabs, where its parameters fit the header."""
        values = [params.get(name, NONE) for name in self.settable(layout)]
        if max(values + [0]) > NONE or any(0xEC <= each < NONE for each in values):
            return
        header = [sorted(self.layouts).index(layout), NONE if live is None else live, *values, 0, rows_in_group]
        self.add(["decode_bytes", "mutated_valid", "lint"], bytes(header) + slab)
        self.add(["diff"], bytes(header) + slab + bytes([0, 3, 1, 0, len(slab) // 2 % 256, 0x80]))

    def document(self, text):
        self.add(["rows_json", "mutated_valid", "lint"], text)
        self.add(["command_line"], f"pack\n@@-\n{text}")
        self.add(["command_line"], f"pack\nrows.json\n-o\nslab.bin\n--json\n@@rows.json\n{text}")
        self.add(["command_line"], f"lint\n-f\njson\nrows.json\n@@rows.json\n{text}")

    def goldens(self):
        for case in golden_cases():
            if "document" not in case:
                continue
            document = case["document"]
            self.document(json.dumps(document, separators=(",", ":")))
            if "slab" not in case:
                continue
            slab = bytes.fromhex(case["slab"])
            params = dict(document.get("params", {}))
            if "rows" in self.layouts[document["layout"]].get("params", {}):
                params.setdefault("rows", len(document["rows"]))
            self.slab(document["layout"], slab, params)
            self.slab(document["layout"], slab, params, live=len(document["rows"]), rows_in_group=1)

    def lint_goldens(self):
        for case in lint_cases():
            document = {key: case[key] for key in ("layout", "params", "region_bytes", "live_rows", "groups", "rows",
                                                   "fields", "residue") if key in case}
            if isinstance(document.get("layout"), str) and "rows" in document:
                self.document(json.dumps(document))

    def generated(self):
        sizes = ["-D", "block_size=16", "-D", "num_blocks=128", "-D", "dummy_block=127"]
        for name, layout in self.layouts.items():
            for rows in (1, 3, 8) if "row_param" in layout else (1,):
                text = self.run("gen", name, "--rows", str(rows), *sizes, "--share-prefix")
                if not text:
                    continue
                self.document(text.decode())
                slab = self.run("pack", stdin=text)
                params = json.loads(text)["params"]
                self.slab(name, slab, params, live=rows)
                defines = "".join(f"-D\n{key}={value}\n" for key, value in params.items())
                self.add(["command_line"], f"diff\n-l\n{name}\n{defines}a.bin\nb.bin\n@@b.bin\n".encode() + slab[:-1] +
                         b"\1\n@@a.bin\n" + slab)
                for command in ("decode", "lint", "verify\n--device\nhost", "decode\n-f\ntable", "decode\n-f\nhex", "lint\n--raw\n-f\nsarif"):
                    self.add(["command_line"], f"{command}\n-l\n{name}\n{defines}dump.bin\n@@dump.bin\n".encode() + slab)
                many = self.run("gen", name, "--rows", str(rows), *sizes, "--count", "2")
                self.add(["rows_json", "mutated_valid"], many)
                self.add(["command_line"], b"pack\n--stride\n4KiB\n@@-\n" + many)
                self.add(["command_line"], "gen\n" + name + f"\n--rows\n{rows}\n-D\nblock_size=16\n-D\nnum_blocks=99")

    def descriptions(self):
        for path in layout_files() + sorted((ROOT / "tests" / "transcripts" / "files").glob("own.json")):
            text = path.read_text()
            self.add(["description_json"], text)
            self.add(["command_line"], f"layout\nown.json\n-f\njson\n@@own.json\n{text}")
            self.add(["command_line"], f"layout\n{path.stem}\n--fit\nmax_blocks\n--region-bytes\n4KiB\n-D\nrows=2")
        own = (ROOT / "tests" / "support" / "own_layouts.h").read_text()
        for text in re.findall(r'R"json\((.*?)\)json"', own, re.S):
            self.add(["description_json"], text)
            name = json.loads(text)["name"]
            self.add(["rows_json", "mutated_valid"], f'@{name}\n{{"layout": "{name}", "rows": [{{}}], "fields": {{}}}}')
        test = (ROOT / "tests" / "json" / "own_layouts_test.cpp").read_text()
        document = re.search(r'document = R"\((.*?)\)"', test, re.S).group(1)
        self.add(["rows_json", "mutated_valid"], "@every_kind\n" + document)

    def arenas(self):
        for path in sorted((ROOT / "schemas" / "arenas").glob("*.json")):
            arena = json.loads(path.read_text())
            self.add(["arena"], path.read_text())
            defines = "-D\nmax_batch_size=2\n-D\nmax_blocks=3\n-D\nentries=4\n"
            self.add(["command_line"], f"layout\n--arena\n{path.stem}\n{defines}--locate\n49152")
            for slab in arena["slabs"]:
                slab["offset"] %= 257  # near each other
                slab["params"] = {"max_batch_size": 2, "max_blocks": 3, "padded_rows": 2} if slab["layout"] == "decode" else {"entries": 4}
            self.add(["arena"], json.dumps({**arena, "bytes": 2048}))
            own = {"name": "own", "layout": self.layouts["mtp_batch"], "offset": 16, "region_bytes": 64, "phase": "decode",
                   "params": {"rows": 2, "max_blocks": 1}}
            arena["slabs"].append(own)
            text = json.dumps(arena)
            self.add(["arena"], text)
            for command in ("layout", "decode", "lint"):
                more = "dump.bin\n@@dump.bin\n" + "x" * 2000 + "\n" if command != "layout" else ""
                self.add(["command_line"], f"{command}\n--arena\nown.json\n{more}@@own.json\n{text}")

    def expressions(self):
        numbers = b"\n" + bytes([3, 5, 0xC8, 10, 7, 2])
        for value in texts(list(self.layouts.values())):
            self.add(["expression"], value.encode() + numbers)
        for value in ("a+b*c-1", "min(a, max(b, c))", "ceil_div(align_up(a, 16), b % c)", "rung(a, 2, 4, 8, b)",
                      "-(a - 0x10) / row_count", "live_rows * 18446744073709551615"):
            self.add(["expression"], value.encode() + numbers)

    def numbers(self):
        """Inputs that are numbers and choices: a few of each length, the same at every run."""
        for length in (8, 32, 128, 512):
            for salt in range(8):
                made = b"".join(hashlib.sha256(bytes([salt, block])).digest() for block in range(length // 32 + 1))
                self.add(["kernels", "layout_arithmetic", "pack_typed"], bytes([salt]) + made[:length])

    def dump(self, data, kind=None, unit=None):
        """A file as the input of the targets that read containers: hints, pace, and the bytes."""
        header = bytes([4 if unit is None else unit.bit_length() - 1, 0])
        self.add(["containers"], header + data)
        target = "container_" + str(kind).replace("-", "_")
        if target in self.of:
            self.add([target], header + data)

    def dumps(self):
        """Each of tests/golden/dumps that is small enough, to the kind that the command says it is."""
        for row in json.loads((made_dumps.GOLDEN / "expectations.json").read_text()):
            data = (made_dumps.GOLDEN / row["sample"]).read_bytes() if "sample" in row else made_dumps.MADE[row["made"]]()
            given = row.get("options", [])
            hints = [word for name, value in zip(given, given[1:]) if name in ("--container", "--unit")
                     for word in (name, value)]
            unit = int(hints[hints.index("--unit") + 1]) if "--unit" in hints else None
            listed = self.run("regions", "-", "-f", "json", *hints, stdin=data)
            self.dump(data, json.loads(listed)["container"].split("/")[0] if listed else None, unit)
        for kind, data in made_dumps.small_cores():
            self.dump(data, kind)

    def write(self, folder):
        self.dumps()
        self.goldens()
        self.lint_goldens()
        self.generated()
        self.descriptions()
        self.arenas()
        self.expressions()
        self.numbers()
        for target, seeds in self.of.items():
            to = folder / target
            to.mkdir(parents=True, exist_ok=True)
            for seed in seeds:
                (to / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


def words():
    """Keys, names, types, codes and limits that the readers know."""
    found = set()
    for path in layout_files():
        for text in texts(json.loads(path.read_text())):
            found.update(re.findall(r"\w+", text) if len(text) < 40 else [])
            found.add(text if len(text) < 40 else "")
    for path in sorted((ROOT / "schemas").glob("*.schema.json")):
        for schema in (json.loads(path.read_text()),):
            found.update(each for each in texts(schema) if re.fullmatch(r"[\w-]{1,24}", each))
    found.update(re.findall(r'ErrorCode::\w+, "(\w+)"', (ROOT / "lib/slabscope/base/error.cpp").read_text()))
    found.update(re.findall(r'"(-{1,2}[a-z][a-z-]*)', (ROOT / "app/cli.cpp").read_text()))
    found.update(re.findall(r'Function\{"(\w+)"', (ROOT / "lib/slabscope/layout/expression.cpp").read_text()))
    for bits in (7, 8, 15, 16, 31, 32, 61, 62, 63, 64):
        found.update(str(sign * 2**bits + step) for sign in (1, -1) for step in (-1, 0, 1))
        found.add(hex(2**bits - 1))
    found.update(["KiB", "MiB", "GiB", "\n@@", "@@-\n", "-D\n", "{}", "[]", ",", ":", '"', "null", "true", "1e5", "\\u0041"])
    return sorted(found - {""})


def container_words():
    """What readers of containers look for, and numbers where their widths end."""
    found = {b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x7fELF\x02\x01\x01\x33\x07", b"PK\x03\x04", b"PK\x01\x02",
             b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x02\x00", b"'descr': ",
             b"'fortran_order': True", b"'shape': (", b"<u4", b"<i8", b">i2", b"|u1", b"|O", b"data.pkl", b"data/0", b"version",
             b"byteorder", b"ctorch._utils\n_rebuild_tensor_v2\n", b"ctorch\nLongStorage\n", b"ctorch\nByteStorage\n",
             b"ccollections\nOrderedDict\n", b"storage", b"\x80\x02", b"__metadata__", b'"dtype":"I32"', b'"shape":[',
             b'"data_offsets":[', b"base_address", b"slabscope.layout", b"0x7f32a0008000", b":\t", b"\n*\n", b"|\n", b"  ",
             b": ", b"@", b"Cannot access memory at address 0x", b"ffffffff", b"\r\n"}
    for section in (*range(1, 24), 0xFFFF):
        found.add(struct.pack("<I", 0x80000000 + section))
    for bits in (8, 16, 31, 32, 40, 62, 63, 64):
        found.update(struct.pack("<Q", (2**bits + step) % 2**64) for step in (-1, 0))
    return sorted(found)


def quoted(word):
    return '"' + "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word) + '"'


def write_dictionaries(folder):
    for target in targets():
        known = container_words() if target.startswith("container") else [word.encode() for word in words()]
        (folder / f"{target}.dict").write_text("\n".join(map(quoted, known)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--slabscope", required=True, help="the command, for gen and pack")
    parser.add_argument("--output", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    Seeds(options.slabscope).write(options.output)
    write_dictionaries(options.output)


if __name__ == "__main__":
    main()
