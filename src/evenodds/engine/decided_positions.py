"""Which pick is made in decided positions where both pick at once: the one with the best prospects.

In a lost position every mix is optimal, so the choice costs nothing. It is the pick with the
highest expected score, a draw counting half, if the other seat picks any number alike for the rest
of the match while the seat itself plays on as `Solution.mix` says. In a won position it is, among
the picks that win whatever the other picks, the one with the fewest expected rounds, likewise. Ties
go to the smallest number.

Rulings with more than a million positions keep the selected mix here too: this may take minutes
there. Games of turns do nearly the same (`winning_picks`).

`fill_decided` runs over lists for one position after the other, without NumPy or a compiler, as far
as they matter to the one that is asked for; `strategies` has it run over all positions of a graph.
"""

from itertools import chain
from math import inf
from threading import Lock
from typing import Any, Final

from evenodds.core.vocabulary import PASS, SEATS, Outcome, Seat
from evenodds.engine.game_functions import kernel
from evenodds.figures import VALUE_TOLERANCE

MAX_LOST_VALUE: Final = VALUE_TOLERANCE - 1
"""The highest value, to the seat itself, of a position that counts as lost; won by symmetry."""
MAX_DECIDED_POSITIONS: Final = 1_000_000
"""The most positions of a game whose decided positions are played in this way."""
SCORE_DIGITS: Final = 9
"""Scores are compared after rounding: every machine names the same pick."""


@kernel
def fill_decided(
    worths: Any, places: Any, targets: Any, seat: int, scores: Any, mixes: Any
) -> None:
    """Fill in the scores of positions, and in place of a mix the pick where they are decided.

    The score of a won position is less the expected rounds, that of any other what is expected,
    from -1 to 1; of `targets` they are known where they matter. `worths` are to the seat itself. A
    won position keeps its mix where by rounding no single pick wins for sure.
    """
    for row in range(len(places)):
        worth, lines, mix = worths[places[row]], targets[row], mixes[row]
        is_won, is_lost = worth >= -MAX_LOST_VALUE, worth <= MAX_LOST_VALUE
        replies = len(lines) if seat else len(lines[0])
        best, most, score, expected = 0, -inf, -inf, 0.0
        for pick in range(len(mix)):
            total = 0.0
            for reply in range(replies):
                target = lines[reply][pick] if seat else lines[pick][reply]
                if (worths[target] >= -MAX_LOST_VALUE) == is_won:
                    total += scores[target]
                else:
                    total += -inf if is_won else 1.0
            mean = total / replies
            expected += mix[pick] * mean if mix[pick] > 0 else 0.0
            if round(mean, SCORE_DIGITS) > most:
                best, most, score = pick, round(mean, SCORE_DIGITS), mean
        scores[places[row]] = score - 1 if is_won else score if is_lost else expected
        if is_lost or (is_won and most > -inf):
            for pick in range(len(mix)):
                mix[pick] = 1.0 if pick == best else 0.0


class DecidedPlay:
    """The picks of a seat in the decided positions of a solution; what was computed is kept."""

    def __init__(self, solution: Any, seat: Seat) -> None:
        self._solution, self._game, self._seat = solution, solution.game, seat
        self._worths: dict[Any, float] = {}
        self._scores: dict[Any, float] = {}
        self._picks: dict[Any, int] = {}
        self._lock = Lock()

    def pick(self, state: Any) -> int | None:
        """The pick in a decided position; None if by rounding no single pick wins for sure."""
        with self._lock:  # threads may share a solution
            self._score_all_below(state)
        return self._picks.get(state)

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
                first, second = (self._game.picks(place, seat) for seat in SEATS)
                step, is_won = self._game.step, self._is_won(place)
                after[place] = [[step(place, (one, two)) for two in second] for one in first]
                children = dict.fromkeys(chain.from_iterable(after[place]))
                alike = [child for child in children if self._is_won(child) == is_won]
                waiting += [c for c in alike if self._game.outcome(c) == Outcome.ONGOING]

    def _score(self, state: Any, after: list[list[Any]]) -> None:
        known, picks = self._worths, self._game.picks(state, self._seat)
        places = dict.fromkeys([state, *chain.from_iterable(after)])
        places |= {each: place for place, each in enumerate(places)}
        targets = [[places[child] for child in line] for line in after]
        scores = [self._scores.get(s, 0.0 if self._is_won(s) else known[s]) for s in places]
        is_decided = abs(known[state]) >= -MAX_LOST_VALUE
        mix = {} if is_decided else self._solution.punishing_mix(state, self._seat) or {PASS: 1.0}
        mixes = [[mix.get(pick, 0.0) for pick in picks]]
        fill_decided([known[s] for s in places], [0], [targets], self._seat, scores, mixes)
        self._scores[state] = scores[0]
        if 1.0 in mixes[0]:
            self._picks[state] = picks[mixes[0].index(1.0)]

    def _is_won(self, state: Any) -> bool:
        if state not in self._worths:
            self._worths[state] = self._solution.value(state, self._seat)
        return self._worths[state] >= -MAX_LOST_VALUE
