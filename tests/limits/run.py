#!/usr/bin/env python3
"""Memory and time of large inputs, under limits that the system enforces; and that ten times the work takes ten times as long.

A document of rows of any size takes at most 32 MiB beside its slab; a stream of documents or slabs, and a window of a
dump of 1 TiB, take 32 MiB. The data of the process is limited to that (ulimit -d), its processor time to some seconds
(ulimit -t). Time is the least of several runs, of the processor: other work on the machine only adds to it.
"""
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from built import cache  # noqa: E402
from console import Tally, argument_parser  # noqa: E402

MIB = 1 << 20
MOST_MEMORY = 32 * MIB
MOST_SECONDS = 20
MOST_GROWTH = 12
SLAB = "-l mtp_batch -D rows=16 -D max_blocks=64 -D block_size=16 -D num_blocks=90000"


class Bench:
    def __init__(self, slabscope, folder):
        self.slabscope = slabscope
        self.folder = folder

    def run(self, command, memory=None, output=subprocess.DEVNULL):
        """Exit code, seconds of a processor, bytes of the largest resident size, standard error."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
            if memory:
                resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        with tempfile.TemporaryFile() as told:
            child = subprocess.Popen([str(self.slabscope), *command.split()], cwd=self.folder, stdout=output, stderr=told,
                                     stdin=subprocess.DEVNULL, preexec_fn=limit)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            told.seek(0)
            return (child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024,
                    told.read(4000).decode(errors="replace"))

    def make(self, name, command):
        with open(self.folder / name, "wb") as output:
            code, _, _, told = self.run(command, output=output)
        if code != 0:
            raise SystemExit(f"FAILED {command}: exit {code}\n{told}")
        return self.folder / name


def repeat(path, name, times):
    """A file beside `path` that holds its content so many times."""
    content = path.read_bytes()
    with open(path.with_name(name), "wb") as file:
        for _ in range(times):
            file.write(content)
    return path.with_name(name)


def rows_document(path, rows):
    """One document of so many rows of 40 blocks."""
    table = ", ".join(str(20000 + block) for block in range(40))
    with open(path, "w") as file:
        file.write('{"layout": "mtp_batch", "params": {"max_blocks": 40}, "rows": [\n')
        for row in range(rows):
            file.write(f'{{"position": {row}, "slot": {320000 + row % 16}, "seq_len": {row + 1}, "block_table": [{table}]}}')
            file.write(",\n" if row + 1 < rows else "\n]}\n")
    return path


def npz(path, members):
    """A zip of so many arrays of 16 bytes."""
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }".ljust(117) + b"\n"
    with zipfile.ZipFile(path, "w") as file:
        for number in range(members):
            file.writestr(f"array_{number}.npy", b"\x93NUMPY\1\0\x76\0" + header + bytes(16))


def safetensors(path, tensors):
    header = json.dumps({f"tensor_{number}": {"dtype": "I32", "shape": [4], "data_offsets": [16 * number, 16 * number + 16]}
                         for number in range(tensors)}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(16 * tensors))


def hexdump(path, lines):
    zeros = " ".join(["01"] * 8)
    path.write_text("".join(f"{16 * line:08x}  {zeros}  {zeros}  |{'.' * 16}|\n" for line in range(lines)) +
                    f"{16 * lines:08x}\n")


def core(path, sections):
    """A CUDA core of so many sections of global memory, 64 bytes each."""
    names = b"\0.shstrtab\0.cudbg.global.0\0"
    row = "<IIQQQQIIQQ"
    at = 64 + len(names)
    rows_at = at + 64 * sections
    rows = bytes(64) + struct.pack(row, 1, 3, 0, 0, 64, len(names), 0, 0, 1, 0)
    for number in range(sections):
        rows += struct.pack(row, 11, 0x80000002, 0, 0x7f0000000000 + 4096 * number, at + 64 * number, 64, 0, 0, 1, 0)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1\x33\7", 4, 190, 1, 0, 0, rows_at, 0, 64, 0, 0, 64,
                         sections + 2, 1)
    path.write_bytes(header + names + bytes(64 * sections) + rows)


def check_memory(bench, tally):
    """P10, with the limits set."""
    folder = bench.folder
    document = rows_document(folder / "document.json", 120_000)
    many = repeat(bench.make("some.ndjson", f"gen mtp_batch --rows 16 --count 400 {SLAB[len('-l mtp_batch -D rows=16'):]}"),
                  "many.ndjson", 24)
    slabs = bench.make("many.bin", f"pack {many.name} --stride 8KiB")
    one = bench.make("one.bin", f"pack {document.name}")
    with open(folder / "huge.bin", "wb") as file:
        file.truncate(1 << 40)
        file.seek((1 << 40) - 64 * 1024)
        with open(slabs, "rb") as source:
            file.write(source.read(8192))
    print(f"documents of {document.stat().st_size // MIB} and {many.stat().st_size // MIB} MiB, "
          f"slabs of {one.stat().st_size // MIB} and {slabs.stat().st_size // MIB} MiB, a dump of 1 TiB")
    end = f"--offset {(1 << 40) - 64 * 1024}"
    of_one = "-l mtp_batch -D max_blocks=40"
    for command, beside in (
            (f"pack {document.name}", one.stat().st_size), (f"decode {one.name} {of_one}", one.stat().st_size),
            (f"pack {many.name} --stride 8KiB -j 1", 0), (f"pack {many.name} -j 8", 0),
            (f"decode {slabs.name} {SLAB} --stride 8KiB -j 1", 0), (f"decode {slabs.name} {SLAB} --stride 8KiB -j 8", 0),
            (f"lint {many.name} -D block_size=16 -D num_blocks=90000", 0), (f"lint {slabs.name} {SLAB} --stride 8KiB", 0),
            (f"decode huge.bin {SLAB} {end}", 0), (f"lint huge.bin {SLAB} {end}", 0),
            (f"decode huge.bin {SLAB} --base 0x7f0000000000 --address {hex(0x7f0000000000 + (1 << 40) - 64 * 1024)}", 0),
            ("regions huge.bin", 0)):
        limit = MOST_MEMORY + beside
        code, _, peak, told = bench.run(command, memory=None if "-j 8" in command else limit)  # whole stacks would count
        print(f"{peak / MIB:6.1f} of {limit / MIB:5.1f} MiB  {command}")
        problem = None
        if code != 0:
            problem = f"exit {code}: {told}"
        elif peak > limit:
            problem = f"{peak} B of memory, allowed {limit}"
        tally.add(f"{command} in {limit} B", problem)


def check_growth(bench, tally):
    """Each work at some size, and ten times that."""
    folder = bench.folder
    for size, times in (("n", 1), ("10n", 10)):
        many = repeat(folder / "some.ndjson", f"{size}.ndjson", 2 * times)
        bench.make(f"{size}.bin", f"pack {many.name} --stride 8KiB")
        rows_document(folder / f"{size}.json", 6_000 * times)
        bench.make(f"{size}.slab", f"pack {size}.json")
        npz(folder / f"{size}.npz", 1000 * times)
        safetensors(folder / f"{size}.safetensors", 3000 * times)
        hexdump(folder / f"{size}.hex", 20_000 * times)
        core(folder / f"{size}.core", 1000 * times)
    for command in (
            "pack SIZE.ndjson -j 1", "pack SIZE.json", f"decode SIZE.bin {SLAB} --stride 8KiB -j 1",
            "decode SIZE.slab -l mtp_batch -D max_blocks=40", "decode SIZE.slab -l mtp_batch -D max_blocks=40 -f table",
            "decode SIZE.slab -l mtp_batch -D max_blocks=40 -f hex",
            f"lint SIZE.bin {SLAB} --stride 8KiB", "lint SIZE.json -D block_size=16 -D num_blocks=90000 -f json",
            "diff SIZE.slab SIZE.slab -l mtp_batch -D max_blocks=40", "verify SIZE.slab -l mtp_batch -D max_blocks=40 --device host",
            "regions SIZE.npz", "regions SIZE.safetensors -f json", "regions SIZE.core",
            "decode SIZE.core -l mtp_batch -D rows=1 -D max_blocks=2 --address 0x7f0000000000", "regions SIZE.hex",
            "decode SIZE.hex -l mtp_batch -D rows=1 -D max_blocks=2 --offset 64"):
        ok = (0, 1) if command.startswith("lint") else (0,)
        seconds, codes = [60.0, 60.0], set()
        for _ in range(3):  # again where it seems to be too long: the machine may have been busy
            for at, size in enumerate(("n", "10n")):
                runs = [bench.run(command.replace("SIZE", size)) for _ in range(3)]
                seconds[at] = min(seconds[at], *(each[1] for each in runs))
                codes |= {(each[0], each[3]) for each in runs}
            ratio = seconds[1] / max(seconds[0], 0.001)
            if ratio <= MOST_GROWTH:
                break
        print(f"{1000 * seconds[0]:7.1f} ms, {1000 * seconds[1]:8.1f} ms: {ratio:5.1f} times  {command}")
        problem = None
        if not {code for code, _ in codes} <= set(ok):
            problem = f"exits and messages {sorted(codes)[-1]}"
        elif ratio > MOST_GROWTH:
            problem = f"{ratio:.1f} times as long for ten times as much, allowed {MOST_GROWTH}"
        tally.add(f"growth of {command}", problem)


def main():
    options = argument_parser(__doc__).parse_args()
    if "ON" in (cache(options.build, "SLABSCOPE_SANITIZE"), cache(options.build, "SLABSCOPE_COVERAGE")):
        print("SKIPPED: this build is instrumented")
        return 0
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="slabscope-limits-") as folder:
        bench = Bench(options.slabscope, Path(folder))
        check_memory(bench, tally)
        check_growth(bench, tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
