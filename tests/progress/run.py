#!/usr/bin/env python3
"""Progress on standard error: on a terminal only, after a second only, and gone at the end.

pack and decode read from a FIFO that is filled slowly; standard error is a terminal of our own, or a pipe.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROW = '{"position":1,"slot":2,"seq_len":3,"block_table":[4]}'
DOCUMENT = f'{{"layout":"mtp_batch","params":{{"max_blocks":1}},"rows":[{ROW}]}}\n'.encode()
DECODE = ("decode", "-l", "mtp_batch", "-D", "rows=1", "-D", "max_blocks=1", "--count", "3")


def stderr_of(command, pieces, pause, on_terminal):
    """What a command writes to standard error while its input comes in pieces, and what to standard output."""
    reader, writer = os.openpty() if on_terminal else os.pipe()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    for piece in pieces:
        process.stdin.write(piece)
        process.stdin.flush()
        time.sleep(pause)
    process.stdin.close()
    output = process.stdout.read()
    said = b""
    while True:
        try:
            some = os.read(reader, 4096)
        except OSError:  # the other end of a terminal is closed
            break
        if not some:
            break
        said += some
    os.close(reader)
    assert process.wait() == 0, (command, said)
    return said, output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slabscope", required=True)
    parser.add_argument("--build")
    slabscope = str(pathlib.Path(parser.parse_args().slabscope).resolve())
    failed = 0

    def expect(what, holds, got):
        nonlocal failed
        failed += not holds
        if not holds:
            print(f"FAILED {what}: {got!r}")

    with tempfile.TemporaryDirectory() as folder:
        slab = subprocess.run([slabscope, "pack"], input=DOCUMENT, capture_output=True, check=True).stdout
        for command, piece in (("pack",), DOCUMENT), (DECODE, slab):
            wanted = subprocess.run([slabscope, *command], input=3 * piece, capture_output=True, check=True, cwd=folder)
            for jobs in "1", "2":
                line = [slabscope, *command, "-j", jobs]
                said, output = stderr_of(line, [piece] * 3, 0.7, True)
                expect(f"{line}: a line of progress", b"\r\x1b[Kslabscope: 0.0 MiB, 0.0 MiB/s" in said, said)
                expect(f"{line}: it is gone at the end", said.endswith(b"\r\x1b[K"), said)
                expect(f"{line}: the output is whole", output == wanted.stdout, output)
            said, output = stderr_of([slabscope, *command], [piece] * 3, 0.7, False)
            expect(f"{command}: nothing without a terminal", said == b"", said)
            said, output = stderr_of([slabscope, *command], [piece] * 3, 0, True)
            expect(f"{command}: nothing of a short run", said == b"", said)
            said, output = stderr_of([slabscope, "--json", *command], [piece] * 3, 0.7, True)
            expect(f"{command}: nothing beside messages as JSON", said == b"", said)
    print("progress: ok" if failed == 0 else f"progress: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
