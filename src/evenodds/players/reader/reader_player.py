"""The reader: predicts a person's picks and exploits them with bounded risk.

In simultaneous rounds it mixes the exact strategy with the best response to its prediction. That
may cost something against a person who predicts the reader; the total in a match is bounded by
MAX_EXPLOITABILITY plus what the person has given away so far. So the best counter-strategy gains no
more than that bound. In games of turns it sets `traps`: among the numbers that give nothing away it
picks the one with the highest expected gain against the person's habit, which costs nothing. In
turns with chance or points, where hardly two numbers are worth the same, it plays exactly.
"""

from copy import deepcopy
from functools import reduce
from itertools import takewhile
from operator import mul
from random import Random
from typing import Final

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, Pair, Seat, State, other
from evenodds.engine.solution import Solution, payoff_rows
from evenodds.figures import VALUE_TOLERANCE
from evenodds.players.player import Player, sample
from evenodds.players.reader.habits import ObservedPick, OpponentModel, Situation
from evenodds.players.reader.memory import ReaderMemory
from evenodds.players.reader.traps import PredictedLine, TrapSearch

MAX_EXPLOITABILITY: Final = 0.05
"""The expected score that the best counter-strategy can win from the reader in a match; in games
about points the share of what is at stake."""

RECENT_ROUNDS: Final = 24
"""Rounds whose predictions are scored when a match is resumed: earlier ones have decayed to almost
nothing, and each needs the exact mix of its position, which is slow."""

Mix = dict[int, float]


