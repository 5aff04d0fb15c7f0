#!/usr/bin/env python3
"""Makes each call to the system fail that the command makes, one after the other, and sees how the command ends.

A call that was interrupted, or passed less than it was asked to, changes nothing. One that fails ends the command with
exit 4 and a message; the output file is then as it was before. So does memory that is refused, whichever allocation it
is. faults.c is what comes between the command and the C library.
"""
import errno
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from built import cache, run  # noqa: E402
from console import Tally, argument_parser  # noqa: E402

ROWS = """{"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [
 {"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]},
 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}]}
"""
OWN = """{"name": "own", "params": {"rows": {}, "width": {}}, "row_param": "rows",
 "fields": [{"name": "a", "type": "u8", "shape": ["rows"]}, {"name": "b", "type": "i64", "shape": ["rows", "width"]}]}
"""
DUMP = "-l mtp_batch -D max_blocks=2 -D block_size=16"

# Every command, every kind of output. `out` and `into.bin` are there before.
COMMANDS = [
    "pack rows.json -o out",
    "pack rows.json rows.json -o out",  # refused: how a message comes out of it
    "pack two.ndjson --stride 256 -o out",
    "pack rows.json --into into.bin --offset 16",
    "pack - -o out < rows.json",
    "pack rows.json --json",
    f"decode a.bin {DUMP} -o out",
    f"decode - {DUMP} --offset 0 -f table -o out < a.bin",
    f"decode a.bin {DUMP} -f hex",
    "decode own.bin -l own.json -D width=1 -o out",
    f"lint b.bin {DUMP} -o out",
    "lint two.ndjson -D block_size=16 -f json",
    "lint rows.json -D block_size=16 -f sarif",
    f"diff a.bin b.bin {DUMP} -f json -o out",
    "layout mtp_batch -D rows=4 -D max_blocks=8 -f json -o out",
    "layout own.json -D rows=4 --fit width --region-bytes 4096",
    "layout --arena scratch -D max_batch_size=8 -D max_blocks=16 -f json",
    "layout mtp_batch -D rows=4 -D max_blocks=8 --compare mtp_batch --with rows=5 -f json",
    "gen mtp_batch -D max_blocks=4 --rows 3 --count 2 -o out",
    "verify rows.json --device host -o out",
    "schema error -f table",
    f"decode arena.bin.gz {DUMP} -D rows=1 --length 40",
    f"decode arena.bin.zst {DUMP} -D rows=1 --length 40 -o out",
    "regions arena.bin.gz",
    "regions parts_deflated.npz -f json -o out",
    "regions dict_parts.pt",
    "decode -l mtp_batch --tensors position=dict_parts.pt:positions,slot=dict_parts.pt:slots,"
    "seq_len=dict_parts.pt:seq_lens,block_table=dict_parts.pt:block_tables -o out",
    "regions full.nvcudmp -f json",
    f"lint full.nvcudmp {DUMP} -D rows=2 --region .cudbg.global.1 -f json",
    "regions xxd.txt -o out",
    "decode --help",
]

DUMPS = HERE.parent / "golden" / "dumps"
DUMP_FILES = ("compressed/arena.bin.gz", "compressed/arena.bin.zst", "numpy/parts_deflated.npz", "torch/dict_parts.pt",
              "cuda/full.nvcudmp", "text/xxd.txt")

# What is made to fail, how, and with which errno; what may become of it: "nothing" must be seen of it; it ends the
# command unless it was "not needed" (what is read ahead, a close of an input); or it "ends" the command always.
FAULTS = [
    ("read", "once", errno.EINTR, "nothing"), ("read", "short", 0, "nothing"),
    ("read", "once", errno.EIO, "not needed"), ("read", "always", errno.EIO, "not needed"),
    ("write", "once", errno.EINTR, "nothing"), ("write", "short", 0, "nothing"),
    ("write", "once", errno.EIO, "ends"), ("write", "always", errno.ENOSPC, "ends"),
    ("open", "once", errno.EMFILE, "not needed"), ("open", "once", errno.EACCES, "not needed"),
    ("close", "once", errno.EIO, "not needed"), ("closewritten", "once", errno.EIO, "ends"),
    ("seek", "once", errno.EIO, "not needed"), ("rename", "once", errno.EACCES, "ends"),
    ("malloc", "once", errno.ENOMEM, "not needed"), ("malloc", "always", errno.ENOMEM, "not needed"),
]
MOST_POINTS = 40  # of one fault in one command; calls beyond are taken at even steps
OUT_OF_MEMORY = "memory is used up"


