"""What is measured: each work is a list of ways, ours first, and the targets of ours beside them."""
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from corpora import LAYOUT
from measuring import Bound, Failed, Target, Way, check_same, peak, run_in_turn, seconds

HERE = Path(__file__).resolve().parent
AT_LEAST = "times as fast"
AT_MOST = "times as long"


@dataclass
class Work:
    """One work, measured. `bounds` are added when it has run; `clock` is cpu or wall; `pick` of several runs."""

    name: str
    title: str
    ways: list
    targets: list = field(default_factory=list)
    bounds: list = field(default_factory=list)
    clock: str = "cpu"
    rounds: int = 5
    pick: object = None
    notes: list = field(default_factory=list)


class Bench:
    """The programs and inputs that works are made of."""

    def __init__(self, build, corpora, is_smoke):
        self.slabscope = build / "slabscope"
        self.programs = build / "tests" / "bench" / "programs"
        self.corpora = corpora
        self.is_smoke = is_smoke

    def ours(self, *arguments, **options):
        return Way("slabscope", [self.slabscope, *map(str, arguments)], **options)

    def program(self, way, name, *arguments, package="", **options):
        path = self.programs / name
        if not path.exists():
            return Way(way, missing=f"{name} is not built" + (f" ({package})" if package else ""))
        return Way(way, [path, *map(str, arguments)], **options)

    def tool(self, way, name, *arguments, package="", **options):
        if not shutil.which(name):
            return Way(way, missing=f"{name} is not installed ({package or name})")
        return Way(way, [name, *map(str, arguments)], **options)

    def numpy(self, *arguments, **options):
        for python in dict.fromkeys([sys.executable, "/usr/bin/python3"]):
            if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
                return Way("python json+numpy", [python, *map(str, arguments)], **options)
        return Way("python json+numpy", missing="no python3 here has numpy (python3-numpy)")

    def measure(self, work):
        check_same(work.ways)
        rounds = 1 if self.is_smoke else work.rounds
        run_in_turn(self.programs / "launch", work.ways, rounds)
        return work

    def decode(self, dump, *arguments, rows, **options):
        return self.ours("decode", dump, "-l", LAYOUT, "-D", f"rows={rows}", "-D",
                         f"max_blocks={self.corpora.sizes.max_blocks}", *arguments, **options)


def pack(bench):
    batches = bench.corpora.batches()
    return bench.measure(Work(
        "pack", "rows to slabs: NDJSON, one thread",
        [bench.ours("pack", batches, *one_thread(bench)),
         bench.program("nlohmann DOM", "pack_nlohmann", batches, most_rounds=3),
         bench.program("simdjson on-demand", "pack_simdjson", batches, package="libsimdjson-dev"),
         bench.tool("wc -l", "wc", "-l", batches, same_bytes=False)],
        [Target("nlohmann DOM", AT_LEAST, 12), Target("simdjson on-demand", AT_LEAST, 1.4), Target("wc -l", AT_MOST, 6)]))


def pack_document(bench):
    document = bench.corpora.document()
    folder = bench.corpora.folder
    flatc = bench.tool("flatc -b", "flatc", "-b", "-o", folder, HERE / "reference" / "rows.fbs", document,
                       package="flatbuffers-compiler", same_bytes=False, most_rounds=3)
    work = bench.measure(Work(
        "pack-document", "rows to slab: one document",
        [bench.ours("pack", document, output=folder / "packed.bin"), flatc,
         bench.numpy(HERE / "reference" / "pack_numpy.py", document, most_rounds=3, output=folder / "packed.numpy")],
        [Target("flatc -b", AT_LEAST, 5), Target("python json+numpy", AT_LEAST, 7)]))
    return work


