"""Sealed picks: a hash commitment before, the number and its salt after.

The commitment is hiding, since a random salt goes into the hash, and binding, since collisions
cannot be found. So neither the other player nor the server can learn a pick before it is revealed,
and its owner cannot change it.
"""

import hashlib
import re
import secrets
from typing import Final, NamedTuple

SALT: Final = re.compile(r"[0-9a-f]{32,64}")
COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")


class Seal(NamedTuple):
    """A commitment, and the salt that opens it."""

    commitment: str
    salt: str


class UnplayedCommitment(NamedTuple):
    """A commitment of a round that was never played, and what was revealed to open it, if any."""

    commitment: str
    number: int | None = None
    salt: str = ""


def new_salt() -> str:
    """A random salt of 128 bits."""
    return secrets.token_hex(16)


def commitment(match: str, seat: str, round: int, number: int, salt: str) -> str:
    """SHA-256 over match, seat (`first` or `second`), round, number and salt."""
    return hashlib.sha256(f"{match}:{seat}:{round}:{number}:{salt}".encode()).hexdigest()
