"""Imports: those of a package that wait for their first use, and optional dependencies.

It is loaded with every start.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from evenodds.system import EvenOddsError

EXTRAS: Final = {
    "cluster": "distributed",
    "environments": "gymnasium pettingzoo",
    "gpu": "cupy numba_cuda",
    "mcp": "mcp",
    "openspiel": "open_spiel pyspiel",
    "server": "asyncpg httptools litestar prometheus_client sqlalchemy uvicorn uvloop",
    "solver": "llvmlite numba numpy scipy",
}
"""The modules that each extra installs."""


class MissingExtra(EvenOddsError, ImportError):
    """An optional dependency is not installed; the message names the command that installs it."""


@contextmanager
def needs(extra: str | None = None) -> Iterator[None]:
    """Turn the failure of an import into `MissingExtra`: of that extra, or that of the module."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").split(".")[0]
        known = (name for name, modules in EXTRAS.items() if module in modules.split())
        found = extra or next(known, None)
        if found is None or module == "evenodds":
            raise
        raise MissingExtra(
            f"this needs {error.name}, which is not installed; add it with: {_command(found)}"
        ) from None


def lazy_names(package: str, file: str) -> tuple[Callable[[str], Any], list[str]]:
    """A `__getattr__` for a package whose stub file lists what it offers, and these names.

    So a package is a facade over modules that are slow to import, and is fast to import itself.
    What has been found once is an attribute like any other.
    """
    homes = {}
    with open(file.removesuffix("c") + "i", encoding="utf-8") as stub:
        for line in stub:
            if line.startswith("from "):
                _, module, _, name, *_ = line.split()
                homes[name] = module

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with needs():
            home = import_module(homes[name])
            if not hasattr(home, name):  # a module in it, which is an attribute once imported
                import_module(f"{homes[name]}.{name}")
            found = getattr(home, name)
        setattr(sys.modules[package], name, found)
        return found

    return find, sorted(homes)


def _command(extra: str) -> str:
    """`make` in a checkout, `pip` elsewhere and for what `make` leaves out."""
    checkout = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3)
    if extra != "gpu" and os.path.exists(os.path.join(checkout, "scripts", "setup.sh")):
        return "make setup"
    return f'pip install "evenodds[{extra}]"'
