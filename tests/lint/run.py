#!/usr/bin/env python3
"""What lint finds in cases whose verdict is known, as documents and as bytes, and that healthy rows are clean.

The cases are in tests/golden: lint_cases.json came with the rules, lint_own_cases.json stands beside it. `expect` are
the rules that fire as errors or warnings, `notes` those that fire as notes; `roots` those findings that follow from no
other one, `severity` and `message` what a rule's finding is or says. `slab_expect` is the verdict on the packed bytes
where that differs; `description` is a layout of the case's own.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT_KEYS = ("layout", "params", "live_rows", "region_bytes", "groups", "rows", "residue")


class Checks:
    """Counts what passed and prints what did not."""

    def __init__(self, slabscope):
        self.slabscope = slabscope
        self.passed = 0
        self.failed = 0
        schema = json.loads((ROOT / "schemas" / "lint_report.schema.json").read_text())
        self.report = jsonschema.Draft202012Validator(schema)

    def expect(self, what, got, expected):
        self.passed += got == expected
        self.failed += got != expected
        if got != expected:
            print(f"FAILED {what}: got {got}, expected {expected}")

    def run(self, arguments, stdin):
        return subprocess.run([self.slabscope, *arguments], input=stdin, capture_output=True, timeout=120)

    def lint(self, what, arguments, stdin):
        done = self.run(["lint", "-f", "json", *arguments], stdin)
        if done.returncode > 1:
            self.expect(f"{what}: exit", (done.returncode, done.stderr.decode()), "0 or 1")
            return None
        report = json.loads(done.stdout)
        self.expect(f"{what}: schema", [each.message for each in self.report.iter_errors(report)], [])
        is_bad = any(each["severity"] == "error" for each in report["findings"])
        self.expect(f"{what}: exit", done.returncode, int(is_bad))
        return report


def fired(report, is_note):
    return sorted({each["rule"] for each in report["findings"] if (each["severity"] == "note") == is_note})


def check_report(checks, what, case, report, expect):
    checks.expect(what, fired(report, False), sorted(expect))
    checks.expect(f"{what}: notes", fired(report, True), sorted(case.get("notes", [])))
    findings = report["findings"]
    for index, each in enumerate(findings):
        checks.expect(f"{what}: a cause stands before its consequence",
                      each.get("consequence_of", -1) < index, True)
    if "roots" in case:
        roots = {each["rule"] for each in findings if "consequence_of" not in each and each["severity"] != "note"}
        checks.expect(f"{what}: roots", sorted(roots), sorted(case["roots"]))
    for rule, severity in case.get("severity", {}).items():
        checks.expect(f"{what}: {rule}", {each["severity"] for each in findings if each["rule"] == rule}, {severity})
    for rule, part in case.get("message", {}).items():
        checks.expect(f"{what}: {rule} says it", all(part in each["message"] for each in findings if each["rule"] == rule),
                      True)


def check_own_layout(checks, case, document, disabled):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as layout:
        json.dump(case["description"], layout)
        layout.flush()
        report = checks.lint(case["id"], ["-l", layout.name, *disabled], document)
    if report:
        check_report(checks, case["id"], case, report, case["expect"])


def check_case(checks, case):
    document = json.dumps({key: case[key] for key in DOCUMENT_KEYS if key in case}).encode()
    disabled = [word for rule in case.get("disable", []) for word in ("--disable", rule)]
    if "description" in case:
        return check_own_layout(checks, case, document, disabled)
    report = checks.lint(case["id"], disabled, document)
    if report:
        check_report(checks, case["id"], case, report, case["expect"])
    packed = checks.run(["pack"], document)
    if packed.returncode != 0 or not packed.stdout:
        return  # what pack refuses has no bytes
    params = dict(case["params"])
    rows = len(case["rows"])
    params.update({"mtp": {"entries": max(len(row["block_table"]) for row in case["rows"])},
                   "mtp_batch": {"rows": rows, "max_blocks": params.get("max_blocks", max(
                       len(row["block_table"]) for row in case["rows"]))},
                   "decode": {"max_batch_size": params.get("max_batch_size", rows),
                              "padded_rows": params.get("padded_rows", rows)}}[case["layout"]])
    arguments = ["-l", case["layout"], *disabled, "--raw"]
    arguments += [word for name, value in params.items() for word in ("-D", f"{name}={value}")]
    if case["layout"] != "mtp":
        arguments += ["--live", str(case.get("live_rows", rows))]
    if "groups" in case:
        arguments += ["--groups", ",".join(map(str, case["groups"]))]
    report = checks.lint(f"{case['id']} as bytes", arguments, packed.stdout)
    if report:
        check_report(checks, f"{case['id']} as bytes", case, report, case.get("slab_expect", case["expect"]))


def check_healthy(checks):
    """Rows as gen makes them are clean, as documents and as bytes."""
    for layout, rows, more in (("mtp", "1", []), ("mtp_batch", "0..40", []), ("decode", "1..40", []),
                               ("decode", "1..40", ["-D", "max_batch_size=40", "-D", "max_blocks=12"])):
        for sharing in ([], ["--share-prefix"]):
            made = checks.run(["gen", layout, "--rows", rows, "--count", "300", "--seed", str(len(more)), *sharing, *more,
                               "-D", "block_size=16", "-D", "num_blocks=900", "-D", "dummy_block=899"], b"")
            checks.expect(f"gen {layout}", (made.returncode, made.stderr), (0, b""))
            report = checks.lint(f"healthy {layout} {sharing}", [], made.stdout)
            checks.expect(f"healthy {layout} {sharing}", report and report["findings"], [])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build")
    checks = Checks(options.parse_args().slabscope)
    fires = set()
    for name in ("lint_cases.json", "lint_own_cases.json"):
        for case in json.loads((ROOT / "tests" / "golden" / name).read_text()):
            check_case(checks, case)
            fires.update(case["expect"] + case.get("notes", []))
    table = checks.run(["lint", "--explain", "all"], b"").stdout.decode()
    rules = {line.split()[0] for line in table.splitlines()[1:] if not line.startswith(" ")}
    checks.expect("every rule has a case that fires", sorted(rules - fires), [])
    check_healthy(checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
