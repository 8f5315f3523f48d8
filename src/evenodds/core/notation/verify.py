"""Verification of sealed picks against their commitments."""

from typing import NamedTuple

from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation.parser import read_match
from evenodds.core.notation.seals import (
    Seal,
    Unplayed,
    UnplayedCommitment,
    commitment,
    is_seals,
    read_seals,
    read_unplayed,
)
from evenodds.core.notation.tokenizer import MatchText, Token, split_matches
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import SEATS, Pair, Seat


class Verified(NamedTuple):
    """A match whose sealed picks all match their commitments, and how many there are."""

    match: Match
    picks: int
    commitments: tuple[tuple[str, str], ...] = ()
    """The commitments of both seats by round; the last round may not have been played."""
    unplayed: str = ""
    """A sentence on the commitments of a last round that was not played; empty if none."""


def verify_all(text: str) -> list[Verified]:
    """Every match of a text; `BadNotation` at the first pick that fails its commitment."""
    return [_verify(match_text) for match_text in split_matches(text)]


def fits_commitment(match: str, seat: Seat, round: int, number: int, seal: Seal) -> bool:
    """Whether a number matches the commitment of a seat for a round."""
    named = str(SEAT_NAMES[seat])
    return commitment(match, named, round, number, seal.salt) == seal.commitment


def _verify(match_text: MatchText) -> Verified:
    match, words = read_match(match_text), [word for word in match_text.tokens if is_seals(word)]
    if "Sealed" not in match_text.tags:
        return Verified(match, 0)
    id = match_text.tags["Sealed"].text
    unplayed = read_unplayed(words[-1]) if words else None
    last = words.pop() if unplayed else match_text.start
    if len(words) != len(match.history):
        rounds = f"there are {len(words)} pairs of seals for {len(match.history)} rounds"
        raise (words or [match_text.start])[-1].bad(rounds)
    seals = tuple(map(read_seals, words))
    for round, (word, pair, picks) in enumerate(zip(words, seals, match.history, strict=True), 1):
        _check_round(match, word, id, round, pair, picks)
    commitments = [(one.commitment, two.commitment) for one, two in seals]
    if not unplayed:
        return Verified(match, len(SEATS) * len(words), tuple(commitments))
    one, two = (revealed.commitment if revealed else "" for revealed in unplayed)
    summary = _unplayed_summary(match, last, id, unplayed)
    return Verified(match, len(SEATS) * len(words), (*commitments, (one, two)), summary)


def _check_round(
    match: Match, word: Token, id: str, round: int, seals: tuple[Seal, Seal], picks: Pair
) -> None:
    for seat, seal in zip(SEATS, seals, strict=True):
        if not fits_commitment(id, seat, round, picks[seat], seal):
            name = match.names[seat]
            raise word.bad(f"{name} did not promise {picks[seat]} in round {round}")


def _unplayed_summary(match: Match, word: Token, id: str, unplayed: Unplayed) -> str:
    """A sentence on the commitments of the last round; `BadNotation` for a wrong result."""
    result, round = match.result, len(match.history) + 1
    loser = result.loser if result and result.reason in ("forfeit", "time") else None
    sentences = []
    for seat, revealed in zip(SEATS, unplayed, strict=True):
        if revealed is None:
            continue
        name, fault = match.names[seat], _fault(match, id, seat, revealed)
        if seat == loser and not fault:
            raise word.bad(
                f"{name} showed {revealed.number} in round {round} as promised, yet lost"
            )
        sentences.append(f"{name} {fault or f'showed {revealed.number}, as promised'}")
    return f"Round {round} was not played: {'; '.join(sentences)}."


def _fault(match: Match, id: str, seat: Seat, revealed: UnplayedCommitment) -> str:
    """What is wrong with what a seat revealed in the last round; empty if nothing is."""
    if revealed.number is None:
        return "promised a number and did not show it"
    round = len(match.history) + 1
    if not fits_commitment(
        id, seat, round, revealed.number, Seal(revealed.commitment, revealed.salt)
    ):
        return f"showed {revealed.number}, which was not promised"
    before = Match.rebuild(match.record._replace(end=None))
    try:
        before.check(seat, revealed.number)
    except IllegalPick:
        return f"promised {revealed.number}, which the rules do not allow"
    return ""
