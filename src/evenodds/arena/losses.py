"""Expected score that picks give away against exact play, cached by position."""

from typing import Any

from evenodds.coach.pick_values import evaluate_picks, repetition_picks
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat
from evenodds.solver import Solution


class Losses:
    """The loss of every number at the positions seen so far, in expected score."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._known: dict[tuple[Any, Seat], dict[int, float]] = {}

    def of(self, match: Match) -> tuple[float, float]:
        """The total loss of the picks of each seat."""
        lost = [0.0, 0.0]
        for rounds, picks in enumerate(match.history):
            for seat in SEATS:
                if picks[seat] != PASS:
                    lost[seat] += self._losses_at(match, rounds, seat)[picks[seat]]
        return (lost[FIRST], lost[SECOND])

    def _losses_at(self, match: Match, rounds: int, seat: Seat) -> dict[int, float]:
        """The loss of each number in a round.

        Near a draw by repetition it depends on the history of the match, so it is not cached.
        """
        state = match.states[rounds]
        repetition = repetition_picks(match, seat, rounds)
        if any(repetition):
            found = evaluate_picks(self._solution, state, seat, repetition)
            return {number: found.loss(number) for number in found.scores}
        if (state, seat) not in self._known:
            found = evaluate_picks(self._solution, state, seat)
            self._known[state, seat] = {number: found.loss(number) for number in found.scores}
        return self._known[state, seat]
