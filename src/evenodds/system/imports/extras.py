"""Optional dependencies: an import error that names the command to install them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.system.errors import EvenOddsError


class MissingExtra(EvenOddsError, ImportError):
    """An optional dependency is not installed; the message names the command that installs it."""


EXTRA_OF_MODULE: Final = {
    "distributed": "cluster",
    "gymnasium": "environments",
    "pettingzoo": "environments",
    "cupy": "gpu",
    "numba_cuda": "gpu",
    "mcp": "mcp",
    "open_spiel": "openspiel",
    "pyspiel": "openspiel",
    "asyncpg": "server",
    "httptools": "server",
    "litestar": "server",
    "prometheus_client": "server",
    "sqlalchemy": "server",
    "uvicorn": "server",
    "uvloop": "server",
    "llvmlite": "solver",
    "numba": "solver",
    "numpy": "solver",
}
"""The extra that installs a module."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """For imports of an extra: turns their failure into `MissingExtra`."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "evenodds":
            raise
        raise _missing(error, extra) from None


@contextmanager
def needs_extras() -> Iterator[None]:
    """For work of any kind: the missing module tells which extra it needs."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRA_OF_MODULE.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        raise _missing(error, extra) from None


def _missing(error: ModuleNotFoundError, extra: str) -> MissingExtra:
    return MissingExtra(
        f"this needs {error.name}, which is not installed; add it with: {_command(extra)}"
    )


def _command(extra: str) -> str:
    """`make` in a checkout, `pip` elsewhere and for what `make` leaves out."""
    checkout = os.path.join(os.path.dirname(__file__), *[os.pardir] * 4)
    if extra != "gpu" and os.path.exists(os.path.join(checkout, "scripts", "setup.sh")):
        return "make setup"
    return f'pip install "evenodds[{extra}]"'
