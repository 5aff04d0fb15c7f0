#!/usr/bin/env python3
"""Containers against readers and writers that share nothing with ours: json, struct, zipfile, re and pickle of Python, and
numpy where it is installed. Every region has the name, type, shape and bytes that they find; so has every sample.
"""
import argparse
import ast
import gzip
import io
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sample_readers
import torch_files

try:
    import numpy
except ImportError:
    numpy = None

SAMPLES = pathlib.Path(__file__).resolve().parents[1] / "golden" / "dumps"
BYTES = {"name": "bytes_of_a_region", "params": {"n": {"doc": "bytes"}},
         "fields": [{"name": "bytes", "type": "u8", "shape": ["n"]}]}
WIDTHS = {"U8": 1, "I8": 1, "BOOL": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8,
          "I64": 8, "F64": 8}


class Checks:
    """Counts what passed and prints what did not."""

    def __init__(self, slabscope, folder):
        self.slabscope, self.folder = slabscope, pathlib.Path(folder)
        self.passed = self.failed = 0
        self.layout = self.file("bytes.json", json.dumps(BYTES).encode())

    def expect(self, what, got, expected):
        self.passed += got == expected
        self.failed += got != expected
        if got != expected:
            print(f"FAILED {what}: got {str(got)[:300]}, expected {str(expected)[:300]}")

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def run(self, *arguments):
        return subprocess.run([self.slabscope, *arguments], capture_output=True, timeout=120)

    def regions(self, path, options=()):
        done = self.run("regions", path, "-f", "json", *options)
        if done.returncode != 0:
            return {"container": done.stderr.decode(), "regions": []}
        return json.loads(done.stdout)

    def bytes(self, path, region, options=()):
        """Of a region, read through decode."""
        if region["bytes"] == 0:
            return b""
        done = self.run("decode", path, "-l", self.layout, "-D", f"n={region['bytes']}", "--region", region["name"],
                        "--reinterpret", "-f", "json", *options)
        if done.returncode != 0:
            return done.stderr
        return bytes(json.loads(done.stdout)["rows"][0]["bytes"])

    def holds(self, path, container, wanted, options=()):
        """`wanted`: name -> (type, shape, bytes); a type or shape of None is not looked at."""
        report = self.regions(path, options)
        self.expect(f"{path}: container", report["container"], container)
        got = {each["name"]: each for each in report["regions"]}
        self.expect(f"{path}: names", sorted(got), sorted(wanted))
        for name, (kind, shape, data) in wanted.items():
            if name not in got:
                continue
            region = got[name]
            self.expect(f"{path}: {name}", (region.get("type"), region.get("shape"), self.bytes(path, region, options)),
                        (kind or region.get("type"), shape if shape is not None else region.get("shape"), data))
            if "file_offset" in region:
                begin = region["file_offset"]
                self.expect(f"{path}: {name} in the file", pathlib.Path(path).read_bytes()[begin:begin + len(data)], data)


# --- npy -----------------------------------------------------------------------------------------

