"""Expected score that picks give away against exact play, cached by position."""

from typing import Any

from evenodds.coach.pick_values import evaluate_picks, repetition_picks
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat
from evenodds.solver import Solution


class Losses:
    """What numbers give away at the positions that have come up, in expected score."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._known: dict[tuple[Any, Seat], dict[int, float]] = {}

    def of(self, match: Match) -> tuple[float, float]:
        """What the picks of each seat gave away in all."""
        given = [0.0, 0.0]
        for rounds, picks in enumerate(match.history):
            for seat in SEATS:
                if picks[seat] != PASS:
                    given[seat] += self._gave(match, rounds, seat)[picks[seat]]
        return (given[FIRST], given[SECOND])

    def _gave(self, match: Match, rounds: int, seat: Seat) -> dict[int, float]:
        """What each number gave away in a round; a draw by repetition that is near counts too."""
        state = match.states[rounds]
        near = repetition_picks(match, seat, rounds)
        if any(near):
            found = evaluate_picks(self._solution, state, seat, near)
            return {number: found.gave(number) for number in found.worths}
        if (state, seat) not in self._known:
            found = evaluate_picks(self._solution, state, seat)
            self._known[state, seat] = {number: found.gave(number) for number in found.worths}
        return self._known[state, seat]
