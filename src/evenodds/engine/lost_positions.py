"""Which pick is made in a lost position where both pick at once: the one with the best chances.

In a lost position every mix is optimal, so the choice costs nothing. It is the pick with the
highest expected score, a draw counting half, if the other seat picks any number alike for the rest
of the match while the seat itself plays on as `Solution.mix` says: for the best chance as long as
the position is lost, and by the selected mix once it is not. Ties go to the smallest number.

Rulings with more than a million positions keep the selected mix here too: the best chance may take
minutes there. Games of turns do the same (`winning_picks`).
"""

from operator import mul
from threading import Lock
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Seat, other
from evenodds.figures import VALUE_TOLERANCE

MAX_LOST_VALUE: Final = VALUE_TOLERANCE - 1
"""The highest value, to the seat itself, of a position that counts as lost."""
MAX_LOST_PLAY_POSITIONS: Final = 1_000_000
"""The most positions of a game whose lost positions are played for the best chance."""
CHANCE_DIGITS: Final = 9
"""Chances are compared after rounding: every machine names the same pick."""


class LostPlay:
    """The picks of a seat in the lost positions of a solution; what was computed is kept.

    Scores are from -1 to 1.
    """

    def __init__(self, solution: Any, seat: Seat) -> None:
        self._solution = solution
        self._game = solution.game
        self._seat = seat
        self._chances: dict[Any, list[float]] = {}
        """For open positions that are not won: what each pick scores."""
        self._scores: dict[Any, float] = {}
        self._lock = Lock()

    def best_chance(self, state: Any) -> int:
        """The pick with the best chances in a lost position; threads may share a solution."""
        with self._lock:
            self._score_all_below(state)
        ranked = [round(chance, CHANCE_DIGITS) for chance in self._chances[state]]
        picks: tuple[int, ...] = self._game.picks(state, self._seat)
        return picks[ranked.index(max(ranked))]

    def _score_all_below(self, state: Any) -> None:
        """Score a position after all that it leads to; without recursion, for play may be long."""
        after: dict[Any, list[list[Any]]] = {}
        waiting = [state]
        while waiting:
            place = waiting[-1]
            if place in self._chances:
                waiting.pop()
            elif place not in after:
                after[place] = self._after_each_pair(place)
                children = (child for row in after[place] for child in row)
                waiting += [child for child in children if not isinstance(child, float)]
            else:
                self._score(place, after.pop(place))

    def _score(self, state: Any, after: list[list[Any]]) -> None:
        scores = self._scores
        chances = [
            sum(child if isinstance(child, float) else scores[child] for child in row) / len(row)
            for row in after
        ]
        self._chances[state] = chances
        self._scores[state] = max(chances)
        if self._value(state) > MAX_LOST_VALUE:
            mix = self._solution.punishing_mix(state, self._seat) or {PASS: 1.0}
            shares = [mix.get(pick, 0.0) for pick in self._game.picks(state, self._seat)]
            self._scores[state] = sum(map(mul, shares, chances))

    def _after_each_pair(self, state: Any) -> list[list[Any]]:
        """For each pick, after each reply, the score where it is known at once, or the position."""
        own, replies = (self._game.picks(state, seat) for seat in (self._seat, other(self._seat)))
        return [[self._after(state, pick, reply) for reply in replies] for pick in own]

    def _after(self, state: Any, pick: int, reply: int) -> Any:
        picks = (pick, reply) if self._seat == FIRST else (reply, pick)
        child = self._game.step(state, picks)
        if child in self._scores:
            return child
        outcome = self._game.outcome(child)
        if outcome != Outcome.ONGOING:
            return float(outcome if self._seat == FIRST else -outcome)
        return 1.0 if self._value(child) >= -MAX_LOST_VALUE else child

    def _value(self, state: Any) -> float:
        worth: float = self._solution.open_worth(state)
        return worth if self._seat == FIRST else -worth