class Bench:
    """A folder for each run, with the inputs in it."""

    def __init__(self, slabscope, library, inputs, count_from):
        self.slabscope = slabscope
        self.count_from = count_from  # "start", or "main" and not what comes before it
        self.library = library
        self.inputs = inputs

    def run(self, command, fault=None):
        """Exit code, standard output, standard error, files afterwards, and the number of such calls."""
        with tempfile.TemporaryDirectory(prefix="slabscope-faults-") as folder:
            for name, content in self.inputs.items():
                Path(folder, name).write_bytes(content)
            environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
            if fault:
                environment |= {"FAULTS": fault, "COUNT": str(Path(folder, "count"))}
            # The shell sets them for the command alone.
            setting = f'LD_PRELOAD="{self.library}" SLABSCOPE_FAULT="$FAULTS" SLABSCOPE_FAULT_COUNT="$COUNT" ' \
                      f'SLABSCOPE_FAULT_FROM={self.count_from} ' if fault else ""
            done = subprocess.run(["bash", "-c", f"{setting}exec '{self.slabscope}' {command}"], cwd=folder,
                                  env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
            files = {each.name: each.read_bytes() for each in Path(folder).iterdir() if each.name != "count"}
            count = Path(folder, "count")
            calls = int(count.read_text()) if count.exists() else 0
        return done.returncode, done.stdout, done.stderr.decode(errors="replace"), files, calls


def same(one, other):
    """Timings differ in no output of COMMANDS."""
    return one[0] == other[0] and one[1] == other[1] and one[3] == other[3]


def problem(fault, before, whole, seen):
    """What is wrong with how a command ended; nothing, if all is well."""
    call, how, _, outcome = fault
    code, _, message, files, _ = seen
    if same(seen, whole):
        # What a command that fails anyway has written is thrown away.
        return "it is not noticed" if outcome == "ends" and whole[0] in (0, 1) else None
    if outcome == "nothing":
        return f"it changes what happens: exit {code}, {message}"
    if code != 4 and not (call == "malloc" and code == 5):  # memory of the device that is the host
        return f"exit {code}, not 4: {message}"
    if call == "malloc" and OUT_OF_MEMORY not in message and code == 4 and how == "always":
        return f"does not say that memory is used up: {message}"
    if not message.strip():
        return "no message"
    is_in_place = whole[3].get("into.bin") != before["into.bin"]
    if is_in_place and call in ("write", "close", "closewritten"):
        return None  # written in place: what was not written yet cannot be taken back
    if files != before:
        changed = sorted(name for name in files.keys() | before.keys() if files.get(name) != before.get(name))
        return f"exit {code}, but files changed: {changed}"
    return None


def check(bench, command, tally):
    """Makes each call of the command fail; how many of each kind there were."""
    whole = bench.run(command)
    points = Counter()
    jobs = []
    for fault in FAULTS:
        call, how, number, _ = fault
        calls = bench.run(command, f"{call}:0:once:0")[4]
        step = 1 + calls // MOST_POINTS
        jobs += [(fault, f"{call}:{at}:{how}:{number}") for at in range(1, calls + 1, step)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (fault, text), seen in zip(jobs, pool.map(lambda job: bench.run(command, job[1]), jobs)):
            tally.add(f"{command} [{text}]", problem(fault, bench.inputs, whole, seen))
            points[fault[0]] += 1
    return points


def main():
    options = argument_parser(__doc__).parse_args()
    if cache(options.build, "SLABSCOPE_SANITIZE") == "ON":
        print("SKIPPED: sanitizers come between the command and the C library themselves")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "faults.so")
        run(cache(options.build, "CMAKE_C_COMPILER") or "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
            HERE / "faults.c", "-o", library)
        line = ROWS.replace("\n", " ") + "\n"
        inputs = {"rows.json": ROWS.encode(), "two.ndjson": 2 * line.encode(), "own.json": OWN.encode(),
                  "out": b"as it was\n", "into.bin": bytes(range(128)), "own.bin": bytes(range(17 + 7))}
        # What the CUDA runtime sets up before main does not survive without memory.
        with_cuda = cache(options.build, "SLABSCOPE_CUDA") != "OFF" and cache(options.build, "CMAKE_CUDA_COMPILER")
        bench = Bench(options.slabscope, library, inputs, "main" if with_cuda else "start")
        inputs["a.bin"] = bench.run("pack rows.json")[1]
        inputs["b.bin"] = bytes([8]) + inputs["a.bin"][1:9] + b"\1" + inputs["a.bin"][10:]
        for name in DUMP_FILES:
            inputs[Path(name).name] = (DUMPS / name).read_bytes()
        tally = Tally()
        points = sum((check(bench, command, tally) for command in COMMANDS), Counter())
        for call in {call for call, *_ in FAULTS}:
            # What the command does by other calls than those of faults.c, nobody makes fail.
            tally.add(f"calls of {call}", None if points[call] else "there are none")
        print(f"{points.total()} calls failed in {len(COMMANDS)} commands")
        return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
