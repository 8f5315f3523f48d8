"""Faults put into the source by lot, and how many of them the tests of a package catch.

python -m tests.record.mutations draw FILE             20 for each package, the same each time
python -m tests.record.mutations run FILE RESULT [PACKAGE...]
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

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src" / "evenodds"
SEED: Final = 20261118
EACH: Final = 20
TIMEOUT_S: Final = 900
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
    "claims": ["claims", "study"],
    "matrix": ["test_matrix.py"],
    "envs": ["adapters"],
    "kernels": ["kernels", "solver", "simplex"],
    "graph": ["graph", "solver", "policy"],
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


def put_in(one: dict[str, Any]) -> bool:
    """Write the fault into the file; whether its place is still there."""
    file = ROOT / one["file"]
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.count(one["before"] + one["old"]) != 1:
        return False
    changed = text.replace(one["before"] + one["old"], one["before"] + one["new"])
    file.write_text(changed, encoding="utf-8")
    return True


def is_caught(package: str) -> tuple[bool, str]:
    """Whether a test of the package fails, and which."""
    folders = [str(ROOT / "tests" / name) for name in TESTS.get(package, [package])]
    folders = [name for name in folders if Path(name).exists()]
    marks = "not browser and not database"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", marks, "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *folders],
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


def main() -> None:
    """Draw, or put each fault in, test, and take it out again."""
    faults_file = Path(sys.argv[2])
    if sys.argv[1] == "draw":
        faults_file.write_text(json.dumps(draw(), indent=1) + "\n", encoding="utf-8")
        return
    result, wanted = Path(sys.argv[3]), sys.argv[4:]
    done = json.loads(result.read_text()) if result.exists() else {}
    for number, one in enumerate(json.loads(faults_file.read_text(encoding="utf-8"))):
        if str(number) in done or (wanted and one["package"] not in wanted):
            continue
        file = ROOT / one["file"]
        original = file.read_text(encoding="utf-8") if file.exists() else ""
        if not put_in(one):
            done[str(number)] = {"caught": None, "by": "its place is gone"}
            continue
        began = time.monotonic()
        try:
            caught, by = is_caught(one["package"])
        finally:
            file.write_text(original, encoding="utf-8")
        seconds = round(time.monotonic() - began, 1)
        done[str(number)] = {"package": one["package"], "caught": caught, "by": by, "s": seconds}
        result.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        line = f"{number} {one['package']} {one['file']}:{one['line']} {caught} {by} {seconds}"
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
