#!/usr/bin/env python3
"""Validates documents and outputs against the schemas that the command prints.

Layouts and goldens, what pack takes and decode gives, reports, and messages: everything that another program may
read is held against `slabscope schema NAME`, and each schema is shown to refuse something.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Checks:
    """Counts what passed and prints what did not."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def expect(self, what, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {what}: {detail}")


class Command:
    """The slabscope under test."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, stdin=b""):
        return subprocess.run([self.path, *arguments], input=stdin, capture_output=True, timeout=60)

    def json(self, *arguments, stdin=b""):
        done = self.run(*arguments, stdin=stdin)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: exit {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)


def validators(command):
    """A validator for each schema that the command lists; the schemas themselves are valid."""
    names = [line.split()[0] for line in command.run("schema").stdout.decode().splitlines()[1:]]
    made = {}
    for name in names:
        schema = command.json("schema", name)
        jsonschema.Draft202012Validator.check_schema(schema)
        made[name] = jsonschema.Draft202012Validator(schema)
    return made


def check_valid(checks, validator, what, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    checks.expect(what, error is None, error and f"{error.json_path}: {error.message}")


def check_layouts(checks, command, schemas):
    """The shipped layouts, and what `layout` tells of them with every number of parameters set."""
    files = sorted((ROOT / "schemas" / "layouts").glob("*.json"))
    checks.expect("there are layouts", len(files) >= 3)
    catalog = command.json("layout", "--list", "-f", "json")
    check_valid(checks, schemas["catalog"], "catalog", catalog)
    checks.expect("catalog lists every file", [each["layout"] for each in catalog] == [each.stem for each in files])
    for each in catalog:
        check_valid(checks, schemas["layout"], each["layout"],
                    json.loads((ROOT / "schemas" / "layouts" / f"{each['layout']}.json").read_text()))
        params = list(each["params"])
        for count in range(len(params) + 1):
            defines = [word for name in params[:count] for word in ("-D", f"{name}=3")]
            report = command.json("layout", each["layout"], "-f", "json", *defines)
            check_valid(checks, schemas["layout_report"], f"layout {each['layout']} {defines}", report)


def check_fit_and_comparison(checks, command, schemas):
    """The figures that users know, and what moves between two sets of parameters."""
    for defines, tokens in (([], None), (["-D", "block_size=16"], 7168)):
        report = command.json("layout", "mtp", "--fit", "entries", "--region-bytes", "2048", *defines, "-f", "json")
        check_valid(checks, schemas["layout_report"], f"fit {defines}", report)
        checks.expect("448 entries fit", report["fit"]["value"] == 448 and report["fit"].get("tokens") == tokens, report["fit"])
    for other, moved in (("2", 0), ("3", 1)):
        done = command.run("layout", "mtp_batch", "-D", "rows=2", "-D", "max_blocks=2", "--compare", "mtp_batch",
                           "--with", f"rows={other}", "-f", "json")
        report = json.loads(done.stdout)
        check_valid(checks, schemas["layout_comparison"], f"comparison with {other}", report)
        checks.expect(f"exit of a comparison with {other}", done.returncode == moved and bool(report["changes"]) == bool(moved))


def check_arenas(checks, command, schemas):
    """The shipped arenas, and their maps with some parameters set."""
    files = sorted((ROOT / "schemas" / "arenas").glob("*.json"))
    checks.expect("there are arenas", files)
    for file in files:
        arena = json.loads(file.read_text())
        check_valid(checks, schemas["arena"], file.name, arena)
        checks.expect(f"{file.name} is named so", arena["arena"] == file.stem)
        for defines in ([], ["max_batch_size=32"], ["max_batch_size=32", "max_blocks=257", "entries=448", "padded_rows=16"]):
            report = command.json("layout", "--arena", file.stem, "-f", "json", *(word for each in defines for word in ("-D", each)))
            check_valid(checks, schemas["arena_report"], f"{file.name} {defines}", report)
            checks.expect(f"{file.name}: all slabs", [each["name"] for each in report["slabs"]] ==
                          [each["name"] for each in sorted(arena["slabs"], key=lambda slab: slab["offset"])])


def check_locate(checks, command, schemas):
    """Every byte of a slab and around it, by offset and by address."""
    for more in ([], ["--base", "0x10"]):
        positions = [word for at in range(0, 120) for word in ("--locate", str(at))]
        done = command.run("layout", "mtp_batch", "-D", "rows=3", "-D", "max_blocks=2", *more, *positions, "-f", "json")
        report = json.loads(done.stdout)
        check_valid(checks, schemas["locate_report"], f"locate {more}", report)
        inside = [each for each in report["positions"] if each["places"]]
        checks.expect(f"locate {more}: the slab's bytes", len(inside) == 88 and done.returncode == 1, len(inside))


def check_verify(checks, command, schemas):
    """Reports of a round trip on host threads, with and without mismatches."""
    document = json.dumps({"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [
        {"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]}, {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4]}]})
    for more, found in (([], 0), (["--timings"], 0), (["--inject", "block_table:3"], 1), (["--inject", "slot"], 1)):
        done = command.run("verify", "--device", "host", "-f", "json", *more, stdin=document.encode())
        report = json.loads(done.stdout)
        check_valid(checks, schemas["verify_report"], f"verify {more}", report)
        checks.expect(f"verify {more} finds {found}", (done.returncode, report["ok"], len(report["mismatches"]), report["mismatch_count"])
                      == (found, not found, found, found), report)
        checks.expect(f"verify {more} was no GPU", report["device"]["kind"] == "host")
    elements = {"position": 2, "slot": 2, "seq_len": 2, "block_table": 4}
    checks.expect("elements", (report["elements"], report["slabs"], report["bytes"]) == (elements, 1, 48), report)
    # What a GPU's would be; the device is made up.
    cuda = {"kind": "cuda", "name": "Example GPU", "compute_capability": "9.0", "driver": "13.0", "runtime": "13.0"}
    check_valid(checks, schemas["verify_report"], "a report of CUDA", report | {"device": cuda})


def check_goldens(checks, command, schemas):
    """Golden documents, and the documents that decode makes of their slabs."""
    count = 0
    for path in sorted((ROOT / "tests" / "golden").glob("*_cases.ndjson")):
        for line in path.read_text().splitlines():
            case = json.loads(line)
            document = case.get("document")
            if document is None:
                continue
            check_valid(checks, schemas["rows"], case["id"], document)
            count += 1
            if "slab" not in case or count % 5:
                continue
            params = dict(document.get("params", {}))
            if document["layout"] == "mtp_batch":
                params["rows"] = len(document["rows"])
            defines = [word for name, value in params.items() for word in ("-D", f"{name}={value}")]
            slab = bytes.fromhex(case["slab"])
            for extra in ([], ["-f", "ndjson"], ["--trim"], ["--no-residue"]):
                decoded = command.json("decode", "-", "-l", document["layout"], *defines, *extra, stdin=slab)
                check_valid(checks, schemas["rows"], f"{case['id']} decoded {extra}", decoded)
    checks.expect("there are golden documents", count > 200, count)


def check_examples(checks, schemas):
    """Every document that a page of the repository shows: as JSON, in a command line, or as output."""
    kinds = {"arena": "arena", "rows": "rows", "name": "layout", "error": "error"}  # by the key that only they have
    found = dict.fromkeys(kinds.values(), 0)
    for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("schemas/*.md")):
        text = page.read_text()
        for fence in re.findall(r"^```(?:json|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            plain = re.sub(r"^> ", "", fence, flags=re.MULTILINE)
            for start in re.finditer(r"(?:^|')(?=\{)", plain, re.MULTILINE):
                document, _ = json.JSONDecoder().raw_decode(plain, start.end())
                kind = next((kinds[key] for key in kinds if key in document), None)
                checks.expect(f"{page.name}: kind of {document}", kind)
                if kind:
                    found[kind] += 1
                    check_valid(checks, schemas[kind], f"{page.name}: {document}", document)
    checks.expect("rows and layouts are shown", found["rows"] > 5 and found["layout"] >= 2, found)


def check_residue(checks, command, schemas):
    """Bytes that are no packed slab."""
    slab = bytes((7 * index + 1) % 256 for index in range(768 + 32 * 4 * 2))
    decoded = command.json("decode", "-", "-l", "decode", "-D", "max_blocks=2", "-D", "block_size=16", "--live", "2",
                           "--padded", "4", stdin=slab)
    check_valid(checks, schemas["rows"], "residue", decoded)
    checks.expect("residue is there", decoded.get("residue"))


def check_differences(checks, command, schemas):
    """Two slabs that differ in every byte or in none; elements of all types at their limits."""
    types = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
    layout = {"name": "types", "params": {"rows": {}}, "row_param": "rows", "fields": [
        {"name": name, "type": name, "shape": ["rows", 2], "align": 16} for name in types] + [
        {"name": "last", "type": "u64", "shape": []}]}
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: pathlib.Path(folder) / name for name in ("layout.json", "zeros", "ones")}
        paths["layout.json"].write_text(json.dumps(layout))
        size = command.json("layout", str(paths["layout.json"]), "-D", "rows=3", "-f", "json")["size"]
        paths["zeros"].write_bytes(bytes(size))
        paths["ones"].write_bytes(b"\xff" * size)
        for other, code in (("zeros", 0), ("ones", 1)):
            done = command.run("diff", str(paths["zeros"]), str(paths[other]), "-l", str(paths["layout.json"]),
                               "-D", "rows=3", "-f", "json")
            report = json.loads(done.stdout)
            check_valid(checks, schemas["diff_report"], f"diff of zeros and {other}", report)
            checks.expect(f"exit of diff of zeros and {other}", done.returncode == code, done.stderr)
            values = {each["new"] for each in report["changes"] if each.get("field") in ("u64", "last")}
            checks.expect("the largest number", values == ({2**64 - 1} if code else set()), values)


def check_regions(checks, command, schemas):
    """Every sample of a dump that opens; its documents, too, say by `source` where they are from."""
    opened = set()
    for path in sorted(each for each in (ROOT / "tests" / "golden" / "dumps").rglob("*") if each.parent.name != "dumps"):
        done = command.run("regions", str(path), "-f", "json")
        if done.returncode == 0:
            report = json.loads(done.stdout)
            check_valid(checks, schemas["regions"], path.name, report)
            opened.add(report["container"])
    checks.expect("dumps of many kinds", len(opened) >= 12, opened)
    for container, arguments in (("cuda-core", ["cuda/full.nvcudmp", "--address", "0x7f32a0008000"]),
                                 ("gzip/raw", ["compressed/arena.bin.gz", "--offset", "0x8000"])):
        document = command.json("decode", str(ROOT / "tests" / "golden" / "dumps" / arguments[0]), *arguments[1:], "-l",
                                "mtp_batch", "-D", "rows=2", "-D", "max_blocks=2")
        check_valid(checks, schemas["rows"], container, document)
        checks.expect(f"{container} is the source", document["source"]["container"] == container)


def check_messages(checks, command, schemas):
    """Errors, warnings and notes under --json."""
    document = {"layout": "decode", "params": {"max_batch_size": 129, "max_blocks": 1}, "rows": []}
    cases = [
        ("warning", ["pack"], document),
        ("error", ["pack", "--strict"], document),
        ("error", ["pack"], {"layout": "nope", "rows": []}),
        ("error", ["pack"], {"layout": "mtp", "rows": [{"position": 1.5}]}),
        ("error", ["pack", "--region-bytes", "1"], {"layout": "mtp", "rows": []}),
        ("error", ["pack", "--region-bytes", "x"], document),
        ("error", ["layout", "no/such/file.json"], None),
        ("error", ["decode", "-l", "mtp", "-D", "entries=1"], None),
        ("note", ["decode", "-l", "mtp"], None),
    ]
    codes = {each["const"]: each["description"]
             for each in command.json("schema", "error")["$defs"]["message"]["properties"]["code"]["oneOf"]}
    for kind, arguments, document in cases:
        stdin = json.dumps(document).encode() if document else bytes(256 if kind == "note" else 3)
        done = command.run("--json", *arguments, stdin=stdin)
        for line in done.stderr.decode().splitlines():
            message = json.loads(line)
            check_valid(checks, schemas["error"], f"message of {arguments}", message)
            checks.expect(f"{arguments} gives a {kind}", kind in message, line)
            if kind == "error":
                checks.expect(f"exit code of {arguments}", f"(exit {done.returncode})" in codes[message[kind]["code"]])
        checks.expect(f"{arguments} says something", done.stderr)


def check_refusals(checks, schemas):
    """What a schema must not take; a schema that takes everything would pass all the checks above."""
    row = {"position": 1}
    gap = {"slab": 0, "offset": 4, "old": "00", "new": "ff", "message": "1 byte of a gap"}
    change = {"slab": 0, "row": 0, "field": "slot", "offset": 8, "old": -1, "new": 5, "message": "-1 -> 5"}
    checks.expect("changes are taken", schemas["diff_report"].is_valid(
        {"layout": "x", "changes": [gap, change], "summary": {"slot": 1, "(gap)": 1}}))
    refused = {
        "rows": [{}, {"rows": {}}, {"rows": [], "extra": 1}, {"rows": [1]}, {"rows": [{"position": 1.5}]},
                 {"rows": [row], "params": {"x": -1}}, {"rows": [row], "residue": [{"offset": 0, "hex": "abc"}]}],
        "layout": [{}, {"name": "x", "fields": [{}]}, {"name": "1x", "fields": []},
                   {"name": "x", "fields": [{"name": "a", "type": "f32", "shape": []}]},
                   {"name": "x", "fields": [{"name": "a", "type": "u8", "shape": [], "align": 4, "offset": 0}]}],
        "arena": [{}, {"arena": "a b", "slabs": []}, {"arena": "a", "slabs": [{}]},
                  {"arena": "a", "slabs": [{"name": "s", "layout": "mtp", "offset": -1}]},
                  {"arena": "a", "slabs": [{"name": "s", "layout": "mtp", "offset": 0, "size": 1}]}],
        "arena_report": [{}, {"arena": "a", "slabs": [{}], "gaps": [], "overlaps": []},
                         {"arena": "a", "slabs": [], "gaps": [{"offset": 0}], "overlaps": []}],
        "layout_report": [{}, {"layout": "x", "params": {}, "size": -1, "align": 1, "fields": [], "gaps": []}],
        "locate_report": [{}, {"positions": [{}]}, {"positions": [{"places": [{"offset": 0}]}]}],
        "layout_comparison": [{}, {"from": {}, "to": {}, "changes": []}],
        "lint_report": [{}, {"layout": "x", "findings": [{}], "summary": {}, "not_run": []},
                        {"layout": "x", "findings": [], "summary": {"Bad Rule": 1}, "not_run": []}],
        "diff_report": [{}, {"layout": "x", "changes": [{}], "summary": {}},
                        {"layout": "x", "changes": [{**change, "old": "00"}], "summary": {}},
                        {"layout": "x", "changes": [{**gap, "old": 0}], "summary": {}},
                        {"layout": "x", "changes": [{**gap, "old": "0"}], "summary": {}},
                        {"layout": "x", "changes": [{**gap, "row": 0}], "summary": {}},
                        {"layout": "x", "changes": [], "summary": {"slot": 0}}],
        "verify_report": [{}] + [
            {"device": device, "slabs": 1, "bytes": 8, "elements": {}, "mismatches": found, "mismatch_count": 0, "ok": True, "timings": {}}
            for device, found in (({"kind": "gpu", "name": "x"}, []), ({"kind": "cuda", "name": "x"}, []),
                                  ({"kind": "host", "name": "x", "driver": "13.0"}, []), ({"kind": "host", "name": "x"}, [{}]))],
        "regions": [{}, {"file": "x", "container": "raw", "facts": [], "regions": [{}]},
                    {"file": "x", "container": "raw", "facts": [{"name": "flags", "value": 1}], "regions": []},
                    {"file": "x", "container": "raw", "facts": [],
                     "regions": [{"name": "", "kind": "raw", "bytes": 1, "address": 4096}]}],
        "catalog": [{}, [{"layout": "x"}]],
        "error": [{}, {"error": {"code": "no_such_code", "message": ""}}, {"error": {"message": ""}}],
    }
    checks.expect("every schema is shown to refuse", set(refused) == set(schemas), set(schemas) - set(refused))
    for name, documents in refused.items():
        for document in documents:
            checks.expect(f"{name} refuses {document}", not schemas[name].is_valid(document))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slabscope", required=True)
    options.add_argument("--build")
    command = Command(options.parse_args().slabscope)
    checks = Checks()
    schemas = validators(command)
    check_layouts(checks, command, schemas)
    check_fit_and_comparison(checks, command, schemas)
    check_arenas(checks, command, schemas)
    check_locate(checks, command, schemas)
    check_verify(checks, command, schemas)
    check_goldens(checks, command, schemas)
    check_examples(checks, schemas)
    check_residue(checks, command, schemas)
    check_differences(checks, command, schemas)
    check_regions(checks, command, schemas)
    check_messages(checks, command, schemas)
    check_refusals(checks, schemas)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
