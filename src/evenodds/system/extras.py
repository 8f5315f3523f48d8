"""Optional dependencies: an import error that names the command to install them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtra(ImportError):
    """Something is asked for whose libraries are not installed; how to add them."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports that belong to an extra: when they fail, one line says how to add it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "evenodds":
            raise
        problem = f"this needs {error.name}, which is not installed; add it with: {_command(extra)}"
        raise MissingExtra(problem) from None


def _command(extra: str) -> str:
    """From a checkout it is make; anywhere else pip."""
    checkout = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3)
    if os.path.exists(os.path.join(checkout, "scripts", "setup.sh")):
        return "make setup"
    return f'pip install "evenodds[{extra}]"'
