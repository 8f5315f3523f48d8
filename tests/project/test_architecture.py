"""The layout of the project: what may be committed, what is documented, who may import what."""

import ast
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT, TESTS

PACKAGE: Final = ROOT / "src" / "evenodds"
RULE_BOOKS: Final = list(PACKAGE.glob("games/*/rules.py"))
RULES_MAY_IMPORT: Final = {
    "enum",
    "math",
    "typing",
    "evenodds.core.rulings",
    "evenodds.core.vocabulary",
}
COMPILERS: Final = {
    "kernels/compiler/cache.py",
    "kernels/compiler/compile.py",
    "kernels/compiler/reporting.py",
}
"""The modules that may import Numba: they compile, keep what is compiled, and tell of it."""
WITHOUT_NUMPY: Final = ("core", "games", "system", "render", "client", "coach", "cli", "terminal")


def imported_by(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{path}: imports are absolute"
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(node.module)
    return found


def test_nothing_below_the_commands_goes_through_the_root_package() -> None:
    """`from evenodds import solve` would lead around the layers; only the version is there."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "evenodds":
                assert [alias.name for alias in node.names] == ["__version__"], path


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


@pytest.mark.parametrize("game", sorted(path.parent.name for path in RULE_BOOKS))
def test_rules_import_nothing_else(game: str) -> None:
    """A rule book stands on the vocabulary and the rulings alone."""
    assert imported_by(PACKAGE / "games" / game / "rules.py") <= RULES_MAY_IMPORT


def test_numba_is_imported_where_loops_are_compiled() -> None:
    """And nowhere else."""
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(name.split(".")[0] in ("numba", "llvmlite") for name in imported_by(path))
    }
    assert found == COMPILERS


@pytest.mark.parametrize("package", ["graph", "kernels", "policy", "solver"])
def test_every_name_of_a_facade_is_found(package: str) -> None:
    """What type checkers are told and what is imported when it is asked for are the same names."""
    module = import_module(f"evenodds.{package}")
    for name in module.__all__:
        assert getattr(module, name) is not None, name


def test_play_needs_no_numpy() -> None:
    """The packages that people meet first import it nowhere."""
    for name in WITHOUT_NUMPY:
        for path in (PACKAGE / name).rglob("*.py"):
            assert not any(each.split(".")[0] == "numpy" for each in imported_by(path)), path
