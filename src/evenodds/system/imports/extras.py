"""Optional dependencies: an import error that names the command to install them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from evenodds.system.errors import EvenOddsError


class MissingExtra(EvenOddsError, ImportError):
    """An optional dependency is not installed; the message names the command that installs it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """For imports of an extra: turns their failure into `MissingExtra`."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "evenodds":
            raise
        problem = f"this needs {error.name}, which is not installed; add it with: {_command(extra)}"
        raise MissingExtra(problem) from None


def _command(extra: str) -> str:
    """`make` in a checkout, `pip` elsewhere."""
    checkout = os.path.join(os.path.dirname(__file__), *[os.pardir] * 4)
    if os.path.exists(os.path.join(checkout, "scripts", "setup.sh")):
        return "make setup"
    return f'pip install "evenodds[{extra}]"'
