"""What chance draws in a match: a fixed function of a seed, so that anybody can check it later.

The draws of a match are numbered from 0. A draw taken back comes again, and every machine draws
the same from one seed. A server commits to the seed before the first draw and shows it at the end;
in notation both stand in a tag, `[Dice "ID:COMMITMENT:SEED"]`.
"""

from collections.abc import Mapping
from itertools import accumulate
from os import urandom
from typing import Final, NamedTuple

SEED_BYTES: Final = 16


class Dice(NamedTuple):
    """The ID of a match, SHA-256 of it with the seed, and the seed once the match is over."""

    match: str
    commitment: str
    seed: str = ""


def commitment(match: str, seed: str) -> str:
    """SHA-256 over match and seed."""
    from hashlib import sha256  # only games with chance need it

    return sha256(f"{match}:{seed}".encode()).hexdigest()


def new_seed() -> str:
    """A seed that nobody can guess."""
    return urandom(SEED_BYTES).hex()


def draw(seed: str, count: int, weights: Mapping[int, int]) -> int:
    """One of some numbers with whole weights: draw number `count` of a match.

    The remainder of 256 bits favours no number by more than one part in 2^200.
    """
    from hashlib import sha256

    hashed = sha256(f"{seed} {count}".encode()).digest()
    place = int.from_bytes(hashed, "big") % sum(weights.values())
    sums = zip(weights, accumulate(weights.values()), strict=True)
    return next(number for number, total in sums if place < total)
