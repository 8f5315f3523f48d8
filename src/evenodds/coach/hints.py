"""A hint: the best mix at a position, what each number is worth there, and why."""

from typing import TYPE_CHECKING, Any, NamedTuple

from evenodds.coach.judgement import judge
from evenodds.coach.reasons import why
from evenodds.text import SURE, percent
from evenodds.vocabulary import Seat, alone

if TYPE_CHECKING:
    from evenodds.solver import Solution


class Advice(NamedTuple):
    """One number: its share in the best mix, what it scores, and that in words."""

    number: int
    share: float
    worth: float
    said: str


class Hint(NamedTuple):
    """What the exact table says of a position to the seat that is asked."""

    score: float
    advice: tuple[Advice, ...]
    why: list[str]


def hint(solution: "Solution", state: Any, seat: Seat) -> Hint | None:
    """A hint for a seat; nothing where it has nothing to decide."""
    found = judge(solution, state, seat)
    if not found.worths:
        return None
    advice = [
        Advice(
            number, found.mix.get(number, 0.0), worth, _said(solution, state, seat, number, worth)
        )
        for number, worth in found.worths.items()
    ]
    return Hint(found.score, tuple(advice), why(solution, state, seat, found))


def _said(solution: "Solution", state: Any, seat: Seat, number: int, worth: float) -> str:
    """What a number comes to: a score; in games of turns its fate, and when."""
    if solution.game.simultaneous:
        return f"scores {percent(worth)}"
    child = solution.game.step(state, alone(seat, number))
    picks = (solution.distance(child) or 0) + 1
    if worth > 1 - SURE:
        return "wins at once" if picks == 1 else f"wins in {picks} picks"
    if worth < SURE:
        return "loses at once" if picks == 1 else f"loses in {picks} picks"
    return "goes on for ever" if solution.game.loops else "draws"
