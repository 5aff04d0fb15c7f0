"""Runs commands, counts what they cost, and compares ways of doing one work."""
import hashlib
import json
import statistics
import subprocess
from dataclasses import dataclass, field


@dataclass
class Cost:
    """What one run cost: seconds on the clock, seconds of processor time, the peak of memory in bytes."""

    wall: float
    cpu: float
    peak: int


@dataclass
class Way:
    """One way to do a work. `missing` says why it cannot be run here."""

    name: str
    command: list = field(default_factory=list)
    missing: str = ""
    most_rounds: int = 999  # slow peers need not run as often
    same_bytes: bool = True  # does its standard output have to be that of the first way?
    output: str = "/dev/null"
    costs: list = field(default_factory=list)


@dataclass
class Target:
    """A bound on the first way of a work: times as fast as another way, times its duration, or a figure."""

    way: str
    kind: str  # at least FACTOR times as fast | at most FACTOR times as long
    factor: float


@dataclass
class Bound:
    """A bound on a figure of its own."""

    what: str
    value: float
    most: float
    unit: str


class Failed(Exception):
    """A way that does not do the work, or not the same work."""


def digest(way):
    """The SHA-256 of what a command prints."""
    with subprocess.Popen(way.command, stdout=subprocess.PIPE) as process:
        total = hashlib.sha256()
        while piece := process.stdout.read(1 << 20):
            total.update(piece)
    if process.returncode != 0:
        raise Failed(f"{way.name}: exit {process.returncode}: {' '.join(map(str, way.command))}")
    return total.hexdigest()


def check_same(ways):
    """All ways that can be run give the same bytes."""
    wanted = None
    for way in ways:
        if way.missing or not way.same_bytes:
            continue
        found = digest(way)
        if wanted is not None and found != wanted:
            raise Failed(f"{way.name} gives other bytes than {ways[0].name}")
        wanted = found


def launch(launcher, way):
    """Runs a way once."""
    done = subprocess.run([launcher, way.output, *way.command], stdout=subprocess.PIPE, check=True)
    told = json.loads(done.stdout)
    if told["exit"] != 0:
        raise Failed(f"{way.name}: exit {told['exit']}: {' '.join(map(str, way.command))}")
    return Cost(told["wall"], told["cpu"], told["peak"])


def run_in_turn(launcher, ways, rounds):
    """Round after round, each way once, so that a busy machine is busy for all of them."""
    for count in range(rounds):
        for way in ways:
            if not way.missing and count < way.most_rounds:
                way.costs.append(launch(launcher, way))


def seconds(way, clock, pick=statistics.median):
    return pick([getattr(cost, clock) for cost in way.costs])


def peak(way):
    return max(cost.peak for cost in way.costs)
