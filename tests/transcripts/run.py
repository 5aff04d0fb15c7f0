#!/usr/bin/env python3
"""Runs the transcripts in this folder and compares; README.md describes their form."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from console import (  # noqa: E402
    FormatError, Outcome, Sandbox, Tally, argument_parser, difference, read_text)

NO_EOL = " (no-eol)"
ESCAPED = " (esc)"
NON_ROOT = "requires non-root"
NO_SANITIZER = "requires no-sanitizer"
FEWEST_ERROR_CODES = 20

# What no command line can bring about, and the C++ test that shows it instead.
SHOWN_ELSEWHERE = {
    "device_failed": "tests/device/failing_device_test.cpp",
    "row_counts_differ": "tests/slab/builtin_test.cpp",
}


@dataclass
class Step:
    """One command and what it is expected to do."""

    command: list[str]
    expected: Outcome = Outcome()

    def render(self, outcome: Outcome) -> list[str]:
        """The lines of the transcript that show this command doing `outcome`."""
        lines = [("> " if i else "$ ") + line if line else ">"
                 for i, line in enumerate(self.command)]
        lines += render_stdout(outcome.stdout)
        lines += ["2> " + line if line else "2>" for line in encode_stream(outcome.stderr)]
        if outcome.code is None:
            lines.append("[out of time]")
        elif outcome.code != 0:
            lines.append(f"[{outcome.code}]")
        return lines


@dataclass
class Transcript:
    """A parsed transcript: its steps, and between them the lines that only a reader needs."""

    items: list[str | Step] = field(default_factory=list)
    directives: set[str] = field(default_factory=set)

    @property
    def steps(self) -> list[Step]:
        return [item for item in self.items if isinstance(item, Step)]

    def render(self, outcomes: list[Outcome]) -> str:
        remaining = iter(outcomes)
        lines: list[str] = []
        for item in self.items:
            lines += item.render(next(remaining)) if isinstance(item, Step) else [item]
        return "\n".join(lines)

    def expected(self) -> list[Outcome]:
        return [step.expected for step in self.steps]


# --- bytes of a stream <-> lines of a transcript -------------------------------------------------

def encode_line(line: bytes) -> str:
    """A line of output as text, with \\xNN for what an editor would lose or not show."""
    text = line.decode("utf-8", "surrogateescape")
    plain = all(c.isprintable() or c == "\t" for c in text) and text == text.rstrip()
    if plain and not text.endswith((ESCAPED, NO_EOL)):
        return text
    body = text.rstrip() if not text.endswith((ESCAPED, NO_EOL)) else text[:-1]
    tail = text[len(body):]
    return "".join(map(encode_character, body)) + "".join(map(hex_bytes, tail)) + ESCAPED


def encode_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    return character if character.isprintable() or character == "\t" else hex_bytes(character)


def hex_bytes(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def encode_stream(data: bytes) -> list[str]:
    """The lines of an output stream; a mark ends the last one when the stream does not end it."""
    lines = [encode_line(line) for line in data.split(b"\n")]
    if data.endswith(b"\n") or not data:
        return lines[:-1]
    last = lines[-1]
    if last.endswith(ESCAPED):
        return lines[:-1] + [last.removesuffix(ESCAPED) + NO_EOL + ESCAPED]
    return lines[:-1] + [last + NO_EOL]


def decode_stream(lines: list[str]) -> bytes:
    """The reverse of encode_stream."""
    data = b""
    for number, line in enumerate(lines, 1):
        escaped = line.endswith(ESCAPED)
        text = line.removesuffix(ESCAPED)
        unended = text.endswith(NO_EOL)
        text = text.removesuffix(NO_EOL)
        if unended and number != len(lines):
            raise FormatError(f"only the last line of a stream can be marked{NO_EOL}")
        data += (unescape(text) if escaped else text.encode()) + (b"" if unended else b"\n")
    return data


def unescape(text: str) -> bytes:
    if re.fullmatch(r"(?:[^\\]|\\\\|\\x[0-9a-f]{2})*", text) is None:
        raise FormatError(r"an escaped line knows only \\ and \xNN")
    parts = re.split(r"(\\\\|\\x..)", text)
    return b"".join(unescape_part(part) for part in parts)


def unescape_part(part: str) -> bytes:
    if part == "\\\\":
        return b"\\"
    return bytes.fromhex(part[2:]) if part.startswith("\\x") else part.encode()


def render_stdout(data: bytes) -> list[str]:
    """Indented lines; an empty line inside the output stays empty, at its ends it is marked."""
    lines = encode_stream(data)
    shown = [i for i, line in enumerate(lines) if line]
    inside = range(shown[0], shown[-1]) if shown else range(0)
    return [("  " + line if line else "") if line or i in inside else "  " + ESCAPED
            for i, line in enumerate(lines)]


# --- reading a transcript ------------------------------------------------------------------------

class Parser:
    """Reads a transcript line by line; each line says by its first characters what it is."""

    ORDER = ("command", "stdout", "stderr", "code")

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.step: Step | None = None
        self.stage = "command"
        self.streams: dict[str, list[str]] = {}
        self.blanks = 0

    def parse(self, name: str, text: str) -> Transcript:
        for number, line in enumerate(text.split("\n"), 1):
            try:
                self.take(line)
            except FormatError as error:
                raise FormatError(f"{name}:{number}: {error}") from error
        try:
            self.close()
        except FormatError as error:
            raise FormatError(f"{name}: in its last command: {error}") from error
        if not self.transcript.steps:
            raise FormatError(f"{name}: no command, so nothing is tested")
        return self.transcript

    def take(self, line: str) -> None:
        if line == "":
            self.blanks += 1
        elif line.startswith("  "):
            self.output("stdout", line[2:])
        elif line.startswith("2> ") or line == "2>":
            self.output("stderr", line[3:])
        elif line.startswith("> ") or line == ">":
            self.continue_command(line[2:])
        elif match := re.fullmatch(r"\[([1-9][0-9]*)\]", line):
            self.advance("code")
            self.step.expected = replace(self.step.expected, code=int(match[1]))
        elif line.startswith("$ ") and line[2:].strip():
            self.close()
            self.step = Step([line[2:]])
            self.stage, self.streams = "command", {"stdout": [], "stderr": []}
        elif line.startswith("#? "):
            self.close()
            self.directive(line)
        elif line.startswith("# ") or line == "#":
            self.close()
            self.transcript.items.append(line)
        else:
            raise FormatError(f"this is no line of a transcript: {line!r}")

    def output(self, stream: str, text: str) -> None:
        if stream == self.stage == "stdout" and self.step:
            self.streams["stdout"] += [""] * self.blanks
            self.blanks = 0
        self.advance(stream)
        self.streams[stream].append(text)

    def continue_command(self, text: str) -> None:
        if self.stage != "command":
            raise FormatError("a command cannot go on after its output")
        self.advance("command")
        self.step.command.append(text)

    def advance(self, stage: str) -> None:
        """Goes on to `stage` of the open step: stdout comes before stderr before the code."""
        if self.step is None or self.blanks:
            raise FormatError("this belongs to no command (a blank line or a comment ends one)")
        if self.ORDER.index(stage) < self.ORDER.index(self.stage) or self.stage == "code":
            raise FormatError(f"{stage} after {self.stage}")
        self.stage = stage

    def directive(self, line: str) -> None:
        name = line.removeprefix("#? ")
        if name not in (NON_ROOT, NO_SANITIZER):
            raise FormatError(f"unknown directive: {line!r}")
        if self.transcript.steps:
            raise FormatError("a directive stands before the first command")
        self.transcript.directives.add(name)
        self.transcript.items.append(line)

    def close(self) -> None:
        """Ends the open step, and keeps the blank lines that followed it."""
        if self.step is not None:
            self.step.expected = Outcome(decode_stream(self.streams["stdout"]),
                                         decode_stream(self.streams["stderr"]),
                                         self.step.expected.code)
            self.transcript.items.append(self.step)
            self.step = None
        self.transcript.items += [""] * self.blanks
        self.blanks = 0


# --- running -------------------------------------------------------------------------------------

@dataclass
class Result:
    """How one transcript went; `problem` is None when all went as written."""

    name: str
    problem: str | None = None
    steps: list[Step] = field(default_factory=list)
    skipped: str | None = None  # why it was not run


def is_sanitized(binary: Path) -> bool:
    """Is AddressSanitizer linked in? It reserves terabytes of addresses, so `ulimit -v` ends it."""
    return b"__asan_init" in binary.read_bytes()


def play(path: Path, options) -> Result:
    """Runs one transcript, and compares or updates it."""
    try:
        transcript = Parser().parse(path.name, read_text(path))
    except FormatError as error:
        return Result(path.stem, str(error))
    if NO_SANITIZER in transcript.directives and is_sanitized(options.slabscope):
        return Result(path.stem, steps=transcript.steps, skipped=NO_SANITIZER)
    with Sandbox(options.slabscope, options.timeout, path.parent / "files",
                 NON_ROOT in transcript.directives) as sandbox:
        actual = [sandbox.run("\n".join(step.command)) for step in transcript.steps]
    result = Result(path.stem, steps=transcript.steps)
    if actual == transcript.expected():
        return result
    rewritten = transcript.render(actual)
    if options.update and all(outcome.code is not None for outcome in actual):
        path.write_bytes(rewritten.encode())
        print(f"updated {path.name}")
        result.steps = [Step(s.command, outcome) for s, outcome in zip(transcript.steps, actual)]
    else:
        result.problem = difference(path.name, transcript.render(transcript.expected()), rewritten)
    return result


def select(folder: Path, names: list[str]) -> list[Path]:
    """The transcripts to run: all, or those named (with or without folder and suffix)."""
    paths = {path.stem: path for path in sorted(folder.glob("*.txt"))}
    if not names:
        return list(paths.values())
    wanted = [Path(name).name.removesuffix(".txt") for name in names]
    if unknown := [name for name in wanted if name not in paths]:
        raise FormatError(f"no such transcript: {', '.join(unknown)}")
    return [paths[name] for name in wanted]


# --- every error code is shown -------------------------------------------------------------------

def error_codes(path: Path) -> dict[str, int]:
    """The table of error codes in the sources: name -> exit code."""
    source = read_text(path)
    rows = re.findall(r'\{\s*ErrorCode::\w+,\s*"([a-z0-9_]+)",\s*(\d)\b', source)
    begun = len(re.findall(r'\{\s*ErrorCode::\w+,\s*"', source))
    codes = {name: int(code) for name, code in rows}
    if len(codes) < FEWEST_ERROR_CODES or not len(codes) == len(rows) == begun:
        raise FormatError(f"{path.name}: read {len(codes)} different codes in {begun} rows; "
                          f"at least {FEWEST_ERROR_CODES}, one in each row, are expected")
    return codes


def uncovered(root: Path, codes: dict[str, int], results: list[Result]) -> list[str]:
    """The codes that no transcript shows on stderr of a command that exits as the code says."""
    shown = {(name.decode(), step.expected.code)
             for result in results for step in result.steps
             for name in re.findall(rb"error\[([a-z0-9_]+)\]", step.expected.stderr)}
    shown |= {(name, codes[name]) for name, test in SHOWN_ELSEWHERE.items()
              if name in codes and mentions(root / test, name)}
    return [f"no transcript shows error[{name}] with exit code {code}"
            + (f", nor does {SHOWN_ELSEWHERE[name]}" if name in SHOWN_ELSEWHERE else "")
            for name, code in codes.items() if (name, code) not in shown]


def mentions(path: Path, name: str) -> bool:
    """Does the file exist, and is `name` a word of it?"""
    return path.is_file() and re.search(rf"\b{name}\b", read_text(path)) is not None


def check_coverage(root: Path, results: list[Result]) -> str | None:
    """What is missing, or None; reads the table that the program itself is built from."""
    try:
        codes = error_codes(root / "lib" / "slabscope" / "base" / "error.cpp")
    except FormatError as error:
        return str(error)
    return "\n".join(uncovered(root, codes, results)) or None


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("-j", type=int, default=2, metavar="N", dest="jobs",
                        help="transcripts to run at a time (default: 2)")
    parser.add_argument("names", nargs="*", metavar="NAME", help="run only these transcripts")
    options = parser.parse_args()
    folder = options.root / "tests" / "transcripts"
    try:
        paths = select(folder, options.names)
    except FormatError as error:
        parser.error(str(error))
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = list(pool.map(lambda path: play(path, options), paths))
    tally = Tally()
    for result in results:
        if result.skipped:
            tally.skip(result.name, result.skipped)
        else:
            tally.add(result.name, result.problem)
    if not options.names:
        tally.add("every error code is shown", check_coverage(options.root, results))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
