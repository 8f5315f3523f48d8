"""Sealed picks held against what was promised."""

from typing import NamedTuple

from evenodds.match import Match
from evenodds.notation.reader import read_match
from evenodds.notation.seals import is_seals, read_seals
from evenodds.notation.tokens import Passage, passages
from evenodds.public import SEAT_NAMES
from evenodds.seals import commitment
from evenodds.vocabulary import SEATS


class Verified(NamedTuple):
    """A match whose sealed picks are all as they were promised, and how many there are."""

    match: Match
    picks: int


def verify_all(text: str) -> list[Verified]:
    """Every match of a text; `BadNotation` at the first pick that is not as it was promised."""
    return [_verify(passage) for passage in passages(text)]


def _verify(passage: Passage) -> Verified:
    match, words = read_match(passage), [word for word in passage.tokens if is_seals(word)]
    if "Sealed" not in passage.tags:
        return Verified(match, 0)
    if len(words) != len(match.history):
        rounds = f"there are {len(words)} pairs of seals for {len(match.history)} rounds"
        raise (words or [passage.start])[-1].bad(rounds)
    id = passage.tags["Sealed"].text
    for round, (word, picks) in enumerate(zip(words, match.history, strict=True), 1):
        for seat, seal in zip(SEATS, read_seals(word), strict=True):
            promised = commitment(id, str(SEAT_NAMES[seat]), round, picks[seat], seal.salt)
            if promised != seal.commitment:
                name = match.names[seat]
                raise word.bad(f"{name} did not promise {picks[seat]} in round {round}")
    return Verified(match, len(SEATS) * len(words))
