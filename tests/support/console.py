"""What the runners of console tests share: a fresh directory to run commands in, and a tally."""

import argparse
import difflib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
NOBODY = 65534

# Everything else in the caller's environment stays outside, so that a test reads the same anywhere.
KEPT_VARIABLES = re.compile(
    r"(A|L|M|T|UB)SAN_\w+|LLVM_PROFILE_FILE|GCOV_\w+|CUDA_\w+|NVIDIA_\w+|LD_LIBRARY_PATH"
)


class FormatError(Exception):
    """A test file that cannot be read as a test."""


@dataclass(frozen=True)
class Outcome:
    """What one command did. `code` is None when it ran out of time."""

    stdout: bytes = b""
    stderr: bytes = b""
    code: int | None = 0


class Sandbox:
    """A fresh directory with `slabscope` on PATH, in which commands run one after the other.

    `files` is a folder whose contents are copied in first. With `unprivileged`, a runner that is
    root runs the commands as nobody instead, so that file permissions mean something.
    """

    def __init__(self, binary: Path, timeout: float, files: Path | None = None,
                 unprivileged: bool = False):
        self._timeout = timeout
        self._user = NOBODY if unprivileged and os.geteuid() == 0 else None
        self._holder = tempfile.TemporaryDirectory(prefix="slabscope-test-",
                                                   ignore_cleanup_errors=True)
        self._top = Path(self._holder.name).resolve()
        self._directory = self._top / "work"
        try:
            self._furnish(binary, files)
        except BaseException:
            self._holder.cleanup()
            raise

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_) -> None:
        self._holder.cleanup()

    def _furnish(self, binary: Path, files: Path | None) -> None:
        for name in ("bin", "work", "tmp"):
            (self._top / name).mkdir()
        if files is not None and files.is_dir():
            shutil.copytree(files, self._directory, dirs_exist_ok=True)
        command = self._top / "bin" / "slabscope"
        if self._user is None:
            command.symlink_to(binary)
        else:
            self._give_away(binary, command)

    def _give_away(self, binary: Path, command: Path) -> None:
        """Makes everything reachable for the other user, wherever the binary itself lives."""
        shutil.copy(binary, command)
        command.chmod(0o755)
        for path in (self._top, *self._top.rglob("*")):
            os.chown(path, self._user, self._user, follow_symlinks=False)

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if KEPT_VARIABLES.fullmatch(k)}
        path = os.environ.get("PATH", os.defpath)
        return kept | {
            "PATH": f"{self._top / 'bin'}{os.pathsep}{path}",
            "HOME": str(self._directory),
            "DIR": str(self._directory),
            "SLABSCOPE": str(REPOSITORY),
            "TMPDIR": str(self._top / "tmp"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def _drop_privileges(self) -> dict:
        if self._user is None:
            return {}
        return {"user": self._user, "group": self._user, "extra_groups": []}

    def run(self, command: str, merge: bool = False, status: int = 0) -> Outcome:
        """Runs `command` in bash; `merge` sends stderr into stdout, $? starts as `status`."""
        script = f"(exit {status}); {command}" if status else command
        process = subprocess.Popen(
            ["bash", "-c", script], cwd=self._directory, env=self._environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE,
            start_new_session=True, **self._drop_privileges())
        try:
            stdout, stderr = process.communicate(timeout=self._timeout)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            code = None
        if code is not None and code < 0:
            code = 128 - code  # ended by a signal, told as a shell tells it
        return Outcome(self._neutral(stdout), self._neutral(stderr or b""), code)

    def _neutral(self, output: bytes) -> bytes:
        """Takes out of what a command printed what is not the command's own: the random name of
        the directory, and that a build for coverage could not write its profile."""
        output = re.sub(rb"^LLVM Profile (Error|Warning): .*\n", b"", output, flags=re.MULTILINE)
        output = output.replace(os.fsencode(self._directory), b"$DIR")
        return output.replace(os.fsencode(self._top), b"$DIR/..")


class Tally:
    """Counts what passed, failed and was skipped, and says so."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def add(self, name: str, problem: str | None) -> None:
        """Counts one check; `problem` says what is wrong with it, None that nothing is."""
        if problem is None:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {name}")
        print(problem.rstrip("\n"))

    def skip(self, name: str, reason: str) -> None:
        """Counts one check that cannot be made here, and says why."""
        self.skipped += 1
        print(f"SKIPPED {name}: {reason}")

    def finish(self) -> int:
        """Prints the sum and returns the exit code; having checked nothing is a failure."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 0 if self.passed and not self.failed else 1


def difference(name: str, expected: str, actual: str) -> str:
    """A unified diff from what a test file says to what happened."""
    return "\n".join(difflib.unified_diff(
        expected.split("\n"), actual.split("\n"), name, "what happened", lineterm=""))


def read_text(path: Path) -> str:
    """The text of a test file, with its line ends as they are."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise FormatError(f"{path.name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path.name}: not UTF-8 at byte {error.start}") from error


def argument_parser(description: str) -> argparse.ArgumentParser:
    """The options that every runner of console tests has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--slabscope", type=executable, required=True, metavar="PATH",
                        help="the program under test")
    parser.add_argument("--build", type=Path, metavar="DIR", help="the build folder (not used)")
    parser.add_argument("--update", action="store_true",
                        help="write what happened into the test files instead of comparing")
    parser.add_argument("--timeout", type=float, default=20, metavar="SECONDS",
                        help="for each command (default: 20)")
    parser.add_argument("--root", type=Path, default=REPOSITORY, metavar="DIR",
                        help="the repository whose files are tested (default: this one)")
    return parser


def executable(text: str) -> Path:
    """An option's value that must name a program that can be run."""
    path = Path(text).resolve()
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise argparse.ArgumentTypeError(f"{text} is not an executable file")
    return path
