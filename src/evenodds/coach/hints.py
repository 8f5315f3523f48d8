"""A hint: a best mix at a position, what each number is worth there, and why."""

from typing import Final, NamedTuple

from evenodds.coach.pick_values import (
    REPETITION_FORESIGHT_NOTE,
    PickValues,
    evaluate_picks,
    repetition_picks,
)
from evenodds.coach.reasons import explain_picks, is_indifferent
from evenodds.core.match import Match
from evenodds.core.vocabulary import Seat
from evenodds.engine.solution import Solution
from evenodds.figures import VALUE_TOLERANCE, percent

OTHER_MIXES_NOTE: Final = "Other ways to vary are equally good; this is one of them."


class Advice(NamedTuple):
    """One number: its share in the named best mix, its expected score, and a description."""

    number: int
    share: float
    worth: float
    said: str


class Hint(NamedTuple):
    """The exact solution of a position for one seat."""

    score: float
    advice: tuple[Advice, ...]
    why: list[str]
    alike: bool
    """Whether all numbers are equally good; then all have the same share."""


def hint(match: Match, solution: Solution, seat: Seat) -> Hint | None:
    """A hint for a seat of a match; None where the seat has no pick to make."""
    if not match.choices(seat):
        return None
    state = match.state
    values = evaluate_picks(solution, state, seat, repetition_picks(match, seat))
    alike = is_indifferent(values)
    shares = dict.fromkeys(values.scores, 1 / len(values.scores)) if alike else values.mix
    advice = [
        Advice(number, shares.get(number, 0.0), worth, _describe_number(values, number))
        for number, worth in values.scores.items()
    ]
    said = explain_picks(values)
    if solution.game.simultaneous and not alike and not solution.is_only_mix(state, seat):
        said.append(OTHER_MIXES_NOTE)
    if match.due():
        said.append(REPETITION_FORESIGHT_NOTE)
    return Hint(values.score, tuple(advice), said, alike)


def _describe_number(values: PickValues, number: int) -> str:
    """The value of a number in words: its score; in games of turns the result and distance."""
    worth, game = values.scores[number], values.solution.game
    if game.simultaneous:
        return f"scores {percent(worth)}"
    if number in values.repetition.made:
        return "draws by repetition"
    if number in values.repetition.allowed:
        return "lets your opponent draw by repetition"
    picks = values.distance_after(number)
    if worth > 1 - VALUE_TOLERANCE:
        return "wins at once" if picks == 1 else f"wins in {picks} picks"
    if worth < VALUE_TOLERANCE:
        return "loses at once" if picks == 1 else f"loses in {picks} picks"
    return "keeps the game even" if game.loops else "draws"
