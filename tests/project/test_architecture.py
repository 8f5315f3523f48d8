"""The layout of the project: what may be committed, what is documented."""

import ast
import re
from importlib import import_module
from typing import Final

import pytest

from tests.support.paths import ROOT, TESTS

PACKAGE: Final = ROOT / "src" / "evenodds"
MAX_PLAN_LINES: Final = 200
MAX_PLAN_COLUMNS: Final = 120


def test_pinned_versions_hold_no_address() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text(), path


def test_every_module_is_on_the_plan() -> None:
    """docs/architecture.md has an entry for each package, which names its modules and packages."""
    plan = (ROOT / "docs" / "architecture.md").read_text()
    assert len(plan.splitlines()) <= MAX_PLAN_LINES
    assert max(map(len, plan.splitlines())) <= MAX_PLAN_COLUMNS
    entries = dict(re.findall(r"^- `(\w+)`: (.+(?:\n  .+)*)", plan, re.MULTILINE))
    packages = {path.parent.name: path.parent for path in PACKAGE.glob("*/__init__.py")}
    assert entries.keys() == packages.keys()
    for name in packages.keys() - {"games"}:  # whose packages are the rule books, all alike
        modules = {path.stem for path in packages[name].glob("*.py")} - {"__init__"}
        inner = {f"{path.parent.name}/" for path in packages[name].glob("*/__init__.py")}
        assert {one for one in modules | inner if f"`{one}`" not in entries[name]} == set(), name


def test_every_package_says_what_it_holds() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text())), path


def test_tests_mirror_the_packages() -> None:
    """Every package has a folder of tests of its name, and no other is there."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    folders = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert folders == packages | {"project"}
    for path in TESTS.glob("test_*.py"):  # tests of a module that is in no package
        assert (PACKAGE / path.name.removeprefix("test_")).exists(), path


@pytest.mark.parametrize("package", ["graph", "kernels", "policy", "solver"])
def test_every_name_of_a_facade_is_found(package: str) -> None:
    """What type checkers are told and what is imported when it is asked for are the same names."""
    module = import_module(f"evenodds.{package}")
    path = PACKAGE / package / "__init__.py"
    imports = [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{module.__name__}.")
    ]
    assert imports
    for node in imports:
        for alias in node.names:
            told = getattr(import_module(str(node.module)), alias.name)
            assert getattr(module, alias.name) is told, alias.name
