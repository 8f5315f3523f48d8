"""Which pick is made in decided positions where both pick at once: the one with the best prospects.

In a lost position every mix is optimal, so the choice costs nothing. It is the pick with the
highest expected score, a draw counting half, if the other seat picks any number alike for the rest
of the match while the seat itself plays on as `Solution.mix` says. In a won position it is, among
the picks that win whatever the other picks, the one with the fewest expected rounds, likewise. Ties
go to the smallest number.

Rulings with more than a million positions keep the selected mix here too: this may take minutes
there. Games of turns do nearly the same (`winning_picks`).

Here it is for one position and those after it, without NumPy or a compiler; `strategies` has the
same for all positions of a graph at once.
"""

from math import inf
from operator import mul
from threading import Lock
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Seat, other
from evenodds.figures import VALUE_TOLERANCE

MAX_LOST_VALUE: Final = VALUE_TOLERANCE - 1
"""The highest value, to the seat itself, of a position that counts as lost; won by symmetry."""
MAX_DECIDED_POSITIONS: Final = 1_000_000
"""The most positions of a game whose decided positions are played in this way."""
SCORE_DIGITS: Final = 9
"""Scores are compared after rounding: every machine names the same pick."""


class DecidedPlay:
    """The picks of a seat in the decided positions of a solution; what was computed is kept."""

    def __init__(self, solution: Any, seat: Seat) -> None:
        self._solution, self._game, self._seat = solution, solution.game, seat
        self._scores: dict[Any, float] = {}
        """Of won positions less the expected rounds; of others what is expected, from -1 to 1."""
        self._picks: dict[Any, int] = {}
        self._lock = Lock()

    def pick(self, state: Any) -> int | None:
        """The pick in a decided position; None if by rounding no single pick wins for sure."""
        with self._lock:  # threads may share a solution
            self._score_all_below(state)
        return self._picks[state] if self._scores[state] > -inf else None

    def _score_all_below(self, state: Any) -> None:
        """Score a position after all that it leads to; without recursion, for play may be long."""
        after: dict[Any, list[list[Any]]] = {}
        waiting = [state]
        while waiting:
            place = waiting[-1]
            if place in self._scores:
                waiting.pop()
            elif place in after:
                self._score(place, after.pop(place))
            else:
                after[place] = rows = self._after_each_pair(place)
                waiting += [child for row in rows for child in row if not isinstance(child, float)]

    def _score(self, state: Any, after: list[list[Any]]) -> None:
        known = self._scores
        means = [sum(known.get(child, child) for child in row) / len(row) for row in after]
        picks, ranked = self._game.picks(state, self._seat), [round(x, SCORE_DIGITS) for x in means]
        best, value = ranked.index(max(ranked)), self._value(state)
        self._picks[state], self._scores[state] = picks[best], means[best]
        if value >= -MAX_LOST_VALUE:
            self._scores[state] -= 1
        elif value > MAX_LOST_VALUE:
            mix = self._solution.punishing_mix(state, self._seat) or {PASS: 1.0}
            self._scores[state] = sum(map(mul, [mix.get(pick, 0.0) for pick in picks], means))

    def _after_each_pair(self, state: Any) -> list[list[Any]]:
        """For each pick, after each reply, the score where it is known at once, or the position."""
        own, replies = (self._game.picks(state, seat) for seat in (self._seat, other(self._seat)))
        is_won = self._value(state) >= -MAX_LOST_VALUE
        return [[self._after(state, pick, reply, is_won) for reply in replies] for pick in own]

    def _after(self, state: Any, pick: int, reply: int, is_won: bool) -> Any:
        picks = (pick, reply) if self._seat == FIRST else (reply, pick)
        child = self._game.step(state, picks)
        is_open = self._game.outcome(child) == Outcome.ONGOING
        value = self._value(child)
        if is_won and value < -MAX_LOST_VALUE:
            return -inf
        if is_open and (is_won or value < -MAX_LOST_VALUE):
            return child
        return 0.0 if is_won else float(round(value))

    def _value(self, state: Any) -> float:
        worth: float = self._solution._worth(state)
        return worth if self._seat == FIRST else -worth
