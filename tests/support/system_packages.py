"""System packages that tests use for real, and what becomes of a test where one is missing."""

import os
from collections.abc import Mapping
from typing import NoReturn

import pytest


def missing(
    part: str, surroundings: Mapping[str, str] = os.environ, user: int | None = None
) -> NoReturn:
    """Skip a test whose part is not there; in CI, and as root, who can install it, fail."""
    reason = f"{part} is missing; `make test` says in its first lines how to add it"
    is_root = (os.getuid() if user is None else user) == 0
    if surroundings.get("CI", "false") not in ("", "false", "0") or is_root:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
