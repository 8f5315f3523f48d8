"""The reader: predicts a person's picks and exploits them with bounded risk.

In simultaneous rounds it mixes the exact strategy with the best response to its prediction. That
may cost something against a person who predicts the reader; the total in a match is bounded by
MAX_EXPLOITABILITY plus what the person has given away so far. So the best counter-strategy gains no
more than that bound. In games of turns it sets `traps`: among the numbers that give nothing away it
picks the one with the highest expected gain against the person's habit, which costs nothing.
"""

from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, Pair, Seat, State, other
from evenodds.figures import VALUE_TOLERANCE
from evenodds.players.player import Player
from evenodds.players.reader.habits import ObservedPick, OpponentModel, Situation
from evenodds.players.reader.traps import PredictedLine, TrapSearch

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_EXPLOITABILITY: Final = 0.05
"""The expected score that the best counter-strategy can win from the reader in a match."""

RECENT_ROUNDS: Final = 24
"""Rounds whose predictions are scored when a match is resumed: earlier ones have decayed to almost
nothing, and each needs the exact mix of its position, which is slow."""

Mix = dict[int, float]


class ReaderSnapshot(NamedTuple):
    """The state of the reader before a round."""

    model: OpponentModel
    risk_budget: float
    mix: Mix | None
    picked: tuple[tuple[int, ...], ...]


class PersonPick(NamedTuple):
    """A pick of the person; `exact` is the exact mix there, computed on demand."""

    state: State
    situation: Situation
    exact: Mix | None
    number: int


class ReaderState:
    """The reader's state in a match: the opponent model, and what it may still risk.

    Values are the reader's own, from -1 to 1. Snapshots before each round allow rounds to be taken
    back.
    """

    def __init__(self, solution: "Solution", seat: Seat, model: OpponentModel) -> None:
        self.solution = solution
        self.seat = seat
        self.model = model.copy()
        self.states = [solution.start]
        self.history: list[Pair] = []
        self._snapshots: list[ReaderSnapshot] = []
        self._person_picks: list[PersonPick | None] = []  # one for each round
        self._picked: tuple[tuple[int, ...], ...] = ((), ())  # by each seat
        self._mix: Mix | None = None  # of this round, computed on demand
        self.risk_budget = 2 * MAX_EXPLOITABILITY  # a value spans -1 to 1, a score 0 to 1

    def observe_round(self, picks: Pair, asked: bool = True, recent: bool = True) -> None:
        """Learn from a round, and update the risk budget by its actual result.

        Where this reader was not asked (`asked` is False: the match was resumed), the mix and so
        the risk of that round are unknown. The budget is then set to 0, and only what the person
        gives away from here on is risked.
        """
        state, number = self.states[-1], picks[other(self.seat)]
        before = ReaderSnapshot(self.model.copy(), self.risk_budget, self._mix, self._picked)
        if not asked:
            self.risk_budget = 0.0
        elif PASS not in picks:
            self.risk_budget += self._expected_payoff(number) - self._value(state)
        self._person_picks.append(self._learn_from(number, recent) if number != PASS else None)
        self._snapshots.append(before)
        self.history.append(picks)
        pairs = zip(self._picked, picks, strict=True)
        self._picked = tuple((*past, one) if one != PASS else past for past, one in pairs)
        self.states.append(self.solution.game.step(state, picks))
        self._mix = None

    def _learn_from(self, number: int, recent: bool) -> PersonPick:
        """Learn from a pick of the person; from an old one only the counts."""
        state = self.states[-1]
        seen = PersonPick(
            state, self.situation(), self._exact_mix(state) if recent else None, number
        )
        if seen.exact is None:
            self.model.count(seen.situation, number)
        else:
            self.model.learn(ObservedPick(seen.situation, seen.exact, number))
        return seen

    def rewind(self, rounds: int) -> None:
        """Go back to the state after so many rounds."""
        if rounds < len(self.history):
            self.model, self.risk_budget, self._mix, self._picked = self._snapshots[rounds]
            for kept in (self.history, self._snapshots, self._person_picks):
                del kept[rounds:]
            del self.states[rounds + 1 :]

    def observations(self) -> list[ObservedPick]:
        """All picks of the person, for the memory."""
        return [
            ObservedPick(situation, self._exact_mix(state) if exact is None else exact, number)
            for state, situation, exact, number in filter(None, self._person_picks)
        ]

    def mix(self) -> Mix:
        """The mix of the reader at this position."""
        if self._mix is None:
            rounds = self.solution.game.simultaneous
            self._mix = self._exploiting_mix() if rounds else {self._trap(): 1.0}
        return self._mix

    def situation(self) -> Situation:
        """The situation of the person at this position."""
        person = other(self.seat)
        choices = self.solution.game.picks(self.states[-1], person)
        return Situation(
            choices, self._picked[person], self._picked[self.seat], self._last_outcome()
        )

    def _exact_mix(self, state: State) -> Mix:
        """The exact mix in the place of the person.

        In games of turns all numbers that give nothing away, with the same probability.
        """
        person = other(self.seat)
        if self.solution.game.simultaneous:
            return self.solution.mix(state, person)
        values = self.solution.yields(state, person)
        best = [
            number
            for number, value in values.items()
            if value > max(values.values()) - VALUE_TOLERANCE
        ]
        return dict.fromkeys(best, 1 / len(best))

    def _last_outcome(self) -> int | None:
        """Whether the person gained (1), lost (-1) or neither (0) in the last round."""
        if not self.history:
            return None
        gain = self._value(self.states[-2]) - self._value(self.states[-1])
        return 0 if abs(gain) < VALUE_TOLERANCE else (1 if gain > 0 else -1)

    def _value(self, state: State) -> float:
        value = self.solution.value(state)
        return value if self.seat == FIRST else -value

    def _exploiting_mix(self) -> Mix:
        """The exact mix, with as much of the best response as the risk budget allows."""
        state = self.states[-1]
        rows = self.solution.payoff_rows(state, self.seat)
        exact = self.solution.mix(state, self.seat)
        predicted = self.model.predict(self.situation(), self._exact_mix(state))
        expected = {
            number: sum(s * w for s, w in zip(predicted.values(), row, strict=True))
            for number, row in rows.items()
        }
        best = max(expected, key=lambda number: (expected[number], exact.get(number, 0.0)))
        exact_payoffs = _expected_payoffs(exact, rows)
        exploit = self._exploit_share(exact_payoffs, rows[best], self._value(state))
        mix = {number: (1 - exploit) * share for number, share in exact.items()}
        mix[best] = mix.get(best, 0.0) + exploit
        return mix

    def _exploit_share(
        self, exact_payoffs: list[float], best_payoffs: tuple[float, ...], value: float
    ) -> float:
        """The largest share of the best response that keeps the worst case within the risk budget.

        Against each number of the person the mix must yield at least the value less the budget.
        """
        floor = value - self.risk_budget
        limits = [
            (one - floor) / (one - two)
            for one, two in zip(exact_payoffs, best_payoffs, strict=True)
            if two < floor - VALUE_TOLERANCE
        ]
        return max(0.0, min([1.0, *limits]))

    def _expected_payoff(self, number: int) -> float:
        """The payoff of the reader's mix against the number that the person picked."""
        state = self.states[-1]
        place = self.solution.game.picks(state, other(self.seat)).index(number)
        return _expected_payoffs(self.mix(), self.solution.payoff_rows(state, self.seat))[place]

    def _trap(self) -> int:
        """Among the numbers that give nothing away the best trap for the habit."""
        _, own, theirs, last_outcome = self.situation()
        now = PredictedLine(self.states[-1], own, theirs, last_outcome)
        return TrapSearch(self.solution, self.seat, self.model).best(now, set(self.states))


