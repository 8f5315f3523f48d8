"""System packages that tests use for real, and what becomes of a test where one is missing."""

import os
from typing import NoReturn

import pytest


def missing(part: str) -> NoReturn:
    """Skip a test whose part of the machine is not there, and say which.

    Where everything must run it fails instead: in CI, and as root, who can install it.
    """
    reason = f"{part} is missing; `make test` says in its first lines how to add it"
    if os.environ.get("CI", "false") not in ("", "false", "0") or os.getuid() == 0:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
