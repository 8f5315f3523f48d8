"""Sealed picks, and how match notation writes them.

A hash commitment comes before the number and its salt. It is hiding, since a random salt goes into
the hash, and binding, since collisions cannot be found. So neither the other player nor the server
can learn a pick before it is revealed, and its owner cannot change it. In notation commitments and
salts stand in braces after each round:

[Sealed "k7mqw2x9ab"]

3-4 {COMMITMENT:SALT,COMMITMENT:SALT} ...

Where a match ended before its last round was played, the commitments of that round come before the
result, each with the number and the salt that were revealed for it, if any were:

... {COMMITMENT:NUMBER:SALT,COMMITMENT} first
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

from evenodds.core.vocabulary import SEAT_NAMES, Seat

SALT: Final = re.compile(r"[0-9a-f]{32,64}")
COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")
_SEAL = rf"({COMMITMENT.pattern}):({SALT.pattern})"
_SEALS = re.compile(rf"\{{{_SEAL},{_SEAL}\}}")
_UNPLAYED_SEAL = rf"(?:({COMMITMENT.pattern})(?::([0-9]{{1,9}}):({SALT.pattern}))?)?"
_UNPLAYED = re.compile(rf"\{{{_UNPLAYED_SEAL},{_UNPLAYED_SEAL}\}}")


class Seal(NamedTuple):
    """A commitment, and the salt that opens it."""

    commitment: str
    salt: str


class UnplayedCommitment(NamedTuple):
    """A commitment of a round that was never played, and what was revealed to open it, if any."""

    commitment: str
    number: int | None = None
    salt: str = ""


Unplayed = tuple[UnplayedCommitment | None, UnplayedCommitment | None]
"""The commitment of each seat, and what it revealed, in a round that was not played."""


class Sealed(NamedTuple):
    """The ID of the match, the seals of each round, and those of a round that was not played."""

    match: str
    rounds: Sequence[tuple[Seal, Seal]]
    unplayed: Unplayed = (None, None)


def write_seals(seals: tuple[Seal, Seal] | Unplayed) -> str:
    """The seals of a round, or the commitments of one that was not played; empty for none."""
    texts = (":".join(str(part) for part in each or () if part or part == 0) for each in seals)
    return "{" + ",".join(texts) + "}" if any(seals) else ""


def read_seals(text: str) -> tuple[Seal, Seal] | None:
    """The seals in a text; None where they are not well written."""
    found = _SEALS.fullmatch(text)
    return (Seal(found[1], found[2]), Seal(found[3], found[4])) if found else None


def read_unplayed(text: str) -> Unplayed | None:
    """The commitments in a text for a round that was not played; None for other texts."""
    found = _UNPLAYED.fullmatch(text)
    return (_unplayed(*found.group(1, 2, 3)), _unplayed(*found.group(4, 5, 6))) if found else None


def _unplayed(commitment: str, number: str, salt: str) -> UnplayedCommitment | None:
    if not number:
        return UnplayedCommitment(commitment) if commitment else None
    return UnplayedCommitment(commitment, int(number), salt)


def new_salt() -> str:
    """A random salt of 128 bits."""
    return secrets.token_hex(16)


def commitment(match: str, seat: str, round: int, number: int, salt: str) -> str:
    """SHA-256 over match, seat (`first` or `second`), round, number and salt."""
    return hashlib.sha256(f"{match}:{seat}:{round}:{number}:{salt}".encode()).hexdigest()


def fits_commitment(match: str, seat: Seat, round: int, number: int, seal: Seal) -> bool:
    """Whether a number matches the commitment of a seat for a round."""
    named = str(SEAT_NAMES[seat])
    return commitment(match, named, round, number, seal.salt) == seal.commitment
