#!/usr/bin/env python3
"""Tests the runners of console tests themselves; the program under test plays no part."""

import argparse
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import console_selftest  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slabscope", metavar="PATH", help="not used")
    parser.add_argument("--build", metavar="DIR", help="not used")
    parser.parse_args()
    tests = unittest.defaultTestLoader.loadTestsFromModule(console_selftest)
    result = unittest.TextTestRunner().run(tests)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
