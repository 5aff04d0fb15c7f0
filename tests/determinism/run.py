#!/usr/bin/env python3
"""The same bytes from any build, in any locale, on any number of threads.

Every command runs in the C locale and in one where a dot is no decimal point and i has no dot as a capital (Turkish), on
1 and on 8 threads; all have to agree. The digests of their outputs are in digests.json, which every build compares with:
g++ and clang, -O0 to -O3, with sanitizers and without. A digest says that nothing changed, not that it is right: goldens
and transcripts do that. --update writes the file.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from console import Tally, argument_parser  # noqa: E402

DIGESTS = HERE / "digests.json"
DUMPS = HERE.parent / "golden" / "dumps"
POOL = "-D block_size=16 -D num_blocks=4096"
BATCHES = "-l mtp_batch -D rows=16 -D max_blocks=64"
DECODE = "-D max_batch_size=32 -D max_blocks=48 -D dummy_block=4095"

# Each may use the output of one before it, by its name; JOBS is the option for threads.
COMMANDS = {
    "batches.ndjson": f"gen mtp_batch --rows 16 --count 300 {POOL} -D max_blocks=64 --seed 11",
    "decode.ndjson": f"gen decode --rows 4..32 --count 60 {POOL} {DECODE} --seed 12 --share-prefix",
    "mtp.json": f"gen mtp --rows 1 {POOL} -D entries=16 --seed 13 -f json",
    "fault.json": f"gen mtp_batch --rows 6 {POOL} --fault write-alias --seed 14",
    "batches.bin": "pack batches.ndjson --stride 8KiB JOBS",
    "decode.bin": "pack decode.ndjson JOBS",
    "mtp.bin": "pack mtp.json",
    "batches decoded": f"decode batches.bin {BATCHES} --stride 8KiB JOBS",
    "batches as a document": f"decode batches.bin {BATCHES} --count 1 -f json",
    "batches as a table": f"decode batches.bin {BATCHES} --stride 8KiB --count 3 -f table",
    "mtp as hex": "decode mtp.bin -l mtp -D entries=16 -f hex",
    "random bytes": f"decode batches.bin -l decode {DECODE} --offset 3 --live 31",
    "lint of a fault": "lint fault.json -f json",
    "lint of bytes": f"lint batches.bin {BATCHES} {POOL} --stride 8KiB -f table",
    "lint as sarif": "lint fault.json -f sarif",
    "diff": f"diff batches.bin decode.bin {BATCHES} -f json",
    "layout": f"layout decode {DECODE} -f json",
    "layout fit": "layout mtp --fit entries --region-bytes 1MiB",
    "arena": "layout --arena scratch -D max_batch_size=8 -D max_blocks=16 -f json",
    "layouts": "layout --list",
    "verify": "verify mtp.json --device host --inject slot",
    "refused": "pack mtp.bin --json",
    "regions of a core": "regions full.nvcudmp -f json",
}
# Which rows are drawn for a fault, and how often anew, goes by the seed.
FAULTS = {
    "decode": ("region-fit policy-ceiling uniform-bytes seq-len-range table-coverage kv-position dtype-width "
               "unit-confusion block-range slot-range slot-formula block-alias same-table write-alias dummy-in-use "
               "tail-fill pad-row int32-overflow"),
    "mtp_batch": "gap-bytes block-alias write-alias same-table pad-row",
}
COMMANDS |= {f"{fault} of {layout}": f"gen {layout} --fault {fault} --count 20 --seed 15"
             for layout, faults in FAULTS.items() for fault in faults.split()}
TURKISH = "tr_TR.UTF-8"
EXITS = {"lint of a fault": 1, "lint as sarif": 1, "diff": 1, "verify": 1, "refused": 3}
UNSTABLE = ("verify",)  # prints how long it took: only what is stable of it counts


def turkish(folder):
    """A folder of locales that has the Turkish one; nothing if it cannot be made here."""
    if not shutil.which("localedef"):
        return None
    made = subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", str(folder / TURKISH)], capture_output=True)
    return folder if (folder / TURKISH).is_dir() and made.returncode in (0, 1) else None


class Run:
    """All commands in one setting, and what they gave."""

    def __init__(self, slabscope, folder, jobs, environment):
        self.slabscope = slabscope
        self.folder = folder
        self.jobs = jobs
        self.environment = {"PATH": os.environ.get("PATH", os.defpath)} | environment
        folder.mkdir()
        shutil.copy(DUMPS / "cuda" / "full.nvcudmp", folder)

    def one(self, name, command):
        words = command.replace("JOBS", f"-j {self.jobs}").split()
        done = subprocess.run([str(self.slabscope), *words], capture_output=True, env=self.environment,
                              stdin=subprocess.DEVNULL, cwd=self.folder, timeout=120)
        (self.folder / name).write_bytes(done.stdout)
        if done.returncode != EXITS.get(name, 0):
            raise SystemExit(f"FAILED {command}: exit {done.returncode}\n{done.stderr.decode()}")
        out = b"" if name in UNSTABLE else done.stdout
        return hashlib.sha256(b"%d\n%s%s" % (len(out), out, done.stderr)).hexdigest()

    def digests(self):
        return {name: self.one(name, command) for name, command in COMMANDS.items()}


def main():
    options = argument_parser(__doc__).parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="slabscope-same-") as top:
        top = Path(top)
        settings = {"C locale, 1 thread": (1, {"LC_ALL": "C"}), "C locale, 8 threads": (8, {"LC_ALL": "C"})}
        (top / "locales").mkdir()
        locales = turkish(top / "locales")
        if locales:
            there = {"LC_ALL": TURKISH, "LANG": TURKISH, "LANGUAGE": "tr", "LOCPATH": str(locales)}
            settings["Turkish locale, 8 threads"] = (8, there)
        else:
            tally.skip("Turkish locale", "localedef cannot make it here (package locales)")
        seen = {name: Run(options.slabscope, top / f"run{number}", jobs, environment).digests()
                for number, (name, (jobs, environment)) in enumerate(settings.items())}
    if options.update:
        DIGESTS.write_text(json.dumps(seen["C locale, 1 thread"], indent=1) + "\n")
    expected = json.loads(DIGESTS.read_text())
    for setting, digests in seen.items():
        for name in sorted(expected.keys() | digests.keys()):
            tally.add(f"{setting}: {name}", None if digests.get(name) == expected.get(name) else
                      f"{COMMANDS.get(name)}: other bytes, or another exit code, than digests.json says")
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
