"""Sealed picks: a hash commitment before, the number and its salt after.

Whoever knows only the hash cannot tell the number, since a salt of chance goes into it; and nobody
finds another number and salt with the same hash. So neither the other player nor a server that
keeps the promises can learn a pick early, and nobody can change one.
"""

import hashlib
import re
import secrets
from typing import Final, NamedTuple

SALT: Final = re.compile(r"[0-9a-f]{32,64}")
COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")


class Seal(NamedTuple):
    """A promise and the salt that opens it."""

    commitment: str
    salt: str


class UnplayedCommitment(NamedTuple):
    """A promise of a round that was never played, and what was shown to open it, if anything."""

    commitment: str
    number: int | None = None
    salt: str = ""


def new_salt() -> str:
    """A salt that nobody can guess."""
    return secrets.token_hex(16)


def commitment(match: str, seat: str, round: int, number: int, salt: str) -> str:
    """SHA-256 over match, seat (`first` or `second`), round, number and salt."""
    return hashlib.sha256(f"{match}:{seat}:{round}:{number}:{salt}".encode()).hexdigest()
