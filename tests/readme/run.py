#!/usr/bin/env python3
"""Runs every command that the documents and the help pages show, and compares.

In the documents, fenced blocks tagged `console` hold commands (`$ `, continued by `> `) and what
they print, stdout and stderr together as on a terminal. A line `...` stands for any lines; blank
lines at the end of an output only set commands apart; a command that fails ends with a line `[N]`,
its exit code, or is followed by `$ echo $?`. All commands of a document run in one fresh
directory, each in a bash of its own, so that files stay and `cd` does not. Blocks tagged
`console no-run` hold commands that set up and build, and nothing else.

Help pages show commands under `Examples:`. Those run too, in order, in one fresh directory for each
page; each must exit 0 and print nothing on stderr but notes.
"""

import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from console import (  # noqa: E402
    FormatError, Outcome, Sandbox, Tally, argument_parser, difference, read_text)

REQUIRED_DOCUMENT = "README.md"
OTHER_DOCUMENTS = ("CONTRIBUTING.md", "schemas/README.md")
NOT_RUN = (".ci/setup", "cmake ")
SHELL_TAGS = ("sh", "bash", "shell", "zsh", "shell-session", "shellsession")
NOTE = "slabscope: note:"
PREVIOUS_STATUS = "echo $?"


def as_text(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace")


# --- documents -----------------------------------------------------------------------------------

@dataclass
class Step:
    """A command in a document, the lines shown below it, and where it stands."""

    number: int
    indent: str
    command: list[str]
    shown: list[str] = field(default_factory=list)
    code: int | None = None

    @property
    def script(self) -> str:
        return "\n".join(self.command)

    def render(self) -> list[str]:
        """The step as lines of its document."""
        lines = ["$ " + self.command[0]]
        lines += ["> " + line if line else ">" for line in self.command[1:]]
        lines += self.shown
        if self.code:
            lines.append(f"[{self.code}]")
        return [self.indent + line if line else "" for line in lines]


@dataclass
class Fence:
    """The opening line of a fenced block."""

    indent: str
    mark: str
    tag: str
    number: int

    def closed_by(self, line: str) -> bool:
        line = line.strip()
        return line.startswith(self.mark) and set(line) == {self.mark[0]}


class Document:
    """A Markdown file as a list of plain lines and steps."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.items: list[str | Step] = []
        self.fence: Fence | None = None
        self.step: Step | None = None
        self.commands = 0
        for number, line in enumerate(text.split("\n"), 1):
            self.take(number, line)
        if self.fence:
            raise self.error(self.fence.number, "this block is never closed")

    @property
    def steps(self) -> list[Step]:
        return [item for item in self.items if isinstance(item, Step)]

    def render(self) -> str:
        lines: list[str] = []
        for item in self.items:
            lines += item.render() if isinstance(item, Step) else [item]
        return "\n".join(lines)

    def error(self, number: int, message: str) -> FormatError:
        return FormatError(f"{self.name}:{number}: {message}")

    def take(self, number: int, line: str) -> None:
        if self.fence is None:
            self.take_prose(number, line)
        elif self.fence.closed_by(line):
            self.close_block(number)
            self.items.append(line)
        else:
            self.take_code(number, line.removeprefix(self.fence.indent), line)

    def take_prose(self, number: int, line: str) -> None:
        if re.match(r"(?: {4}|\t)\s*\$ ", line):
            raise self.error(number, "commands belong into a block tagged console")
        if match := re.fullmatch(r"(\s*)(`{3,}|~{3,})\s*([^`]*?)\s*", line):
            tag = " ".join(match[3].lower().split())
            self.fence = Fence(match[1], match[2], tag, number)
            self.commands = 0
            self.check_tag(self.fence)
        elif "```" in line or "~~~" in line:
            raise self.error(number, "a block begins with its fence alone on a line")
        self.items.append(line)

    def check_tag(self, fence: Fence) -> None:
        words = fence.tag.split()
        if words and words[0] in SHELL_TAGS:
            raise self.error(fence.number, f"a block tagged {words[0]} would not be tested: "
                                           "tag it console")
        if words and words[0] == "console" and words[1:] not in ([], ["no-run"]):
            raise self.error(fence.number, f"unknown tag: {fence.tag}")

    def take_code(self, number: int, code: str, line: str) -> None:
        if self.fence.tag == "console":
            self.take_console(number, code)
            return
        if self.fence.tag == "console no-run":
            self.check_not_run(number, code)
        elif code.startswith("$ "):
            raise self.error(number, "commands belong into a block tagged console")
        self.items.append(line)

    def check_not_run(self, number: int, code: str) -> None:
        if not code.startswith("$ "):
            raise self.error(number, "a block tagged no-run holds one-line commands only")
        self.commands += 1
        parts = re.split(r"&&|\|\||[;|&]", code[2:])
        if bad := [part for part in parts if not part.strip().startswith(NOT_RUN)]:
            raise self.error(number, f"this must be run, so not tagged no-run: {bad[0].strip()}")

    def take_console(self, number: int, code: str) -> None:
        if code.startswith("$ "):
            self.close_step()
            self.step = Step(number, self.fence.indent, [code[2:]])
            self.commands += 1
        elif self.step is None:
            raise self.error(number, "a block tagged console begins with a command")
        elif not self.step.shown and (code.startswith("> ") or code == ">"):
            self.step.command.append(code[2:])
        else:
            self.step.shown.append(code)

    def close_step(self) -> None:
        """Ends the open step; what sets it apart from the next is not its output."""
        if self.step is None:
            return
        shown = without_blank_end(self.step.shown)
        blanks = self.step.shown[len(shown):]
        if shown and (match := re.fullmatch(r"\[([1-9][0-9]*)\]", shown[-1])):
            self.step.code = int(match[1])
            shown.pop()
        self.step.shown = shown
        self.items += [self.step, *blanks]
        self.step = None

    def close_block(self, number: int) -> None:
        self.close_step()
        if self.fence.tag.startswith("console") and not self.commands:
            raise self.error(number, "no command in this block")
        self.fence = None


def without_blank_end(lines: list[str]) -> list[str]:
    """The lines up to the last that is not blank."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def output_lines(outcome: Outcome) -> list[str]:
    """What a reader of a terminal would see, without blank lines at the end."""
    return without_blank_end(as_text(outcome.stdout).split("\n"))


def matches(pattern: list[str], lines: list[str]) -> bool:
    """Whether `lines` are those of `pattern`, in which `...` stands for any lines."""
    if "..." not in pattern:
        return pattern == lines
    first = pattern.index("...")
    if lines[:first] != pattern[:first]:
        return False
    rest = pattern[first + 1:]
    return any(matches(rest, lines[start:]) for start in range(first, len(lines) + 1))


def check_step(step: Step, outcome: Outcome, code_follows: bool) -> str | None:
    """A diff of a step that did not go as shown, or None."""
    if outcome.code is None:
        return "out of time"
    code = 0 if code_follows and not step.code else outcome.code
    lines = output_lines(outcome)
    if matches(step.shown, lines):
        lines = step.shown
    if lines == step.shown and code == (step.code or 0):
        return None
    actual = replace(step, shown=lines, code=code)
    return difference("shown", "\n".join(step.render()), "\n".join(actual.render()))


def update_step(step: Step, outcome: Outcome, code_follows: bool) -> None:
    """Makes a step show what happened, keeping `...` where it still matches."""
    lines = output_lines(outcome)
    if matches(step.shown, lines):
        lines = step.shown
    if lines and (any(re.match(r"\$ |\s*(`{3}|~{3})", line) for line in lines)
                  or lines[0].startswith(">") or re.fullmatch(r"\[[1-9][0-9]*\]", lines[-1])):
        return  # this output would read as something else, so it stays a mismatch
    if outcome.code is not None:
        step.shown = lines
        step.code = None if code_follows else outcome.code or None


def run_document(path: Path, name: str, options, tally: Tally) -> None:
    """Runs all commands of a document in order."""
    try:
        document = Document(name, read_text(path))
    except FormatError as error:
        tally.add(name, str(error))
        return
    steps, status = document.steps, 0
    with Sandbox(options.slabscope, options.timeout) as sandbox:
        for step, following in zip(steps, [*steps[1:], None]):
            code_follows = following is not None and following.script == PREVIOUS_STATUS
            outcome = sandbox.run(step.script, merge=True, status=status)
            status = outcome.code or 0
            if options.update:
                update_step(step, outcome, code_follows)
            tally.add(f"{name}:{step.number}", check_step(step, outcome, code_follows))
    if not steps and name == REQUIRED_DOCUMENT:
        tally.add(name, "shows no command")
    if options.update and (text := document.render()) != read_text(path):
        path.write_bytes(text.encode())
        print(f"updated {name}")


def run_documents(options, tally: Tally) -> None:
    """README.md, and the other documents that are there."""
    for name in (REQUIRED_DOCUMENT, *OTHER_DOCUMENTS):
        path = options.root / name
        if name == REQUIRED_DOCUMENT or path.exists():
            run_document(path, name, options, tally)


# --- help pages ----------------------------------------------------------------------------------

def section(page: str, heading: str) -> list[str]:
    """The indented lines below a heading of a help page."""
    lines = page.split("\n")
    if heading not in lines:
        return []
    found = []
    for line in lines[lines.index(heading) + 1:]:
        if line and not line.startswith(" "):
            break
        found.append(line)
    return found


def command_names(page: str) -> list[str]:
    """The subcommands that the main help page lists."""
    names = [match[1] for line in section(page, "Commands:")
             if (match := re.match(r"  ([a-z][a-z0-9-]*)(?:\s|$)", line))]
    if not names:
        raise FormatError("the help page lists no commands under 'Commands:'")
    return names


def example_scripts(page: str) -> list[str]:
    """The commands that a help page shows under `Examples:`; lines `  # ...` comment on them."""
    scripts: list[str] = []
    for line in section(page, "Examples:"):
        if line.startswith("  $ "):
            scripts.append(line[4:])
        elif line.startswith("  > ") or line == "  >":
            if not scripts:
                raise FormatError(f"this continues no command: {line!r}")
            scripts[-1] += "\n" + line[4:]
        elif line.strip() and not line.startswith("  # "):
            raise FormatError(f"this is no line of an example: {line!r}")
    if not scripts:
        raise FormatError("the help page shows no example under 'Examples:'")
    return scripts


def help_page(sandbox: Sandbox, arguments: str) -> str:
    """What `slabscope ARGUMENTS` prints; it must succeed, and print on stdout only."""
    outcome = sandbox.run(f"slabscope {arguments}")
    if outcome.code != 0 or outcome.stderr:
        raise FormatError(f"exit code {outcome.code}, on stderr:\n{as_text(outcome.stderr)}")
    return as_text(outcome.stdout)


def check_example(outcome: Outcome) -> str | None:
    """What is wrong with an example of a help page, or None."""
    noise = [line for line in as_text(outcome.stderr).split("\n")
             if line and not line.startswith(NOTE)]
    if outcome.code == 0 and not noise:
        return None
    end = "out of time" if outcome.code is None else f"exit code {outcome.code}"
    return "\n".join([f"{end}, on stderr:", *noise])


def run_help_page(arguments: str, options, tally: Tally) -> str | None:
    """Runs the examples of one help page in order; returns the page."""
    name = f"slabscope {arguments}"
    page = None
    with Sandbox(options.slabscope, options.timeout) as sandbox:
        try:
            page = help_page(sandbox, arguments)
            scripts = example_scripts(page)
        except FormatError as error:
            tally.add(name, str(error))
            return page
        for script in scripts:
            tally.add(f"{name}: $ {script}", check_example(sandbox.run(script)))
    return page


def run_help_pages(options, tally: Tally) -> None:
    """The main help page and that of every command it lists."""
    page = run_help_page("--help", options, tally)
    if page is None:
        return
    try:
        names = command_names(page)
    except FormatError as error:
        tally.add("slabscope --help", str(error))
        return
    for name in names:
        run_help_page(f"{name} --help", options, tally)


def main() -> int:
    options = argument_parser(__doc__.split("\n")[0]).parse_args()
    tally = Tally()
    run_documents(options, tally)
    run_help_pages(options, tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
