"""Seat tokens and match ids: random generation, and the hashes that are stored."""

import hashlib
import re
import secrets
from typing import Final

from evenodds.system.ids import ID_ALPHABET

TOKEN_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""What a token looks like, made here or by whoever takes a seat with it."""


def new_token() -> str:
    """A token or an invitation that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a match: public, and not to be counted through."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(10))


def hashed(token: str) -> str:
    """How a token is kept: it has 192 bits of chance, so that a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
