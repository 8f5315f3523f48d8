"""An opponent that has seen how a player picks, and responds to it where that is sure to pay.

At each position where the player was seen, the empirical mix, pulled a little towards exact play,
is what is expected of it; the best pick against that is played where it gains more than chance
explains. Everywhere else play is exact, so against exact play next to nothing is risked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from operator import mul
from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import FIRST, PASS, Seat, other
from evenodds.engine.solution import Mix, Solution, payoff_rows

PRIOR_PICKS: Final = 1.0
"""The weight of exact play in what is expected of a player, in picks."""
SURE_ERRORS: Final = 2.5
"""Standard errors that a gain must exceed; three equal answers out of three do."""


class Plan(NamedTuple):
    """What is played at a position, and what it is worth by what is known of the player."""

    mix: Mix
    worth: float


class ExactPlay:
    """The exact values and mixes of a game, as the opponent of a player in a seat sees them."""

    def __init__(self, solution: Solution, seat: Seat) -> None:
        self.solution, self.seat, self.me = solution, seat, other(seat)
        self.mix = cache(self._mix)
        """The exact mix of a seat at a position; PASS where it has nothing to decide."""
        self.rows = cache(lambda state: payoff_rows(solution.matrix(state), self.me))
        """For each own pick what it yields against each pick of the player."""
        self.value = cache(lambda state: solution.value(state, self.me))

    def _mix(self, state: Any, seat: Seat) -> Mix:
        return self.solution.mix(state, seat) or {PASS: 1.0}

    def picks(self, state: Any) -> tuple[int, ...]:
        """The legal picks of the player."""
        return self.solution.game.picks(state, self.seat)

    def gain(self, state: Any, mix: Mapping[int, float], number: int) -> float:
        """What a mix gains over the value of a position if the player picks a number."""
        place, rows = self.picks(state).index(number), self.rows(state)
        return sum(share * rows[pick][place] for pick, share in mix.items()) - self.value(state)

    def loss(self, state: Any, number: int) -> float:
        """What a pick of the player gives away against exact play."""
        yields = self.solution.pick_values(state, self.seat)
        return max(0.0, -self.value(state) - yields[number])


class Responder:
    """The opponent of a player in a seat."""

    def __init__(self, exact: ExactPlay) -> None:
        self._exact = exact
        self._seen: defaultdict[Any, Counter[int]] = defaultdict(Counter)
        self._plans: dict[Any, Plan] = {}

    def learn(self, answers: Iterable[tuple[Any, int]]) -> None:
        """Count what the player has picked at some positions."""
        for state, number in answers:
            self._seen[state][number] += 1
        self._plans.clear()

    def mix(self, state: Any) -> Mix:
        """What is played at a position."""
        return self._plan(state).mix

    def _plan(self, state: Any) -> Plan:
        if state not in self._plans:
            self._plans[state] = self._planned(state)
        return self._plans[state]

    def _planned(self, state: Any) -> Plan:
        exact = self._exact
        theirs, own = (exact.mix(state, seat) for seat in (exact.seat, exact.me))
        seen, picks = self._seen.get(state, Counter[int]()), exact.picks(state)
        if not seen and picks != (PASS,):
            return Plan(own, exact.value(state))
        size = seen.total() + PRIOR_PICKS
        expected = [(seen[pick] + PRIOR_PICKS * theirs.get(pick, 0.0)) / size for pick in picks]
        rows = {pick: self._worths(state, pick) for pick in exact.rows(state)}
        usual = [
            sum(share * rows[pick][place] for pick, share in own.items())
            for place in range(len(picks))
        ]
        worth = sum(map(mul, expected, usual))
        means = {pick: sum(map(mul, expected, row)) for pick, row in rows.items()}
        best = max(means, key=lambda pick: (means[pick], own.get(pick, 0.0)))
        more = [one - two for one, two in zip(rows[best], usual, strict=True)]
        gain = means[best] - worth
        squares = sum(share * each**2 for share, each in zip(expected, more, strict=True))
        doubt = SURE_ERRORS * sqrt(max(0.0, squares - gain**2) / size)
        if gain > doubt + 1e-9:
            return Plan({best: 1.0}, means[best] - doubt)
        return Plan(own, max(worth, exact.value(state)))

    def _worths(self, state: Any, pick: int) -> list[float]:
        """What a pick yields against each of the player's, by what is known of what follows."""
        exact, found = self._exact, []
        for number, worth in zip(exact.picks(state), exact.rows(state)[pick], strict=True):
            pair = (pick, number) if exact.me == FIRST else (number, pick)
            after = exact.solution.game.step(state, pair)
            known = after in self._seen
            found.append(worth + (self._plan(after).worth - exact.value(after) if known else 0.0))
        return found
