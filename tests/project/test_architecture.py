"""The layout of the project: what may be committed, what is documented."""

import ast
from importlib import import_module
from typing import Final

import pytest

from tests.support.paths import ROOT, TESTS

PACKAGE: Final = ROOT / "src" / "evenodds"


def test_pinned_versions_hold_no_address() -> None:
    """A pin is a name, a version and hashes."""
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text(), path


def test_every_package_is_on_the_plan() -> None:
    """docs/architecture.md has a line for each, and 200 lines at most."""
    plan = (ROOT / "docs" / "architecture.md").read_text()
    assert len(plan.splitlines()) <= 200
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name for name in packages if f"| `{name}` |" not in plan} == set()


def test_every_package_says_what_it_holds() -> None:
    """Its `__init__` begins with it."""
    for path in PACKAGE.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text())), path


def test_tests_mirror_the_packages() -> None:
    """Every package has a folder of tests of its name, and no other is there."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    folders = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert folders == packages | {"project"}
    assert list(TESTS.glob("test_*.py")) == []


@pytest.mark.parametrize("package", ["graph", "kernels", "policy", "solver"])
def test_every_name_of_a_facade_is_found(package: str) -> None:
    """What type checkers are told and what is imported when it is asked for are the same names."""
    module = import_module(f"evenodds.{package}")
    for name in module.__all__:
        assert getattr(module, name) is not None, name
