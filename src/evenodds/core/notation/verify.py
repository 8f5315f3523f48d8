"""Verification of sealed picks against their commitments."""

from typing import NamedTuple

from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation.parser import read_match
from evenodds.core.notation.seal_notation import Unplayed, is_seals, read_seals, read_unplayed
from evenodds.core.notation.tokens import MatchText, Token, split_matches
from evenodds.core.seals import Seal, UnplayedCommitment, commitment
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import SEATS, Pair, Seat


class Verified(NamedTuple):
    """A match whose sealed picks are all as they were promised, and how many there are."""

    match: Match
    picks: int
    promised: tuple[tuple[str, str], ...] = ()
    """What both seats have promised, round by round, the last of which may not have been played."""
    unplayed: str = ""
    """What became of the promises of a last round that was not played, in a sentence."""


def verify_all(text: str) -> list[Verified]:
    """Every match of a text; `BadNotation` at the first pick that is not as it was promised."""
    return [_verify(passage) for passage in split_matches(text)]


def is_promised(match: str, seat: Seat, round: int, number: int, seal: Seal) -> bool:
    """Whether a number is what a seat has promised for a round."""
    named = str(SEAT_NAMES[seat])
    return commitment(match, named, round, number, seal.salt) == seal.commitment


def _verify(passage: MatchText) -> Verified:
    match, words = read_match(passage), [word for word in passage.tokens if is_seals(word)]
    if "Sealed" not in passage.tags:
        return Verified(match, 0)
    id = passage.tags["Sealed"].text
    unplayed = read_unplayed(words[-1]) if words else None
    last = words.pop() if unplayed else passage.start
    if len(words) != len(match.history):
        rounds = f"there are {len(words)} pairs of seals for {len(match.history)} rounds"
        raise (words or [passage.start])[-1].bad(rounds)
    seals = tuple(map(read_seals, words))
    for round, (word, pair, picks) in enumerate(zip(words, seals, match.history, strict=True), 1):
        _check_round(match, word, id, round, pair, picks)
    promised = [(one.commitment, two.commitment) for one, two in seals]
    if not unplayed:
        return Verified(match, len(SEATS) * len(words), tuple(promised))
    one, two = (shown.commitment if shown else "" for shown in unplayed)
    told = _left(match, last, id, unplayed)
    return Verified(match, len(SEATS) * len(words), (*promised, (one, two)), told)


def _check_round(
    match: Match, word: Token, id: str, round: int, seals: tuple[Seal, Seal], picks: Pair
) -> None:
    for seat, seal in zip(SEATS, seals, strict=True):
        if not is_promised(id, seat, round, picks[seat], seal):
            name = match.names[seat]
            raise word.bad(f"{name} did not promise {picks[seat]} in round {round}")


def _left(match: Match, word: Token, id: str, unplayed: Unplayed) -> str:
    """What became of each promise of a last round; `BadNotation` where the result belies it."""
    result, round = match.result, len(match.history) + 1
    blamed = result.loser if result and result.reason in ("forfeit", "time") else None
    told = []
    for seat, shown in zip(SEATS, unplayed, strict=True):
        if shown is None:
            continue
        name, fault = match.names[seat], _fault(match, id, seat, shown)
        if seat == blamed and not fault:
            raise word.bad(f"{name} showed {shown.number} in round {round} as promised, yet lost")
        told.append(f"{name} {fault or f'showed {shown.number}, as promised'}")
    return f"Round {round} was not played: {'; '.join(told)}."


def _fault(match: Match, id: str, seat: Seat, shown: UnplayedCommitment) -> str:
    """What is wrong with what a seat showed in a last round; nothing if it was as promised."""
    if shown.number is None:
        return "promised a number and did not show it"
    round = len(match.history) + 1
    if not is_promised(id, seat, round, shown.number, Seal(shown.commitment, shown.salt)):
        return f"showed {shown.number}, which was not promised"
    before = Match.rebuild(match.record._replace(end=None))
    try:
        before.check(seat, shown.number)
    except IllegalPick:
        return f"promised {shown.number}, which the rules do not allow"
    return ""
