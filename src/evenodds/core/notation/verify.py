"""Verification of sealed picks against their commitments, and of draws against their seed."""

import re
from typing import Final, NamedTuple

from evenodds.core import luck
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import MatchText, Token, read_match, seals, split_matches
from evenodds.core.vocabulary import SEATS, Pair, Seat

DICE: Final = re.compile(r"([A-Za-z0-9_-]{1,16}):([0-9a-f]{64})(?::([0-9a-f]{1,64}))?")


class Verified(NamedTuple):
    """A match whose sealed picks all match their commitments, and how many there are."""

    match: Match
    picks: int
    commitments: tuple[tuple[str, str], ...] = ()
    """The commitments of both seats by round; the last round may not have been played."""
    unplayed: str = ""
    """A sentence on the commitments of a last round that was not played; empty if none."""
    dice: luck.Dice | None = None
    """The seed that all draws follow from; without it while the match is open."""


def verify_all(text: str) -> list[Verified]:
    """Every match of a text; `BadNotation` at the first pick that fails its commitment."""
    return [_verify(match_text) for match_text in split_matches(text)]


def _verify(match_text: MatchText) -> Verified:
    match, words = read_match(match_text), [word for word in match_text.tokens if word.is_seals]
    dice = _check_dice(match, match_text) if "Dice" in match_text.tags else None
    if "Sealed" not in match_text.tags:
        return Verified(match, 0, dice=dice)
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
    return Verified(match, len(SEATS) * len(words), tuple(commitments), summary, dice)


def fair_draws(match: Match, seed: str) -> tuple[tuple[int, ...], ...]:
    """The draws that follow from a seed, up to the first that are not those of the match."""
    fair = Match(match.terms, seed=seed)
    for (picks, _), drawn in zip(match.rounds, match.draws, strict=False):
        if fair.drawn != drawn:
            break
        fair.play(picks)
    return fair.draws


def _check_dice(match: Match, match_text: MatchText) -> luck.Dice:
    """The seed, which fits its commitment and from which every draw follows."""
    tag = match_text.tags["Dice"]
    found = DICE.fullmatch(tag.text)
    if not found:
        raise tag.bad("dice are written ID:COMMITMENT:SEED")
    dice = luck.Dice(found[1], found[2], found[3] or "")
    if not dice.seed:
        if match.result:
            raise tag.bad("the match is over, and its seed is missing")
        return dice
    if dice.commitment != luck.commitment(dice.match, dice.seed):
        raise tag.bad("the seed is not the one that was promised")
    fair = fair_draws(match, dice.seed)
    round, due = len(fair) - 1, fair[-1]
    if due != match.draws[round]:
        played = [each for each in match_text.tokens if not each.is_seals]
        word = played[round - (not match.draws[0])]
        pairs = zip(due, match.draws[round], re.finditer(r"\(", word.text), strict=False)
        right, wrong, at = next(each for each in pairs if each[0] != each[1])
        said = f"{wrong} was not drawn here: by the seed it is {right}"
        raise word._replace(column=word.column + at.start()).bad(said)
    return dice


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