def npy(descr, shape, data, fortran=False, version=1):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode()
    prefix = 10 if version == 1 else 12
    header += b" " * (-(prefix + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def npy_elements(data):
    """(type, shape, bytes) of an array of numbers, element by element."""
    start, form = (10, "<H") if data[6] == 1 else (12, "<I")
    length, = struct.unpack_from(form, data, 8)
    header = ast.literal_eval(data[start:start + length].decode("utf-8" if data[6] == 3 else "latin1"))
    shape, descr = header["shape"], header["descr"]
    width = int(descr[2:])
    body = data[start + length:]
    order = range(len(shape)) if header["fortran_order"] else reversed(range(len(shape)))
    strides, step = {}, width
    for dimension in order:
        strides[dimension], step = step, step * shape[dimension]
    places = [0]
    for dimension, count in enumerate(shape):
        places = [place + index * strides[dimension] for place in places for index in range(count)]
    turn = -1 if descr[0] == ">" else 1
    return descr, list(shape), b"".join(body[place:place + width][::turn] for place in places)


def check_npy(checks):
    chance = random.Random(7)
    for index in range(40):
        descr = chance.choice(["|u1", "|i1", "<u2", ">i2", "<i4", ">u4", "<u8", ">i8", "<f4", "|b1", ">f8", "|S3"])
        shape = tuple(chance.choice([1, 2, 3, 7, 20]) for _ in range(chance.randrange(5)))
        data = npy(descr, shape, chance.randbytes(math.prod(shape) * int(descr[2:])), chance.random() < 0.5,
                   chance.randrange(1, 4))
        checks.holds(checks.file(f"{index}.npy", data), "npy", {"array": npy_elements(data)})


def check_npz(checks):
    chance = random.Random(8)
    for index in range(6):
        arrays = {name: npy("<i4", (count, 3), chance.randbytes(12 * count), count % 2 == 0)
                  for name, count in (("positions", 5), ("kv/slots", 600), ("empty", 0), ("large", 20000))}
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED if index % 2 else zipfile.ZIP_STORED) as archive:
            archive.comment = b"PK\x05\x06" * (index // 2)
            for name, data in arrays.items():
                with archive.open(name + ".npy", "w", force_zip64=index > 2) as member:
                    member.write(data)
        checks.holds(checks.file(f"{index}.npz", made.getvalue()), "npz",
                     {name: npy_elements(data) for name, data in arrays.items()})


def check_numpy(checks):
    """What numpy itself saves."""
    record = numpy.dtype([("pos", "<u4"), ("slot", ">i8"), ("at", [("x", "<i2"), ("y", ">u4", (2, 3))], (2,))])
    padded = numpy.dtype([("a", "u1"), ("b", "<i4")], align=True)
    source = numpy.random.default_rng(9)
    for index, (kind, shape) in enumerate([(record, (3,)), (record, (2, 3)), (padded, (4,)), (numpy.dtype(">c8"), (3, 2)),
                                           (numpy.dtype("<U3"), (2,)), (numpy.dtype("<M8[ns]"), ()),
                                           (numpy.dtype(">u2"), (0, 4))]):
        count = math.prod(shape)
        array = numpy.frombuffer(source.bytes(count * kind.itemsize), dtype=kind).reshape(shape)
        path = str(checks.folder / f"numpy{index}.npy")
        numpy.save(path, array)
        wanted = {}
        if not kind.names:
            wanted["array"] = (None, list(shape), little_endian(array))
        elif kind is padded:
            wanted["array"] = (None, list(shape), array.tobytes())
        for name, values in fields_of(array):
            wanted[name] = (None, list(values.shape), little_endian(values))
        checks.holds(path, "npy", wanted)


def little_endian(array):
    return (array.byteswap() if array.dtype.byteorder == ">" else array).tobytes()


def fields_of(array, prefix=""):
    for name in array.dtype.names or ():
        if array[name].dtype.names:
            yield from fields_of(array[name], prefix + name + ".")
        else:
            yield prefix + name, array[name]


# --- safetensors ---------------------------------------------------------------------------------

def safetensors(tensors, metadata):
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, (dtype, shape, inside) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(inside)]}
        data += inside
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def safetensors_in(data):
    length, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    return {name: (each["dtype"], each["shape"],
                   data[8 + length + each["data_offsets"][0]:8 + length + each["data_offsets"][1]])
            for name, each in header.items()}


def check_safetensors(checks):
    chance = random.Random(10)
    for index in range(10):
        tensors = {}
        for number in range(chance.randrange(6)):
            dtype = chance.choice(list(WIDTHS))
            shape = [chance.randrange(6) for _ in range(chance.randrange(4))]
            tensors[f"t.{number} \"ä\""] = (dtype, shape, chance.randbytes(math.prod(shape) * WIDTHS[dtype]))
        path = checks.file(f"{index}.safetensors",
                           safetensors(tensors, {"base_address": "0x7f0000001000", "a": "b"} if index % 2 else {}))
        checks.holds(path, "safetensors", tensors)
        if index % 2:
            report = checks.regions(path)
            checks.expect(f"{path}: facts", report["facts"], [{"name": "base_address", "value": "0x7f0000001000"},
                                                              {"name": "a", "value": "b"}])
            place = 0x7f0000001000
            for each in report["regions"]:
                checks.expect(f"{path}: address", each["address"], hex(place))
                place += each["bytes"]


# --- torch, and the samples ----------------------------------------------------------------------

def check_torch(checks):
    for seed in range(30):
        data, tensors, storages = torch_files.some_file(seed)
        wanted = {name: (kind, shape, inside) for name, kind, shape, inside in tensors}
        wanted.update({name: (None, None, inside) for name, inside in storages.items()})
        checks.holds(checks.file(f"{seed}.pt", data), "torch", wanted)


def check_samples(checks):
    for path in sorted(SAMPLES.glob("numpy/*.npy")):
        data = path.read_bytes()
        if b"'|O'" not in data[:128] and b"[(" not in data[:128]:
            checks.holds(str(path), "npy", {"array": npy_elements(data)})
    for path in sorted(SAMPLES.glob("numpy/*.npz")):
        with zipfile.ZipFile(path) as archive:
            checks.holds(str(path), "npz", {name[:-4]: npy_elements(archive.read(name)) for name in archive.namelist()})
    for path in sorted(SAMPLES.glob("safetensors/*.safetensors")):
        data = path.read_bytes()
        if struct.unpack_from("<Q", data)[0] < len(data):
            checks.holds(str(path), "safetensors", safetensors_in(data))


