"""Who may import what: each package says it in its docstring, and does no more and no less."""

import ast
import re
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

PACKAGE: Final = ROOT / "src" / "evenodds"
GAMES: Final = PACKAGE / "games"
MODULES: Final = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
LIBRARY_HOMES: Final = {
    "alembic": ["server.storage"],
    "asyncpg": ["server.storage"],
    "click": ["cli"],
    "distributed": ["workers"],
    "gymnasium": ["adapters"],
    "httpx": ["client.event_stream", "client.http_client", "system.http_request"],
    "jinja2": ["render"],
    "litestar": ["server"],
    "llvmlite": ["kernels.compiler"],
    "mcp": ["adapters.mcp"],
    "numba": ["kernels.compiler", "kernels.gpu"],
    "numpy": [
        "adapters",
        "arena",
        "gpu",
        "graph",
        "kernels",
        "matrix",
        "simplex",
        "policy",
        "solver",
        "study",
    ],
    "rich": ["app", "terminal"],
    "sqlalchemy": ["server"],
    "textual": ["app"],
    "uvicorn": ["adapters.mcp", "server", "system.http"],
}
"""Where libraries belong that shape a program: play needs none, and core knows none."""
GAME_MODULES_MAY_IMPORT: Final = {
    "__init__": {"core.game"},
    "rules": {"core.rulings", "core.vocabulary", "enum", "math", "typing"},
    "words": {
        "core.board",
        "core.vocabulary",
        "core.words",
        "figures.formatting",
        "math",
        "system.text",
    },
    "claims": {
        "claims.checks",
        "claims.claim",
        "collections.abc",
        "core.vocabulary",
        "core.words",
        "figures.formatting",
        "figures.tolerance",
        "itertools",
        "typing",
    },
}
"""By module of a rule book, beside the modules of the same game that stand before it."""
MAX_MODULES: Final = 12
"""Modules in a folder; more get packages of their own."""
PACKAGES: Final = [
    name
    for name, path in MODULES.items()
    if path.name == "__init__.py" and path.parent not in (PACKAGE, *GAMES.iterdir())
]


@cache
def imported_by(path: Path) -> frozenset[str]:
    """The modules that a file imports, anywhere in it; ours without `evenodds` before them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{path}: imports are absolute"
            assert node.level == 0, f"{path}: imports are absolute"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name.removeprefix("evenodds.") in MODULES else node.module)
    return frozenset(name.removeprefix("evenodds.") for name in found)


def shown(imported: str, package: str) -> str:
    """An import as the docstring of a package says it: the outermost that is not around it."""
    parts = imported.split(".")
    if imported not in MODULES:
        return parts[0]
    around = package.split(".")
    same = 0
    while same < len(around) - 1 and same < len(parts) - 1 and parts[same] == around[same]:
        same += 1
    return ".".join(parts[: same + 1])


def imports_of(package: str) -> set[str]:
    """What the modules of a package import from without it, the standard library left out."""
    found = {
        shown(name, package)
        for module, path in MODULES.items()
        if is_in(module, package)
        for name in imported_by(path)
        if not is_in(name, package)
    }
    return found - sys.stdlib_module_names - {"evenodds"}


def declared_by(package: str) -> set[str]:
    """The names in the paragraph of a docstring that begins with "May import"."""
    said = ast.get_docstring(ast.parse(MODULES[package].read_text())) or ""
    sentences = re.findall(r"^May import ((?:`[^`]+`|[^`.])+)\.", said, re.MULTILINE)
    assert len(sentences) == 1, f"{package} says what it may import, once"
    return set(re.findall(r"`([^`]+)`", sentences[0]))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_what_it_says(package: str) -> None:
    """Other packages of ours, those around and beside it, and libraries, each by its name."""
    assert imports_of(package) == declared_by(package)


def test_libraries_are_imported_where_they_belong() -> None:
    for library, homes in LIBRARY_HOMES.items():
        users = {name for name, path in MODULES.items() if library in map(root, imported_by(path))}
        strays = [name for name in users if not any(is_in(name, home) for home in homes)]
        assert not strays, library
        assert all(any(is_in(name, home) for name in users) for home in homes), library


def root(name: str) -> str:
    """The package of a module; `mcp` of ours is none."""
    return "" if name in MODULES else name.split(".")[0]


def is_in(module: str, package: str) -> bool:
    """Whether a module is a package or in it."""
    return f"{module}.".startswith(f"{package}.")


@pytest.mark.parametrize("game", sorted(path.parent.name for path in GAMES.glob("*/rules.py")))
def test_a_rule_book_stands_on_little(game: str) -> None:
    """The rules on the vocabulary alone, words and claims on the rules; claims may have parts."""
    parts = {path.stem for path in (GAMES / game).glob("*.py")} - GAME_MODULES_MAY_IMPORT.keys()
    before: set[str] = set()
    for name in ("rules", *parts, "claims", "words", "__init__"):
        found = set(imported_by(GAMES / game / f"{name}.py"))
        of_parts = {f"games.{game}.{part}" for part in parts if name == "claims"}
        allowed = GAME_MODULES_MAY_IMPORT["claims" if name in parts else name]
        assert found <= allowed | before | of_parts, name
        if name in ("rules", "words"):
            before.add(f"games.{game}.{name}")


def test_no_folder_is_crowded() -> None:
    for package in PACKAGES:
        modules = [path for path in MODULES[package].parent.glob("*.py") if path.stem != "__init__"]
        assert len(modules) <= MAX_MODULES, package


def test_nothing_below_the_commands_goes_through_the_root_package() -> None:
    """`from evenodds import solve` would lead around the layers; only the version is there."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert "evenodds" not in [alias.name for alias in node.names], path
            if isinstance(node, ast.ImportFrom) and node.module == "evenodds":
                assert [alias.name for alias in node.names] == ["__version__"], path