def decode(bench):
    dump, sizes = bench.corpora.dump(), bench.corpora.sizes
    shape = (dump, sizes.rows, sizes.max_blocks)
    return bench.measure(Work(
        "decode", "slabs to rows: NDJSON, one thread",
        [bench.decode(dump, "--stride", bench.corpora.slab_bytes(), *one_thread(bench), rows=sizes.rows),
         bench.program("nlohmann row by row", "decode_nlohmann", *shape, most_rounds=3),
         bench.program("std::to_chars", "decode_to_chars", *shape),
         bench.tool("cat", "cat", dump, same_bytes=False)],
        [Target("nlohmann row by row", AT_LEAST, 10), Target("std::to_chars", AT_LEAST, 1.7), Target("cat", AT_MOST, 4)]))


def decode_document(bench):
    """flatc reads its own binary of the rows that we decode from the slab."""
    corpora = bench.corpora
    folder, schema = corpora.folder, HERE / "reference" / "rows.fbs"
    slab, full = corpora.document_slab(), corpora.full_document()
    flatc = bench.tool("flatc --json", "flatc", "--json", "--strict-json", "--defaults-json", "--raw-binary", "-o",
                       folder / "from-flatc", schema, "--", folder / "full.bin", package="flatbuffers-compiler",
                       same_bytes=False, most_rounds=3)
    if not flatc.missing:
        subprocess.run(["flatc", "-b", "--unknown-json", "-o", folder, schema, full], check=True)
    work = bench.measure(Work(
        "decode-document", "slab to rows: one document",
        [bench.decode(slab, "-f", "ndjson", rows=corpora.document_rows(), output=folder / "decoded.json"), flatc],
        [Target("flatc --json", AT_LEAST, 20)]))
    if not flatc.missing:
        check_rows(full, folder / "from-flatc" / "full.json")
    return work


def check_rows(ours, theirs):
    """Do two documents, however they are laid out as text, have the same rows?"""
    loaded = []
    for path in (ours, theirs):
        with open(path, encoding="utf-8") as file:
            loaded.append(json.load(file)["rows"])
    if loaded[0] != loaded[1]:
        raise Failed("flatc --json gives other rows than slabscope")


