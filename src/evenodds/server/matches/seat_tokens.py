"""Seat tokens and match ids: random generation, and the hashes that are stored."""

import hashlib
import re
import secrets
from typing import Final

from evenodds.system.text import ID_ALPHABET

MATCH_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""What a match id can be, of this version or another."""


def new_token() -> str:
    """A random token or invitation."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A random match id: public, but not enumerable."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(10))


def hashed(token: str) -> str:
    """The stored form of a token. It has 192 random bits, so a hash without salt is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
