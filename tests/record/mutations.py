"""Faults put into the source by lot, and how many of them the tests of a package catch.

python -m tests.record.mutations draw FILE             20 for each package, the same each time
python -m tests.record.mutations map MAP               which tests come by which lines
python -m tests.record.mutations run FILE RESULT MAP [PACKAGE...]

A fault is tried with those tests of its package that come by its line, and with those of the same
files that are not measured; where no test does so in its own process, with all of the package.
"""

import ast
import json
import os
import random
import subprocess
import sys
import time
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from coverage import CoverageData

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src" / "evenodds"
SEED: Final = 20261118
EACH: Final = 20
TIMEOUT_S: Final = 900
PYTEST: Final = (sys.executable, "-m", "pytest", "-q")
OPERATORS: Final[dict[type[ast.AST], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (" in ", " not in "),
    ast.Is: (" is ", " is not "),
    ast.IsNot: (" is not ", " is "),
    ast.And: (" and ", " or "),
    ast.Or: (" or ", " and "),
}
TESTS: Final = {
    "api": ["api", "project/test_public_names.py"],
    "figures": ["test_figures.py"],
    "claims": ["claims", "study"],
    "envs": ["adapters"],
    "system": ["system", "server"],
    "core": ["core", "games"],
    "render": ["render", "study"],
    "workers": ["workers", "study"],
    "precomputed": ["project"],
}
"""The folders of a package's tests where they are not just that of its name."""


class Faults:
    """All faults that can be put into a file: where, what stands there, what would."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.text = file.read_bytes()
        lines = self.text.splitlines(keepends=True)
        self.starts = [0, *accumulate(map(len, lines))]
        self.found: list[dict[str, Any]] = []
        self._visit(ast.parse(self.text))

    def _span(self, node: Any) -> tuple[int, int]:
        begin = self.starts[node.lineno - 1] + node.col_offset
        return begin, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _add(self, begin: int, end: int, new: str) -> None:
        self.found.append(
            {
                "file": str(self.file.relative_to(ROOT)),
                "line": self.text[:begin].count(b"\n") + 1,
                "before": self.text[max(0, begin - 80) : begin].decode(errors="ignore"),
                "old": self.text[begin:end].decode(),
                "new": new,
            }
        )

    def _between(self, left: Any, right: Any, operator: ast.AST) -> None:
        old, new = OPERATORS.get(type(operator), ("", ""))
        begin, end = self._span(left)[1], self._span(right)[0]
        place = self.text[begin:end].find(old.encode())
        if old and place >= 0:
            self._add(begin + place, begin + place + len(old), new)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        self._change(node)
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list", "type_params"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self._visit(child)

    def _change(self, node: ast.AST) -> None:
        match node:
            case ast.BinOp():
                self._between(node.left, node.right, node.op)
            case ast.Compare():
                sides = [node.left, *node.comparators]
                for (left, right), operator in zip(pairwise(sides), node.ops, strict=True):
                    self._between(left, right, operator)
            case ast.BoolOp():
                self._between(node.values[0], node.values[1], node.op)
            case ast.Constant(value=bool()):
                self._add(*self._span(node), str(not node.value))
            case ast.Constant(value=int() | float()):
                self._add(*self._span(node), f"({ast.unparse(node)} + 1)")
            case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
                self._add(*self._span(node.value), "None")


def draw() -> list[dict[str, Any]]:
    """Some faults for each package, in files drawn by their size."""
    found = []
    for entry in sorted(SOURCE.iterdir()):
        files = sorted(entry.rglob("*.py")) if entry.is_dir() else [entry]
        if entry.name.startswith("__") or entry.suffix not in ("", ".py"):
            continue
        chosen = [
            one for file in files if "migrations" not in str(file) for one in Faults(file).found
        ]
        lot = random.Random(f"{SEED} {entry.stem}")
        drawn = lot.sample(chosen, min(EACH, len(chosen)))
        found += [{"package": entry.stem} | one for one in drawn]
    return found


def put_in(one: dict[str, Any]) -> int:
    """Write the fault into the file; the line of its place, 0 where that is gone."""
    file = ROOT / one["file"]
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.count(one["before"] + one["old"]) != 1:
        return 0
    changed = text.replace(one["before"] + one["old"], one["before"] + one["new"])
    file.write_text(changed, encoding="utf-8")
    return text[: text.index(one["before"] + one["old"]) + len(one["before"])].count("\n") + 1


def make_map(target: Path) -> None:
    """Run all tests once under coverage, and write down who comes by each line."""
    marks = ["-m", "not browser and not database", "-n", "2", "--dist", "loadgroup"]
    measured = ["--cov", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
    subprocess.run([*PYTEST, *marks, *measured], cwd=ROOT, check=False)
    unmeasured = subprocess.run(
        [*PYTEST, "--collect-only", "-m", "no_cover and not browser and not database"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    data = CoverageData(str(ROOT / ".coverage"))
    data.read()
    found: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        lines = data.contexts_by_lineno(file).items()
        named = {line: sorted({_test(one) for one in some if "::" in one}) for line, some in lines}
        found[str(Path(file).relative_to(ROOT))] = named
    always = sorted({_test(line) for line in unmeasured.stdout.splitlines() if "::" in line})
    target.write_text(json.dumps({"lines": found, "always": always}), encoding="utf-8")


def _test(context: str) -> str:
    """The function of a test, without its parameters, its group and its phase."""
    return context.partition("|")[0].partition("[")[0].partition("@")[0]


def tests_of(package: str, file: str, line: int, known: dict[str, Any]) -> list[str]:
    """The tests of a package that come by a line, or all of them."""
    names = [*TESTS.get(package, [package]), "test_refusals.py"]
    folders = [f"tests/{name}" for name in names if (ROOT / "tests" / name).exists()]
    lines = known["lines"].get(file, {})
    near: list[str] = next(
        (lines[str(at)] for at in range(line, line - 4, -1) if lines.get(str(at))), []
    )
    tests = [one for one in near if one.startswith(tuple(folders))]
    files = {one.partition("::")[0] for one in tests}
    return (tests + [one for one in known["always"] if one.partition("::")[0] in files]) or folders


def is_caught(tests: list[str]) -> tuple[bool, str]:
    """Whether one of these tests fails, and which."""
    try:
        done = subprocess.run(
            [*PYTEST, "-x", "-m", "not browser and not database", *tests],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
    except subprocess.TimeoutExpired:
        return True, "time ran out"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode != 0, (failed or [f"code {done.returncode}"])[0][:150]


def run(faults: list[dict[str, Any]], result: Path, known: dict[str, Any]) -> None:
    """Put each fault in, test, and take it out again."""
    done = json.loads(result.read_text()) if result.exists() else {}
    for number, one in enumerate(faults):
        if str(number) in done or (sys.argv[5:] and one["package"] not in sys.argv[5:]):
            continue
        file = ROOT / one["file"]
        original = file.read_text(encoding="utf-8") if file.exists() else ""
        line = put_in(one)
        if not line:
            done[str(number)] = {"package": one["package"], "caught": None, "by": "no such place"}
            continue
        began = time.monotonic()
        try:
            caught, by = is_caught(tests_of(one["package"], one["file"], line, known))
        finally:
            file.write_text(original, encoding="utf-8")
        seconds = round(time.monotonic() - began, 1)
        done[str(number)] = {"package": one["package"], "caught": caught, "by": by, "s": seconds}
        result.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{number} {one['file']}:{line} {caught} {by} {seconds}\n")
        sys.stdout.flush()


def main() -> None:
    """Draw, map or run."""
    file = Path(sys.argv[2])
    if sys.argv[1] == "draw":
        file.write_text(json.dumps(draw(), indent=1) + "\n", encoding="utf-8")
    elif sys.argv[1] == "map":
        make_map(file)
    else:
        known = json.loads(Path(sys.argv[4]).read_text(encoding="utf-8"))
        run(json.loads(file.read_text(encoding="utf-8")), Path(sys.argv[3]), known)


if __name__ == "__main__":
    main()