def told_ways(bench, program):
    """The ways that a program measures itself, a line of JSON each."""
    arguments = ["smoke"] if bench.is_smoke else []
    done = subprocess.run([bench.programs / program, *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failed(f"{program}: exit {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def memory(bench):
    work = Work("memory", "memory to slab: full rows of decode, one call", [])
    figures = {}
    for told in told_ways(bench, "memory_bench"):
        figures[told["shape"], told["way"]] = told["ns"]
        work.notes.append(f"{told['shape']:>11}  {told['way']:<20} {told['ns']:12.0f} ns")
    for shape, most in (("128 x 2048", 1.2), ("32 x 257", 1.45)):
        ours = figures[shape, "slabscope"]
        work.bounds.append(Bound(f"{shape}: times as long as memcpy", ours / figures[shape, "memcpy"], most, ""))
        rust = figures.get((shape, "zeroed vector, Rust"))
        if rust is None:
            work.notes.append(f"{shape:>11}  zeroed vector, Rust: missing: rustc was not found when this was built")
        else:
            work.bounds.append(Bound(f"{shape}: share of the Rust way's time", ours / rust, 1 / 1.3, ""))
    for name in ("mtp", "mtp_batch", "decode"):
        work.bounds.append(Bound(f"resolving {name}", figures["resolve", name], 1000, "ns"))
    return work


def lint(bench):
    work = Work("lint", "lint of healthy batches beside a copy of their tables", [])
    if not (bench.programs / "lint_bench").exists():
        work.notes.append("missing: lint_bench is not built")
        return work
    for told in told_ways(bench, "lint_bench"):
        work.notes.append(f"{told['shape']:<42} lint {told['lint_ns']:10.0f} ns, copy {told['copy_ns']:10.0f} ns, "
                          f"ratio {told['lint_ns'] / told['copy_ns']:5.1f}")
    return work


def has_threads(bench):
    helped = subprocess.run([bench.slabscope, "pack", "--help"], stdout=subprocess.PIPE, text=True, check=True)
    return "-j," in helped.stdout or "-j " in helped.stdout


def one_thread(bench):
    return ["-j", "1"] if has_threads(bench) else []


def threads(bench):
    """Needs two cores that nothing else uses, so it is told by the clock."""
    works = []
    corpora = bench.corpora
    for name, way in (("pack", lambda *more: bench.ours("pack", corpora.batches(), *more)),
                      ("decode", lambda *more: bench.decode(corpora.dump(), "--stride", corpora.slab_bytes(), *more,
                                                            rows=corpora.sizes.rows))):
        ways = [way("-j", "2"), way("-j", "1")]
        ways[0].name, ways[1].name = "two threads", "one thread"
        if not has_threads(bench):
            ways = [Way(each.name, missing="this slabscope has no -j") for each in ways]
        works.append(bench.measure(Work(f"threads-{name}", f"{name} with two threads", ways,
                                        [Target("one thread", AT_LEAST, 1.5)], clock="wall")))
    return works


def window(bench):
    dump = bench.corpora.sparse()
    work = bench.measure(Work(
        "window", f"one slab out of a dump of {bench.corpora.sizes.sparse_bytes >> 20} MiB",
        [bench.ours("decode", dump, "--offset", bench.corpora.sparse_offset(), "-l", LAYOUT, "-D", "rows=1",
                    "-D", "max_blocks=2")], clock="wall", rounds=21))
    work.bounds += [Bound("by the clock", 1e3 * seconds(work.ways[0], "wall"), 10, "ms"),
                    Bound("peak memory", peak(work.ways[0]) / (1 << 20), 32, "MiB")]
    return work


def start(bench):
    """The fastest of many runs, which other work on the machine changes least."""
    works = []
    for name, arguments in (("start", ["pack", bench.corpora.tiny()]), ("start-version", ["--version"])):
        ours = bench.ours(*arguments, same_bytes=False)
        prints = bench.program("prints", "prints", same_bytes=False)
        works.append(bench.measure(Work(name, " ".join(["start:", *map(str, arguments[:1])]), [ours, prints],
                                        [Target("prints", AT_MOST, 3)], rounds=200, pick=min, clock="wall")))
    return works


def growth(bench):
    """Four times the documents: as much time a byte, and no more memory."""
    works = []
    sizes, corpora = bench.corpora.sizes, bench.corpora
    quarter = corpora.first_batches(sizes.batches // 4)
    dump = (corpora.dump(), "--stride", corpora.slab_bytes())
    ways = {"pack": [bench.ours("pack", corpora.batches(), *one_thread(bench)),
                     bench.ours("pack", quarter, *one_thread(bench))],
            "decode": [bench.decode(*dump, *one_thread(bench), rows=sizes.rows),
                       bench.decode(*dump, "--count", sizes.batches // 4, *one_thread(bench), rows=sizes.rows)]}
    bytes_of = {"pack": [corpora.batches().stat().st_size, quarter.stat().st_size], "decode": [4, 1]}
    for name, (whole, part) in ways.items():
        whole.name, part.name = "all", "a quarter"
        whole.same_bytes = part.same_bytes = False
        work = bench.measure(Work(f"growth-{name}", f"{name} of four times as much", [whole, part]))
        grown = bytes_of[name][0] / bytes_of[name][1]
        work.bounds += [
            Bound("time a byte, times that of a quarter", seconds(whole, "cpu") / seconds(part, "cpu") / grown, 1.15, ""),
            Bound("peak memory, times that of a quarter", peak(whole) / peak(part), 1.15, "")]
        works.append(work)
    return works


WORKS = {"pack": pack, "pack-document": pack_document, "decode": decode, "decode-document": decode_document,
         "memory": memory, "threads": threads, "window": window, "start": start, "growth": growth, "lint": lint}
