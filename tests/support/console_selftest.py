"""Proves that the runners of console tests catch what they are there to catch."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

CODES = {f"code_{letter}": 3 for letter in "abcdefghijklmnopqrst"} | {"io": 4}

FAKE = r"""#!/bin/bash
case "$*" in
  --help)        printf 'Usage: slabscope COMMAND\n\nExamples:\n  # Make one\n'
                 printf '  $ slabscope greet > f\n  $ cat f |\n  > grep hello\n\n'
                 printf 'Commands:\n  greet   says hello\n\nMore:\n  x  y\n' ;;
  'greet --help') printf 'Examples:\n  $ slabscope greet\n  $ slabscope note\n' ;;
  greet)         echo hello ;;
  note)          echo 'slabscope: note: well' >&2 ;;
  both)          echo out; echo err >&2; exit 3 ;;
  bytes)         printf '\n  a\\b \xff\t\n\nx (esc)\nlast' ;;
  where)         pwd ;;
  sleep)         sleep 30 ;;
  pipe)          kill -s PIPE $$ ;;
  fail\ *)       echo "a:1:1: error[$2]: no" >&2; exit "$3" ;;
  *)             echo "unknown: $*" >&2; exit 2 ;;
esac
"""


class Repository(unittest.TestCase):
    """A temporary repository with a fake slabscope, on which a runner is let loose."""

    runner = ""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        self.fake = self.root / "out" / "fake"
        self.write("out/fake", FAKE)
        self.fake.chmod(0o755)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_tests(self, *arguments: str) -> tuple[int, str]:
        """The exit code of the runner and all that it printed."""
        done = subprocess.run(
            [sys.executable, TESTS / self.runner / "run.py", "--slabscope", self.fake,
             "--build", self.root, "--root", self.root, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def assert_passes(self, *arguments: str):
        code, output = self.run_tests(*arguments)
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"(?m)^[1-9]\d* passed, 0 failed, 0 skipped\n\Z")

    def assert_fails(self, reason: str, *arguments: str):
        code, output = self.run_tests(*arguments)
        self.assertEqual(code, 1, output)
        self.assertIn(reason, output)
        self.assertRegex(output, r"(?m)^\d+ passed, [1-9]\d* failed, \d+ skipped\n\Z")


class TranscriptTest(Repository):
    runner = "transcripts"

    def transcript(self, text: str) -> Path:
        return self.write("tests/transcripts/t.txt", text)

    def assert_one_passes(self, text: str):
        self.transcript(text)
        self.assert_passes("t")

    def assert_one_fails(self, text: str, reason: str):
        self.transcript(text)
        self.assert_fails(reason, "t")

    def assert_update_gives(self, before: str, after: str):
        path = self.transcript(before)
        self.assert_passes("--update", "t")
        self.assertEqual(path.read_text(encoding="utf-8"), after)
        self.assert_passes("t")

    def test_what_is_as_written_passes(self):
        self.assert_one_passes("# All of it\n$ slabscope both\n  out\n2> err\n[3]\n\n"
                               "$ slabscope greet\n  hello\n")

    def test_wrong_stdout(self):
        self.assert_one_fails("$ slabscope greet\n  hallo\n", "-  hallo\n+  hello")

    def test_stdout_missing_or_too_much(self):
        self.assert_one_fails("$ slabscope greet\n", "+  hello")
        self.assert_one_fails("$ true\n  hello\n", "-  hello")

    def test_wrong_stderr(self):
        self.assert_one_fails("$ slabscope both\n  out\n2> error\n[3]\n", "-2> error\n+2> err")

    def test_stderr_is_not_stdout(self):
        self.assert_one_fails("$ slabscope note\n  slabscope: note: well\n", "+2> slabscope: note")

    def test_wrong_code(self):
        self.assert_one_fails("$ slabscope both\n  out\n2> err\n[4]\n", "-[4]\n+[3]")
        self.assert_one_fails("$ slabscope both\n  out\n2> err\n", "+[3]")
        self.assert_one_fails("$ slabscope greet\n  hello\n[1]\n", "-[1]")

    def test_missing_final_newline(self):
        self.assert_one_fails("$ printf hello\n  hello\n", "+  hello (no-eol)")
        self.assert_one_fails("$ echo hello\n  hello (no-eol)\n", "-  hello (no-eol)")

    def test_later_command_is_compared_too(self):
        self.assert_one_fails("$ true\n\n$ slabscope greet\n  no\n\n$ true\n", "-  no")

    def test_out_of_time(self):
        self.transcript("$ slabscope sleep\n")
        self.assert_fails("+[out of time]", "--timeout", "0.5", "t")
        self.assert_fails("+[out of time]", "--timeout", "0.5", "--update", "t")

    def test_signal(self):
        self.assert_one_passes("$ slabscope pipe\n[141]\n\n"
                               "$ set -o pipefail; yes | head -n 1\n  y\n[141]\n")

    def test_here_document_and_files_stay(self):
        self.assert_one_passes("$ cat > f <<'E'\n> one\n>\n>   two\n> E\n\n"
                               "$ cat f\n  one\n\n    two\n")

    def test_fixtures_are_copied(self):
        shared = self.write("tests/transcripts/files/dir/f", "shared\n")
        self.assert_one_passes("$ cat dir/f; echo changed > dir/f\n  shared\n")
        self.assertEqual(shared.read_text(encoding="utf-8"), "shared\n")

    def test_environment(self):
        os.environ["NO_COLOR"] = "1"
        self.addCleanup(os.environ.pop, "NO_COLOR")
        self.assert_one_passes('$ echo "[$NO_COLOR] $LC_ALL"; cat; test -t 0\n  [] C.UTF-8\n[1]\n')

    def test_directory_does_not_leak(self):
        self.assert_one_passes("$ slabscope where\n  $DIR\n")

    def test_unreadable_file(self):
        self.assert_one_passes("#? requires non-root\n$ echo x > f; chmod 000 f; test -r f\n[1]\n\n"
                               "$ test \"$(id -u)\" -ne 0 && slabscope greet\n  hello\n")

    def test_sanitized_program_is_skipped(self):
        text = "#? requires no-sanitizer\n$ slabscope greet\n  hello\n"
        self.assert_one_passes(text)
        self.transcript(text.replace("hello", "wrong"))
        self.write("tests/transcripts/other.txt", "$ true\n")
        self.assert_fails("+  hello", "t", "other")
        self.fake.write_text(FAKE + "# __asan_init\n", encoding="utf-8")
        code, output = self.run_tests("t", "other")
        self.assertEqual(code, 0, output)
        self.assertEqual(output,
                         "SKIPPED t: requires no-sanitizer\n1 passed, 0 failed, 1 skipped\n")
        self.assertEqual(self.run_tests("t")[0], 1)

    def test_no_command(self):
        self.assert_one_fails("# nothing\n", "no command")

    def test_unreadable_transcripts(self):
        for text, reason in (
                ("$ true\nhello\n", "t.txt:2: this is no line of a transcript"),
                ("  hello\n$ true\n", "t.txt:1: this belongs to no command"),
                ("$ true\n\n2> x\n", "t.txt:3: this belongs to no command"),
                ("$ true\n# c\n[1]\n", "t.txt:3: this belongs to no command"),
                ("$ true\n2> x\n  y\n", "t.txt:3: stdout after stderr"),
                ("$ true\n[1]\n[2]\n", "t.txt:3: code after code"),
                ("$ true\n  x\n> y\n", "t.txt:3: a command cannot go on"),
                ("$ true\n[0]\n", "t.txt:2: this is no line"),
                ("$ true\n  \\q (esc)\n", "an escaped line knows only"),
                ("$ true\n  a (no-eol)\n  b\n", "only the last line"),
                ("#? requires luck\n$ true\n", "t.txt:1: unknown directive"),
                ("$ true\n#? requires non-root\n", "t.txt:2: a directive stands before")):
            with self.subTest(text):
                self.assert_one_fails(text, reason)

    def test_update(self):
        self.assert_update_gives(
            "# c\n\n$ slabscope both\n  old\n\n# d\n$ true\n[1]\n\n\n$ slabscope bytes\n",
            "# c\n\n$ slabscope both\n  out\n2> err\n[3]\n\n# d\n$ true\n\n\n$ slabscope bytes\n"
            "   (esc)\n    a\\\\b \\xff\\x09 (esc)\n\n  x (esc\\x29 (esc)\n  last (no-eol)\n")

    def test_update_of_every_byte(self):
        path = self.transcript("$ printf \"$(printf '\\\\%03o' {1..255} {1..255})\"\n\n"
                               "$ printf '\\n\\n'\n\n"
                               "$ printf ' \\n\\r\\n\\xc2\\x85\\n \\\\ (no-eol)'\n")
        self.assert_passes("--update", "t")
        self.assertRegex(path.read_bytes(), rb"\A[\n -~]*\Z")
        self.assert_passes("t")

    def test_unknown_name(self):
        self.transcript("$ true\n")
        code, output = self.run_tests("other")
        self.assertEqual(code, 2)
        self.assertIn("no such transcript: other", output)

    def test_unusable_program(self):
        self.transcript("$ true\n")
        self.fake.chmod(0o644)
        self.assertEqual(self.run_tests("t")[0], 2)


class CoverageTest(Repository):
    runner = "transcripts"

    def setUp(self):
        super().setUp()
        self.table(CODES)

    def table(self, codes: dict[str, int], extra: str = ""):
        rows = "".join(f'    {{ErrorCode::{name}, "{name}", {code}, "text"}},\n'
                       for name, code in codes.items())
        self.write("lib/slabscope/base/error.cpp", f"Row table[] = {{\n{rows}{extra}}};\n")

    def show(self, codes: dict[str, int]):
        self.write("tests/transcripts/all.txt", "".join(
            f"$ slabscope fail {name} {code}\n2> a:1:1: error[{name}]: no\n[{code}]\n\n"
            for name, code in codes.items()))

    def test_all_shown(self):
        self.show(CODES)
        self.assert_passes()

    def test_missing_code(self):
        self.show({name: code for name, code in CODES.items() if name != "io"})
        self.assert_fails("no transcript shows error[io] with exit code 4")
        self.assert_passes("all")

    def test_code_with_another_exit_code(self):
        self.show(CODES | {"io": 3})
        self.assert_fails("no transcript shows error[io] with exit code 4")

    def test_code_that_only_a_test_can_show(self):
        self.table(CODES | {"row_counts_differ": 3})
        self.show(CODES)
        missing = "error[row_counts_differ] with exit code 3, nor does tests/slab/builtin_test.cpp"
        self.assert_fails(missing)
        self.write("tests/slab/builtin_test.cpp", "// row_counts_differ_too\n")
        self.assert_fails(missing)
        self.write("tests/slab/builtin_test.cpp", "CHECK(code == ErrorCode::row_counts_differ);\n")
        self.assert_passes()

    def test_code_only_on_stdout(self):
        self.show({name: code for name, code in CODES.items() if name != "io"})
        self.write("tests/transcripts/more.txt", "$ echo 'error[io]'; exit 4\n  error[io]\n[4]\n")
        self.assert_fails("no transcript shows error[io] with exit code 4")

    def test_table_that_cannot_be_read(self):
        self.show(CODES)
        self.table({"io": 4})
        self.assert_fails("read 1 different codes")
        self.table(CODES, '    {ErrorCode::other, "other", kOther, "text"},\n')
        self.assert_fails("read 21 different codes in 22 rows")
        (self.root / "lib/slabscope/base/error.cpp").unlink()
        self.assert_fails("error.cpp: No such file")

    def test_no_transcripts(self):
        self.assert_fails("no transcript shows error[io]")


class ReadmeTest(Repository):
    runner = "readme"

    def readme(self, *lines: str) -> Path:
        return self.write("README.md", "\n".join(["# Title", "", *lines, ""]))

    def console(self, *lines: str) -> Path:
        return self.readme("```console", *lines, "```")

    def assert_console_passes(self, *lines: str):
        self.console(*lines)
        self.assert_passes()

    def assert_console_fails(self, reason: str, *lines: str):
        self.console(*lines)
        self.assert_fails(reason)

    def test_what_is_as_shown_passes(self):
        self.assert_console_passes("$ cat > f <<'E'", "> one", ">", "> two", "> E", "$ cat f",
                                   "one", "", "two", "", "$ slabscope both", "out", "err", "[3]")

    def test_wrong_output(self):
        self.assert_console_fails("-hallo\n+hello", "$ slabscope greet", "hallo")

    def test_stderr_is_compared(self):
        self.assert_console_fails("+slabscope: note: well", "$ slabscope note")

    def test_output_missing_or_too_much(self):
        self.assert_console_fails("+hello", "$ slabscope greet")
        self.assert_console_fails("-more", "$ slabscope greet", "hello", "more")

    def test_space_counts(self):
        self.assert_console_fails("+hello", "$ slabscope greet", "hello ")

    def test_exit_code_must_be_shown(self):
        self.assert_console_fails("+[3]", "$ slabscope both", "out", "err")
        self.assert_console_fails("-[4]\n+[3]", "$ slabscope both", "out", "err", "[4]")
        self.assert_console_passes("$ slabscope both", "out", "err", "$ echo $?", "3")
        self.assert_console_fails("-4\n+3", "$ slabscope both", "out", "err", "$ echo $?", "4")

    def test_dots(self):
        self.assert_console_passes("$ seq 9", "1", "...", "5", "...", "9", "...")
        self.assert_console_fails("-4\n", "$ seq 9", "1", "...", "5", "...", "4", "...")
        self.assert_console_fails("+9\n", "$ seq 9", "1", "...", "8")
        self.assert_console_fails("+1\n", "$ seq 9", "2", "...")

    def test_out_of_time(self):
        self.console("$ slabscope sleep", "...")
        self.assert_fails("out of time", "--timeout", "0.5")

    def test_blocks_share_a_directory(self):
        self.readme("```console", "$ echo x > f", "```", "Then", "1. in a list", "   ```console",
                    "   $ cat f", "   x", "   ```")
        self.assert_passes()

    def test_other_documents(self):
        self.console("$ true")
        self.write("schemas/README.md", "```console\n$ slabscope greet\nhallo\n```\n")
        self.assert_fails("FAILED schemas/README.md:2\n")

    def test_nothing_to_test(self):
        self.readme("Words.")
        self.assert_fails("README.md\nshows no command")
        (self.root / "README.md").unlink()
        self.assert_fails("README.md: No such file")

    def test_not_run(self):
        block = "```console no-run"
        self.readme(block, "$ .ci/setup", "$ cmake --preset x && cmake --build x", "```",
                    "```console", "$ true", "```")
        self.assert_passes()
        for line in ("$ slabscope greet", "$ cmake x && slabscope greet", "$ cmake x; rm -rf x"):
            with self.subTest(line):
                self.readme(block, line, "```")
                self.assert_fails("this must be run, so not tagged no-run")
        self.readme(block, "$ cmake --preset x", "output", "```")
        self.assert_fails("one-line commands only")

    def test_what_would_escape(self):
        for lines, reason in (
                (("```sh", "slabscope greet", "```"), "a block tagged sh would not be tested"),
                (("~~~Bash", "slabscope greet", "~~~"), "a block tagged bash would not be"),
                (("```text", "$ slabscope greet", "```"), "commands belong into a block tagged"),
                (("```", "$ slabscope greet", "```"), "commands belong into a block tagged"),
                (("", "    $ slabscope greet"), "commands belong into a block tagged"),
                (("- ```sh", "  x", "  ```"), "a block begins with its fence alone"),
                (("> ```console", "> x", "> ```"), "a block begins with its fence alone"),
                (("```console norun", "$ x", "```"), "unknown tag"),
                (("```console", "```"), "no command in this block"),
                (("```console", "slabscope greet", "```"), "begins with a command"),
                (("```console", "$ true"), "this block is never closed")):
            with self.subTest(lines):
                self.readme(*lines)
                self.assert_fails(reason)

    def test_update(self):
        path = self.console("$ slabscope both", "old", "", "$ seq 3", "1", "...",
                            "$ slabscope both", "$ echo $?", "0", "", "$ printf '\\n> x\\n\\n'")
        self.assert_passes("--update")
        self.assertEqual(path.read_text(encoding="utf-8").split("\n")[2:-1], [
            "```console", "$ slabscope both", "out", "err", "[3]", "", "$ seq 3", "1", "...",
            "$ slabscope both", "out", "err", "$ echo $?", "3", "",
            "$ printf '\\n> x\\n\\n'", "", "> x", "```"])
        self.assert_passes()

    def test_update_refuses_what_would_read_as_a_command(self):
        self.console("$ echo '$ touch f'")
        self.assert_fails("+$ touch f", "--update")


class HelpTest(Repository):
    runner = "readme"

    def setUp(self):
        super().setUp()
        self.write("README.md", "```console\n$ true\n```\n")

    def change(self, old: str, new: str):
        self.assertIn(old, FAKE)
        self.write("out/fake", FAKE.replace(old, new, 1))

    def test_examples_work(self):
        code, output = self.run_tests()
        self.assertEqual((code, output), (0, "5 passed, 0 failed, 0 skipped\n"))

    def test_failing_example(self):
        self.change("  $ slabscope greet\\n  $", "  $ slabscope hallo\\n  $")
        self.assert_fails("FAILED slabscope greet --help: $ slabscope hallo\nexit code 2")

    def test_failing_example_of_the_main_page(self):
        self.change("grep hello", "grep hallo")
        self.assert_fails("FAILED slabscope --help: $ cat f |\ngrep hallo\nexit code 1")

    def test_noise_on_stderr(self):
        self.change("slabscope: note:", "slabscope: warning:")
        self.assert_fails("exit code 0, on stderr:\nslabscope: warning: well")

    def test_page_without_examples(self):
        self.change("'Examples:\\n  $ slabscope greet\\n", "'Example:\\n  $ slabscope greet\\n")
        self.assert_fails("FAILED slabscope greet --help\nthe help page shows no example")

    def test_main_page_without_commands(self):
        self.change("Commands:\\n", "Subcommands:\\n")
        self.assert_fails("lists no commands")

    def test_command_without_help(self):
        self.change("  greet   says hello\\n", "  greet   says hello\\n  other   nothing\\n")
        self.assert_fails("FAILED slabscope other --help\nexit code 2")

    def test_line_that_is_no_example(self):
        self.change("  $ slabscope note", "  slabscope note")
        self.assert_fails("this is no line of an example: '  slabscope note'")

    def test_example_out_of_time(self):
        self.change("  $ slabscope note", "  $ slabscope sleep")
        self.assert_fails("out of time", "--timeout", "0.5")


if __name__ == "__main__":
    unittest.main()
