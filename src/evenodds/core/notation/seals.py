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

from evenodds.core.notation.tokenizer import Token

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


def write_seals(seals: tuple[Seal, Seal]) -> str:
    """The seals of a round."""
    return "{" + ",".join(":".join(seal) for seal in seals) + "}"


def write_unplayed(unplayed: Unplayed) -> str:
    """The commitments of a round that was not played; empty where there are none."""
    return "{" + ",".join(map(_write_unplayed_seat, unplayed)) + "}" if any(unplayed) else ""


def _write_unplayed_seat(revealed: UnplayedCommitment | None) -> str:
    if revealed is None:
        return ""
    return revealed.commitment if revealed.number is None else ":".join(map(str, revealed))


def is_seals(token: Token) -> bool:
    """Whether a token holds seals."""
    return token.text.startswith("{")


def read_seals(token: Token) -> tuple[Seal, Seal]:
    """The seals in a token, or `BadNotation`."""
    found = _SEALS.fullmatch(token.text)
    if found is None:
        raise token.bad("seals are written {COMMITMENT:SALT,COMMITMENT:SALT}")
    one, salt, two, second_salt = found.groups()
    return Seal(one, salt), Seal(two, second_salt)


def read_unplayed(token: Token) -> Unplayed | None:
    """The commitments in a token for a round that was not played; None for other tokens."""
    found = _UNPLAYED.fullmatch(token.text)
    if found is None:
        return None
    one, two = (_read_unplayed_seat(*found.groups()[at : at + 3]) for at in (0, 3))
    return one, two


def _read_unplayed_seat(
    commitment: str | None, number: str | None, salt: str | None
) -> UnplayedCommitment | None:
    if commitment is None:
        return None
    return (
        UnplayedCommitment(commitment)
        if number is None
        else UnplayedCommitment(commitment, int(number), salt or "")
    )


def new_salt() -> str:
    """A random salt of 128 bits."""
    return secrets.token_hex(16)


def commitment(match: str, seat: str, round: int, number: int, salt: str) -> str:
    """SHA-256 over match, seat (`first` or `second`), round, number and salt."""
    return hashlib.sha256(f"{match}:{seat}:{round}:{number}:{salt}".encode()).hexdigest()
