"""Single changes that a test should notice: where they can be made in a source file."""
import collections
import dataclasses
import re

# What a line says that guards memory or arithmetic; mutants there have to be killed, every one.
GUARD = re.compile(r"checked_|overflow|size|bytes|offset|count|limit|capacity|most|remaining|length|fits|align|"
                   r"maximum|minimum|max_|end\b|room|index")


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str  # in the tree
    operator: str
    start: int  # characters of the file that are replaced
    end: int
    text: str  # instead of them
    line: int
    before: str  # the line as it is, and as it becomes
    after: str
    twin: int = 0  # how many before it in the file read the same

    @property
    def is_guard(self):
        """Does it take away from a check of bounds or of overflow?"""
        return self.operator in ("check dropped", "alignment dropped") or (
            self.operator in ("comparison", "off by one", "minimum") and
            self.before.lstrip().startswith(("if ", "if(", "return ", "while ", "for ")) and
            GUARD.search(self.before) is not None)

    @property
    def key(self):
        """The same mutant, wherever its lines have moved to."""
        same = f" (again, {self.twin})" if self.twin else ""
        return f"{self.path}: {self.operator}: {self.before.strip()} => {self.after.strip()}{same}"


# Lines where a mutant does not compile, or is another spelling of the same.
POINTLESS = {"arithmetic": re.compile(r'"'), "off by one": re.compile(r"virtual|^  [\w:<>]+ \w+_? = 0;")}
NEVER = re.compile(r"(?!)")


def masked(text):
    """The text with comments, strings and preprocessor lines as blanks, every character at its place."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                         re.S | re.M)
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(code, opening):
    """Where the parenthesis that opens at `opening` closes."""
    depth = 0
    for at in range(opening, len(code)):
        if code[at] == "(":
            depth += 1
        elif code[at] == ")":
            depth -= 1
            if depth == 0:
                return at
    return None


SWAPS = {
    "comparison": {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "},
    "logic": {" && ": " || ", " || ": " && "},
    "arithmetic": {" + ": " - ", " - ": " + ", " * ": " + ", " / ": " * ", " % ": " / "},
    "minimum": {"std::min(": "std::max(", "std::max(": "std::min(", "std::min<": "std::max<", "std::max<": "std::min<"},
    "width": {"std::uint64_t>(": "std::uint32_t>(", "std::int64_t>(": "std::int32_t>("},
}


def swaps(code):
    for operator, table in SWAPS.items():
        pattern = "|".join(re.escape(each) for each in sorted(table, key=len, reverse=True))
        for found in re.finditer(pattern, code):
            yield operator, found.start(), found.end(), table[found.group()]


def numbers(code):
    """Integers are one higher."""
    for found in re.finditer(r"(?<![\w.<])(\d+)(?![\w.>'])", code):
        yield "off by one", found.start(), found.end(), str(int(found.group()) + 1)


def checks(code):
    """`if (..) return fail(..)` never fails; what a call says of its success is not looked at."""
    for found in re.finditer(r"\bif \(", code):
        end = closing(code, found.end() - 1)
        if end is not None and re.match(r"\)\s*\{?\s*return (?:fail\(|std::nullopt|false|nullptr)", code[end:]):
            condition = code[found.end():end]
            if ";" not in condition:
                yield "check dropped", found.end(), end, f"false && ({condition})"
    for found in re.finditer(r"\bSLABSCOPE_TRY\(", code):
        end = closing(code, found.end() - 1)
        if end is not None and code[end + 1:end + 2] == ";":
            yield "check dropped", found.start(), end + 1, f"(void)({code[found.end():end]})"


def alignment(code):
    """What is aligned stays where it is."""
    for found in re.finditer(r"\b(checked_)?align_up\(", code):
        end = closing(code, found.end() - 1)
        if end is None:
            continue
        first = code[found.end():end].split(",")[0]
        yield "alignment dropped", found.start(), end + 1, f"std::optional({first})" if found.group(1) else f"({first})"


def calls(code):
    """A statement that is one call or one assignment is left out."""
    for found in re.finditer(r"^[ \t]+((?:[a-z_]\w*(?:\.|->|::))*[a-z_]\w*\([^;{}]*\)|[a-z_][\w.\[\]>-]* [-+|]?= [^;{}]*);$",
                             code, re.M):
        if not found.group(1).startswith(("return", "static_assert", "delete", "using")):
            yield "statement dropped", found.start(1), found.end(), ";"


def successes(code):
    """A function returns success at once."""
    for found in re.finditer(r"^Result<(void|bool)> [^;{}]*\) (?:const )?\{\n", code, re.M):
        yield "early success", found.end(), found.end(), "  return {};\n" if found.group(1) == "void" else "  return true;\n"


def mutants(path, text):
    """Every mutant of a file, in the order of its text."""
    code = masked(text)
    found = []
    for make in (swaps, numbers, checks, alignment, calls, successes):
        for operator, start, end, replacement in make(code):
            changed = text[:start] + replacement + text[end:]
            if replacement.startswith(("false && (", "(void)(")):  # strings inside stay what they are
                inner = text[start:end] if replacement.startswith("false") else text[start:end][len("SLABSCOPE_TRY("):-1]
                head = "false && (" if replacement.startswith("false") else "(void)("
                replacement = f"{head}{inner})"
                changed = text[:start] + replacement + text[end:]
            line_start = text.rfind("\n", 0, start) + 1
            before = text[line_start:text.find("\n", start)]
            if POINTLESS.get(operator, NEVER).search(before):
                continue
            after = changed[line_start:changed.find("\n", start + len(replacement.rstrip("\n")))]
            found.append(Mutant(path, operator, start, end, replacement, text.count("\n", 0, start) + 1, before, after))
    seen = collections.Counter()
    made = []
    for each in sorted(found, key=lambda each: (each.start, each.operator, each.text)):
        made.append(dataclasses.replace(each, twin=seen[each.key]))
        seen[each.key] += 1
    return made