class ReaderPlayer(Player):
    """The reader in a seat; it stores what it learned when the match is over."""

    def __init__(
        self, solution: "Solution", terms: Terms, seat: Seat, rng: Random, memory: Any
    ) -> None:
        self._seat = seat
        self._rng = rng
        self._memory = memory
        self._asked: set[int] = set()
        """The rounds, counted from 0, in which this instance was asked for a pick."""
        self._memory_key = (_name_of(terms, other(seat)), terms.game.name)
        self._state = ReaderState(solution, seat, memory.load_model(*self._memory_key))

    def pick(self, view: View) -> int:
        """A sample of the mix."""
        mix = self.mix(view)
        return self._rng.choices(tuple(mix), tuple(mix.values()))[0]

    def mix(self, view: View) -> Mix:
        """The mix of the reader for a view."""
        state = self._catch_up(view)
        self._asked.add(len(view.history))
        return state.mix()

    def leave(self, view: View) -> None:
        """Store the observations; of an open match nothing, as it is read again when resumed."""
        if view.result is not None and view.history:
            self._memory.learn(*self._memory_key, self._catch_up(view).observations())

    def _catch_up(self, view: View) -> ReaderState:
        """Rewind rounds that were taken back, then observe the new ones."""
        state, now = self._state, view.history
        same = (one == two for one, two in zip(state.history, now, strict=False))
        state.rewind(sum(takewhile(bool, same)))
        for round in range(len(state.history), len(now)):
            state.observe_round(now[round], round in self._asked, round >= len(now) - RECENT_ROUNDS)
        return state


def _name_of(terms: Terms, seat: Seat) -> str:
    """The name of a person with a name of their own; empty for others."""
    return terms.names[seat] if terms.named and not terms.computer(seat) else ""


def _expected_payoffs(mix: Mix, rows: dict[int, tuple[float, ...]]) -> list[float]:
    """The expected payoff of a mix against each number of the other."""
    width = len(next(iter(rows.values())))
    return [
        sum(share * rows[number][place] for number, share in mix.items()) for place in range(width)
    ]
