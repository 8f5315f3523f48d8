"""Seals in notation: after each round, in braces, what each pick was promised by, and its salt.

[Sealed "k7mqw2x9ab"]

3-4 {COMMITMENT:SALT,COMMITMENT:SALT} ...
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from evenodds.notation.tokens import Token
from evenodds.seals import COMMITMENT, SALT, Seal

_SEAL = rf"({COMMITMENT.pattern}):({SALT.pattern})"
_SEALS = re.compile(rf"\{{{_SEAL},{_SEAL}\}}")


class Sealed(NamedTuple):
    """The match that picks were sealed for, and the seals of each round."""

    match: str
    rounds: Sequence[tuple[Seal, Seal]]


def write_seals(seals: tuple[Seal, Seal]) -> str:
    """The seals of a round."""
    return "{" + ",".join(":".join(seal) for seal in seals) + "}"


def is_seals(token: Token) -> bool:
    """Whether a word holds seals."""
    return token.text.startswith("{")


def read_seals(token: Token) -> tuple[Seal, Seal]:
    """The seals in a word, or `BadNotation`."""
    found = _SEALS.fullmatch(token.text)
    if found is None:
        raise token.bad("seals are written {COMMITMENT:SALT,COMMITMENT:SALT}")
    one, salt, two, spice = found.groups()
    return Seal(one, salt), Seal(two, spice)
