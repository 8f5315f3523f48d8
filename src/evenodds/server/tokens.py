"""Secrets that open seats: shown once to the one they are for, and kept only as hashes."""

import hashlib
import secrets

from evenodds.text import ALPHABET


def new_token() -> str:
    """A token or an invitation that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a match: public, and not to be counted through."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def hashed(token: str) -> str:
    """How a token is kept: it has 192 bits of chance, so that a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