class ReaderPlayer(Player):
    """The reader in a seat; it stores what it learned when the match is over, if it has a memory.

    Values are the reader's own. Snapshots of model, risk budget and mix before each
    round allow rounds to be taken back.
    """

    def __init__(
        self, solution: Solution, terms: Terms, seat: Seat, rng: Random, memory: ReaderMemory | None
    ) -> None:
        self._solution = solution
        self._seat = seat
        self._rng = rng
        self._memory = memory
        self._person = other(seat)
        own_name = terms.named and not terms.computer(self._person)
        self._memory_key = (terms.names[self._person] if own_name else "", terms.game.name)
        self._model = memory.load_model(*self._memory_key) if memory else OpponentModel()
        self._asked: set[int] = set()
        """The rounds, counted from 0, in which this instance was asked for a pick."""
        self._states = [solution.start]
        self._history: list[Pair] = []
        self._snapshots: list[tuple[OpponentModel, float, Mix | None]] = []
        self._observed: list[ObservedPick | None] = []  # one for each round
        self._mix: Mix | None = None  # of this round, computed on demand
        self._risk_budget = solution.span * MAX_EXPLOITABILITY  # a score spans 0 to 1

    def pick(self, view: View) -> int:
        """A sample of the mix."""
        return sample(self.mix(view), self._rng)

    def mix(self, view: View) -> Mix:
        """The mix of the reader for a view."""
        self._catch_up(view)
        self._asked.add(len(view.history))
        return self._current_mix()

    def leave(self, view: View) -> None:
        """Store the observations; of an open match nothing, as it is read again when resumed."""
        if self._memory is None or view.result is None or not view.history:
            return
        self._catch_up(view)
        observed = [
            seen if seen.exact is not None else seen._replace(exact=self._exact_mix(state))
            for state, seen in zip(self._states, self._observed, strict=False)
            if seen is not None
        ]
        self._memory.learn(*self._memory_key, observed)

    def _catch_up(self, view: View) -> None:
        """Rewind rounds that were taken back, then observe the new ones."""
        now = view.history
        same = (one == two for one, two in zip(self._history, now, strict=False))
        rounds = sum(takewhile(bool, same))
        if rounds < len(self._history):
            self._model, self._risk_budget, self._mix = self._snapshots[rounds]
            del self._history[rounds:], self._snapshots[rounds:], self._observed[rounds:]
            del self._states[rounds + 1 :]
        draws = view.draws or ((),) * (len(now) + 1)
        if not rounds:
            self._states = [self._drawn(self._solution.start, draws[0])]
        for round in range(rounds, len(now)):
            recent = round >= len(now) - RECENT_ROUNDS
            self._observe_round(now[round], round in self._asked, recent)
            after = self._solution.game.step(self._states[-1], now[round])
            self._states.append(self._drawn(after, draws[round + 1]))

    def _drawn(self, state: State, numbers: tuple[int, ...]) -> State:
        """A position after draws."""
        return reduce(
            lambda at, number: self._solution.game.step(at, (number, PASS)), numbers, state
        )

    def _observe_round(self, picks: Pair, asked: bool, recent: bool) -> None:
        """Learn from a round, and update the risk budget by its actual result.

        Where this reader was not asked (`asked` is False: the match was resumed), the mix and so
        the risk of that round are unknown. The budget is then set to 0, and only what the person
        gives away from here on is risked. Of a round that is not recent only the counts are kept.
        """
        state, number = self._states[-1], picks[self._person]
        self._snapshots.append((deepcopy(self._model), self._risk_budget, self._mix))
        if not asked:
            self._risk_budget = 0.0
        elif PASS not in picks:
            rows = payoff_rows(self._solution.matrix(state), self._seat)
            place = self._solution.game.picks(state, self._person).index(number)
            expected = _expected_payoffs(self._current_mix(), rows)[place]
            self._risk_budget += expected - self._solution.value(state, self._seat)
        seen = None
        if number != PASS:
            exact = self._exact_mix(state) if recent else None
            seen = ObservedPick(self._situation(), exact, number)
            self._model.learn(seen)
        self._observed.append(seen)
        self._history.append(picks)
        self._mix = None

    def _current_mix(self) -> Mix:
        game = self._solution.game
        if self._mix is None and game.simultaneous:
            self._mix = self._exploiting_mix()
        elif self._mix is None and not game.is_combinatorial:
            self._mix = self._solution.mix(self._states[-1], self._seat)
        elif self._mix is None:  # the best trap for the habit
            now = PredictedLine(self._states[-1], self._situation())
            search = TrapSearch(self._solution, self._seat, self._model)
            self._mix = {search.best(now, set(self._states)): 1.0}
        return self._mix

    def _situation(self) -> Situation:
        choices = self._solution.game.picks(self._states[-1], self._person)
        own, theirs = (
            tuple(picks[seat] for picks in self._history if picks[seat] != PASS)
            for seat in (self._person, self._seat)
        )
        return Situation(choices, own, theirs, self._last_outcome())

    def _exact_mix(self, state: State) -> Mix:
        """The exact mix in the place of the person.

        In games of turns all numbers that give nothing away, with the same probability.
        """
        if self._solution.game.simultaneous:
            return self._solution.mix(state, self._person)
        values = self._solution.pick_values(state, self._person)
        least = max(values.values()) - VALUE_TOLERANCE
        best = [number for number, value in values.items() if value > least]
        return dict.fromkeys(best, 1 / len(best))

    def _last_outcome(self) -> int | None:
        """Whether the person gained (1), lost (-1) or neither (0) in the last round."""
        if not self._history:
            return None
        before, now = self._states[-2:]
        gain = self._solution.value(before, self._seat) - self._solution.value(now, self._seat)
        if reward := self._solution.game.reward:
            gain += reward(before, self._history[-1]) * (1 if self._person == FIRST else -1)
        return 0 if abs(gain) < VALUE_TOLERANCE else (1 if gain > 0 else -1)

    def _exploiting_mix(self) -> Mix:
        """The exact mix, with as much of the best response as the risk budget allows."""
        state = self._states[-1]
        rows = payoff_rows(self._solution.matrix(state), self._seat)
        exact = self._solution.mix(state, self._seat)
        predicted = self._model.predict(self._situation(), self._exact_mix(state))
        expected = {number: sum(map(mul, predicted.values(), row)) for number, row in rows.items()}
        best = max(expected, key=lambda number: (expected[number], exact.get(number, 0.0)))
        floor = self._solution.value(state, self._seat) - self._risk_budget
        # The largest share that keeps the worst case within the risk budget: against each number
        # of the person the mix must yield at least the value less the budget.
        limits = [
            (one - floor) / (one - two)
            for one, two in zip(_expected_payoffs(exact, rows), rows[best], strict=True)
            if two < floor - VALUE_TOLERANCE
        ]
        exploit = max(0.0, min([1.0, *limits]))
        mix = {number: (1 - exploit) * share for number, share in exact.items()}
        mix[best] = mix.get(best, 0.0) + exploit
        return mix


def _expected_payoffs(mix: Mix, rows: dict[int, tuple[float, ...]]) -> list[float]:
    """The expected payoff of a mix against each number of the other."""
    columns = zip(*(rows[number] for number in mix), strict=True)
    return [sum(map(mul, mix.values(), column)) for column in columns]
