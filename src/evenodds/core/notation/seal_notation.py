"""Seals in match notation: commitments and salts in braces after each round.

[Sealed "k7mqw2x9ab"]

3-4 {COMMITMENT:SALT,COMMITMENT:SALT} ...

Where a match ended before its last round was played, the commitments of that round come before the
result, each with the number and the salt that were revealed for it, if any were:

... {COMMITMENT:NUMBER:SALT,COMMITMENT} first
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from evenodds.core.notation.tokenizer import Token
from evenodds.core.seals import COMMITMENT, SALT, Seal, UnplayedCommitment

_SEAL = rf"({COMMITMENT.pattern}):({SALT.pattern})"
_SEALS = re.compile(rf"\{{{_SEAL},{_SEAL}\}}")
_UNPLAYED_SEAL = rf"(?:({COMMITMENT.pattern})(?::([0-9]{{1,9}}):({SALT.pattern}))?)?"
_UNPLAYED = re.compile(rf"\{{{_UNPLAYED_SEAL},{_UNPLAYED_SEAL}\}}")
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