def check_torch_samples(checks):
    """Those that torch wrote."""
    paths = [path for path in sorted(SAMPLES.glob("torch/*.pt")) if path.name != "legacy_pre16.pt"]
    checks.expect("samples of torch", len(paths) >= 4, True)
    for path in paths:
        checks.holds(str(path), "torch", sample_readers.torch_regions(path))


def check_cores(checks):
    """Regions and addresses of cores; bytes by their place in the file as readelf shows it."""
    refused = ("truncated_headers_missing.nvcudmp", "wrong_machine_x86.nvcudmp")
    paths = [path for path in sorted(SAMPLES.glob("cuda/*.nvcudmp")) if path.name not in refused]
    checks.expect("samples of cores", len(paths) >= 7, True)
    for path, container in [*((path, "cuda-core") for path in paths), (SAMPLES / "amd" / "gpucore.4242", "elf-core")]:
        wanted = sample_readers.elf_regions(path)
        checks.holds(str(path), container, {name: (None, None, data) for name, (_, data) in wanted.items()})
        for region in checks.regions(str(path))["regions"]:
            address = wanted.get(region["name"], (None, None))[0]
            checks.expect(f"{path}: address of {region['name']}", region.get("address"), address and hex(address))


def check_compressed_samples(checks):
    """What gzip's own module takes out; zstd has none, but the same core and arena."""
    arena = (SAMPLES / "raw" / "arena_aa_64k_at_0x8000.bin").read_bytes()
    for name in ("arena.bin.gz", "arena.bin.zst", "no_content_size.zst"):
        path = SAMPLES / "compressed" / name
        if name.endswith(".gz"):
            checks.expect(f"{name}: gzip", gzip.decompress(path.read_bytes()), arena)
        done = checks.run("decode", str(path), "-l", checks.layout, "-D", f"n={len(arena)}", "-f", "json")
        checks.expect(f"{name}: bytes", bytes(json.loads(done.stdout)["rows"][0]["bytes"]), arena)
    core = sample_readers.elf_regions(SAMPLES / "cuda" / "full.nvcudmp")
    checks.expect("full.nvcudmp.gz: gzip", gzip.decompress((SAMPLES / "cuda" / "full.nvcudmp.gz").read_bytes()),
                  (SAMPLES / "cuda" / "full.nvcudmp").read_bytes())
    for kind in ("gz", "zst"):
        checks.holds(str(SAMPLES / "cuda" / f"full.nvcudmp.{kind}"), ("gzip" if kind == "gz" else "zstd") + "/cuda-core",
                     {name: (None, None, data) for name, (_, data) in core.items()})


def check_texts(checks):
    for name, (options, pattern, width) in sample_readers.TEXTS.items():
        path = SAMPLES / name
        wanted = sample_readers.text_regions(path, pattern, width)
        container = checks.regions(str(path), options)["container"]
        checks.holds(str(path), container, {each: (None, None, data) for each, data in wanted.items()}, options)
    for name, read in (("gdb/x_console_formats.txt", sample_readers.gdb_memory),
                       ("gdb/lo.verilog", sample_readers.verilog_memory),
                       ("gdb/hi.verilog", sample_readers.verilog_memory),
                       ("hexfmt/objcopy_addr0.vh", sample_readers.verilog_memory),
                       ("hexfmt/objcopy_0x20008000.vh", sample_readers.verilog_memory)):
        memory = read(SAMPLES / name)
        begin = min(memory)
        checks.expect(f"{name}: one region", sorted(memory), list(range(begin, begin + len(memory))))
        checks.holds(str(SAMPLES / name), "verilog" if read is sample_readers.verilog_memory else "gdb-x",
                     {hex(begin): (None, None, bytes(memory[at] for at in sorted(memory)))})
    plain = SAMPLES / "text" / "xxd_plain.txt"
    checks.holds(str(plain), "xxd-p", {"": (None, None, sample_readers.plain_bytes(plain))}, ["--container", "xxd-p"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slabscope", required=True)
    parser.add_argument("--build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(options.slabscope, folder)
        for check in (check_npy, check_npz, check_safetensors, check_torch, check_samples, check_torch_samples,
                      check_cores, check_compressed_samples, check_texts):
            check(checks)
        if numpy is not None:
            check_numpy(checks)
    if numpy is None:
        print("SKIPPED what numpy itself saves: it is not installed (apt-get install python3-numpy)")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed or not checks.passed else 0


if __name__ == "__main__":
    sys.exit(main())
