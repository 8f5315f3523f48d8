"""Verification of sealed picks against their commitments."""

from typing import NamedTuple

from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import MatchText, Token, read_match, seals, split_matches
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


def _verify(match_text: MatchText) -> Verified:
    match, words = read_match(match_text), [word for word in match_text.tokens if word.is_seals]
    if "Sealed" not in match_text.tags:
        return Verified(match, 0)
    id = match_text.tags["Sealed"].text
    unplayed = seals.read_unplayed(words[-1].text) if words else None
    last = words.pop() if unplayed else match_text.start
    if len(words) != len(match.history):
        rounds = f"there are {len(words)} pairs of seals for {len(match.history)} rounds"
        raise (words or [match_text.start])[-1].bad(rounds)
    commitments = [
        _check_round(match, word, id, round, picks)
        for round, (word, picks) in enumerate(zip(words, match.history, strict=True), 1)
    ]
    summary = ""
    if unplayed:
        one, two = (revealed.commitment if revealed else "" for revealed in unplayed)
        commitments.append((one, two))
        summary = _unplayed_summary(match, last, id, unplayed)
    return Verified(match, len(SEATS) * len(words), tuple(commitments), summary)


def _check_round(match: Match, word: Token, id: str, round: int, picks: Pair) -> tuple[str, str]:
    """The commitments of a round, which its picks match."""
    sealed = seals.read_seals(word.text)
    if sealed is None:
        raise word.bad("seals are written {COMMITMENT:SALT,COMMITMENT:SALT}")
    for seat, seal in zip(SEATS, sealed, strict=True):
        if not seals.fits_commitment(id, seat, round, picks[seat], seal):
            name = match.names[seat]
            raise word.bad(f"{name} did not promise {picks[seat]} in round {round}")
    return sealed[0].commitment, sealed[1].commitment


def _unplayed_summary(match: Match, word: Token, id: str, unplayed: seals.Unplayed) -> str:
    """A sentence on the commitments of the last round; `BadNotation` for a wrong result."""
    result, round = match.result, match.round
    loser = result.loser if result and result.reason in ("forfeit", "time") else None
    sentences = []
    for seat, revealed in zip(SEATS, unplayed, strict=True):
        if revealed is None:
            continue
        name, fault = match.names[seat], _fault(match, id, seat, revealed)
        if seat == loser and not fault:
            said = f"{name} showed {revealed.number} in round {round} as promised, yet lost"
            raise word.bad(said)
        sentences.append(f"{name} {fault or f'showed {revealed.number}, as promised'}")
    return f"Round {round} was not played: {'; '.join(sentences)}."


def _fault(match: Match, id: str, seat: Seat, revealed: seals.UnplayedCommitment) -> str:
    """What is wrong with what a seat revealed in the last round; empty if nothing is."""
    commitment, number, salt = revealed
    if number is None:
        return "promised a number and did not show it"
    if not seals.fits_commitment(id, seat, match.round, number, seals.Seal(commitment, salt)):
        return f"showed {number}, which was not promised"
    try:
        Match.rebuild(match.record._replace(end=None)).check(seat, number)
    except IllegalPick:
        return f"promised {number}, which the rules do not allow"
    return ""
