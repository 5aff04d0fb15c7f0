#!/usr/bin/env python3
"""What lint finds in cases whose verdict is known, as documents and as bytes, and that healthy rows are clean.

The cases are in tests/golden: lint_cases.json came with the rules, lint_own_cases.json stands beside it. `expect` are
the rules that fire as errors or warnings, `notes` those that fire as notes; `roots` those findings that follow from no
other one, `severity` and `message` what a rule's finding is or says, `ends` how it ends. `slab_expect` is the verdict on
the packed bytes
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
        self.places = 0  # findings whose value was looked up in the bytes
        self.as_bytes = 0
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
    if "not_run" in case:
        optional = {"kv_block_stride", "kv_index_bits", "dummy_block"}
        lacking = {each["rule"]: [name for name in each["missing"] if name not in optional - {
            name for names in case["not_run"].values() for name in names}] for each in report["not_run"]}
        checks.expect(f"{what}: not run", {rule: names for rule, names in lacking.items() if names
                                           and rule not in ("dummy-in-use", "int32-overflow") or rule in case["not_run"]},
                      case["not_run"])
    for rule, severity in case.get("severity", {}).items():
        checks.expect(f"{what}: {rule}", {each["severity"] for each in findings if each["rule"] == rule}, {severity})
    for rule, part in case.get("message", {}).items():
        checks.expect(f"{what}: {rule} says it", all(part in each["message"] for each in findings if each["rule"] == rule),
                      True)
    for rule, part in case.get("ends", {}).items():
        checks.expect(f"{what}: {rule} ends so", {each["message"].endswith(part) for each in findings if each["rule"] == rule},
                      {True})


def check_places(checks, what, slab, report):
    """What a finding says stands at its offset is what stands there."""
    for each in report["findings"]:
        value = each.get("value", "")
        if "row" not in each or not value.lstrip("-").isdigit():
            continue
        there = int.from_bytes(slab[each["offset"]:each["offset"] + each["bytes"]], "little")
        checks.expect(f"{what}: {each['rule']} at {each['offset']}", int(value) % (1 << 8 * each["bytes"]), there)
        checks.places += 1


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
    if "region-fit" in case["expect"]:  # what pack refuses has no bytes
        return checks.expect(f"{case['id']}: pack", packed.returncode, 3)
    checks.expect(f"{case['id']}: pack", packed.returncode, 0)
    checks.as_bytes += 1
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
        check_places(checks, f"{case['id']} as bytes", packed.stdout, report)
        check_report(checks, f"{case['id']} as bytes", case, report, case.get("slab_expect", case["expect"]))


def check_arenas(checks):
    """Overlaps of the engine's own arena, its two slabs in phases of the case's choice."""
    slabs = json.loads((ROOT / "schemas" / "arenas" / "scratch.json").read_text())["slabs"]
    fires = set()
    for case in json.loads((ROOT / "tests/golden/lint_arena_cases.json").read_text()):
        arena = {"arena": "case", "slabs": [{**slab, "phase": phase} for slab, phase in zip(slabs, case["phases"])]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(arena, file)
            file.flush()
            defines = [word for name, value in case["params"].items() for word in ("-D", f"{name}={value}")]
            arguments = ["--arena", file.name, "--live", str(case["params"]["padded_rows"]), *defines]
            report = checks.lint(case["id"], [*arguments, "--only", "region-overlap"], bytes(1 << 17))
            mapped = checks.run(["layout", "--arena", file.name, *defines], b"")
        checks.expect(f"{case['id']}: exit of the map", mapped.returncode, int(bool(case["expect"])))
        if not report:
            continue
        checks.expect(case["id"], fired(report, False), case["expect"])
        checks.expect(f"{case['id']}: notes", fired(report, True), case.get("notes", []))
        for each in report["findings"]:
            checks.expect(f"{case['id']}: says it", case["message"] in each["message"] if "message" in case else True, True)
            checks.expect(f"{case['id']}: in the slab that begins first", (each["slab"], each["offset"]), (0, 49152 - 32768))
        fires.update(each["rule"] for each in report["findings"])
    return fires


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


def check_streams(checks):
    """In a stream of documents a cause is in the slab of its consequence, and dumps may begin with a bracket."""
    cases = [case for case in json.loads((ROOT / "tests/golden/lint_own_cases.json").read_text())
             if "description" not in case and "disable" not in case]
    lines = b"".join(json.dumps({key: case[key] for key in DOCUMENT_KEYS if key in case}).encode() + b"\n" for case in cases)
    report = checks.lint("stream", [], lines)
    findings = report["findings"]
    consequences = [each for each in findings if "consequence_of" in each]
    checks.expect("stream: consequences", len(consequences) > 10, True)
    for each in consequences:
        checks.expect("stream: slab of a cause", findings[each["consequence_of"]]["slab"], each["slab"])
    for slab, case in enumerate(cases):
        expected = sorted(set(case["expect"] + case.get("notes", [])))
        checks.expect(f"stream: {case['id']}", sorted({each["rule"] for each in findings if each["slab"] == slab}), expected)

    row = {"seq_len": 1, "slot": 64, "block_table": [4]}
    for first in range(256):
        document = {"layout": "mtp", "params": {"block_size": 16}, "rows": [{"position": first, **row}]}
        slab = checks.run(["pack"], json.dumps(document).encode()).stdout
        done = checks.run(["lint", "-l", "mtp", "-D", "entries=1", "-D", "block_size=16"], slab)
        checks.expect(f"a dump that begins with byte {first}", (done.returncode, done.stderr), (0, b""))
    blank = checks.run(["lint"], b" " * 5000 + json.dumps(document).encode())
    checks.expect("a document behind many blanks", blank.returncode, 0)


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
    fires.update(check_arenas(checks))
    table = checks.run(["lint", "--explain", "all"], b"").stdout.decode()
    rules = {line.split()[0] for line in table.splitlines()[1:] if not line.startswith(" ")}
    checks.expect("every rule has a case that fires", sorted(rules - fires), [])
    checks.expect("cases as bytes", checks.as_bytes > 60, True)
    checks.expect("values looked up", checks.places > 40, True)
    check_healthy(checks)
    check_streams(checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
