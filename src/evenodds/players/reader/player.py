"""The reader: predicts a person's picks and exploits them with bounded risk.

Where both pick at once it mixes the exact strategy with the best answer to what it expects. Each
answer may cost something if the person has seen through it; all that it may cost in a match is the
bound, plus what the person has given away so far. So whoever reads the reader back gains no more
than the bound. In games of turns it sets `traps`: among the numbers that give nothing away it picks
the one after which it expects most from the person's habit, which costs nothing at all.
"""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, Pair, Seat, other
from evenodds.players.player import Player
from evenodds.players.reader.habits import ObservedPick, OpponentModel, Situation
from evenodds.players.reader.traps import PredictedLine, TrapSearch
from evenodds.system.tolerance import VALUE_TOLERANCE

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_EXPLOITABILITY: Final = 0.05
"""The expected score that the best counter-strategy can win from the reader in a match."""

RECENT_ROUNDS: Final = 24
"""Rounds back from which it is learned which habit foretells well, when a match is resumed: what
was foretold earlier than that hardly counts any more, and is dear to work out."""

Mix = dict[int, float]


class ReaderSnapshot(NamedTuple):
    """How the reader stood before a round."""

    knowledge: OpponentModel
    risk: float
    mix: Mix | None
    picked: tuple[tuple[int, ...], ...]


class PersonPick(NamedTuple):
    """A pick of the person, and how exact play picks there, once somebody has asked."""

    state: Any
    situation: Situation
    exact: Mix | None
    number: int


class ReaderState:
    """A match as the reader follows it: what it knows by now, and what it may still risk.

    Values are the reader's own, from -1 to 1. How it stood before each round is kept, for rounds
    may be taken back.
    """

    def __init__(self, solution: "Solution", seat: Seat, knowledge: OpponentModel) -> None:
        self.solution = solution
        self.seat = seat
        self.knowledge = knowledge.copy()
        self.states = [solution.start]
        self.history: list[Pair] = []
        self._before: list[ReaderSnapshot] = []
        self._seen: list[PersonPick | None] = []  # a line for each round, as in the history
        self._picked: tuple[tuple[int, ...], ...] = ((), ())  # by each seat
        self._mix: Mix | None = None  # of this round, once it was asked for
        self.risk = 2 * MAX_EXPLOITABILITY  # a score from 0 to 1 is half of a value from -1 to 1

    def follow(self, picks: Pair, asked: bool = True, lately: bool = True) -> None:
        """One more round: learn from it, and account for what was risked.

        Where the reader was not asked, in another sitting, it is not known any more what was known
        then, and so what was risked. No more is risked from here on than what the person gives
        away.
        """
        state, number = self.states[-1], picks[other(self.seat)]
        before = ReaderSnapshot(self.knowledge.copy(), self.risk, self._mix, self._picked)
        if not asked:
            self.risk = 0.0
        elif PASS not in picks:
            self.risk += self._expected(number) - self._worth(state)
        self._seen.append(self._learned(number, lately) if number != PASS else None)
        self._before.append(before)
        self.history.append(picks)
        made = zip(self._picked, picks, strict=True)
        self._picked = tuple((*past, one) if one != PASS else past for past, one in made)
        self.states.append(self.solution.game.step(state, picks))
        self._mix = None

    def _learned(self, number: int, lately: bool) -> PersonPick:
        """Learn from a pick of the person; of one long ago only that it was picked."""
        state = self.states[-1]
        seen = PersonPick(state, self.situation(), self._exact(state) if lately else None, number)
        if seen.exact is None:
            self.knowledge.count(seen.situation, number)
        else:
            self.knowledge.learn(ObservedPick(seen.situation, seen.exact, number))
        return seen

    def go_back(self, rounds: int) -> None:
        """Stand as before all but so many rounds."""
        if rounds < len(self.history):
            self.knowledge, self.risk, self._mix, self._picked = self._before[rounds]
            for kept in (self.history, self._before, self._seen):
                del kept[rounds:]
            del self.states[rounds + 1 :]

    def lessons(self) -> list[ObservedPick]:
        """All that the person picked, to be remembered."""
        return [
            ObservedPick(situation, self._exact(state) if exact is None else exact, number)
            for state, situation, exact, number in filter(None, self._seen)
        ]

    def mix(self) -> Mix:
        """How the reader picks now."""
        if self._mix is None:
            rounds = self.solution.game.simultaneous
            self._mix = self._answer() if rounds else {self._trap(): 1.0}
        return self._mix

    def situation(self) -> Situation:
        """What the person knows at the position reached."""
        person = other(self.seat)
        choices = self.solution.game.picks(self.states[-1], person)
        return Situation(choices, self._picked[person], self._picked[self.seat], self._fortune())

    def _exact(self, state: Any) -> Mix:
        """How somebody who plays exactly picks in the place of the person.

        In games of turns anything that gives nothing away, each with the same chance.
        """
        person = other(self.seat)
        if self.solution.game.simultaneous:
            return self.solution.mix(state, person)
        yields = self.solution.yields(state, person)
        sound = [
            number
            for number, worth in yields.items()
            if worth > max(yields.values()) - VALUE_TOLERANCE
        ]
        return dict.fromkeys(sound, 1 / len(sound))

    def _fortune(self) -> int | None:
        """How the last round went for the person: well, evenly, badly."""
        if not self.history:
            return None
        gain = self._worth(self.states[-2]) - self._worth(self.states[-1])
        return 0 if abs(gain) < VALUE_TOLERANCE else (1 if gain > 0 else -1)

    def _worth(self, state: Any) -> float:
        value = self.solution.value(state)
        return value if self.seat == FIRST else -value

    def _lines(self, state: Any) -> dict[int, list[float]]:
        """For each number of the reader what it wins against each number of the person."""
        payoff = self.solution.matrix(state).payoff
        if self.seat == FIRST:
            lines: Sequence[Sequence[float]] = payoff
        else:
            lines = [[-worth for worth in line] for line in zip(*payoff, strict=True)]
        own = self.solution.game.picks(state, self.seat)
        return {number: list(line) for number, line in zip(own, lines, strict=True)}

    def _answer(self) -> Mix:
        """The exact mix, and as much of the best answer as the risk allows."""
        state = self.states[-1]
        lines = self._lines(state)
        exact = self.solution.mix(state, self.seat)
        foretold = self.knowledge.predict(self.situation(), self._exact(state))
        expected = {
            number: sum(s * w for s, w in zip(foretold.values(), line, strict=True))
            for number, line in lines.items()
        }
        best = max(expected, key=lambda number: (expected[number], exact.get(number, 0.0)))
        part = self._part(_expected_payoffs(exact, lines), lines[best], self._worth(state))
        mix = {number: (1 - part) * share for number, share in exact.items()}
        mix[best] = mix.get(best, 0.0) + part
        return mix

    def _part(self, safe: list[float], bold: list[float], value: float) -> float:
        """How much of the best answer leaves the mix the value less what may be risked."""
        floor = value - self.risk
        limits = [
            (one - floor) / (one - two)
            for one, two in zip(safe, bold, strict=True)
            if two < floor - VALUE_TOLERANCE
        ]
        return max(0.0, min([1.0, *limits]))

    def _expected(self, number: int) -> float:
        """What the reader's mix wins against the number that the person picked."""
        state = self.states[-1]
        place = self.solution.game.picks(state, other(self.seat)).index(number)
        return _expected_payoffs(self.mix(), self._lines(state))[place]

    def _trap(self) -> int:
        """Among the numbers that give nothing away the one that the habit falls for most."""
        _, own, theirs, fortune = self.situation()
        now = PredictedLine(self.states[-1], own, theirs, fortune)
        return TrapSearch(self.solution, self.seat, self.knowledge).best(now, set(self.states))


class ReaderPlayer(Player):
    """Plays a match as it reads it, and remembers the person when the match is over."""

    def __init__(
        self, solution: "Solution", terms: Terms, seat: Seat, chance: Random, memory: Any
    ) -> None:
        self._seat = seat
        self._chance = chance
        self._memory = memory
        self._asked: set[int] = set()
        """Before which rounds this very player was asked."""
        self._who = (_name_of(terms, other(seat)), terms.game.name)
        self._reading = ReaderState(solution, seat, memory.recall(*self._who))

    def pick(self, view: View) -> int:
        """One number of the mix."""
        mix = self.mix(view)
        return self._chance.choices(tuple(mix), tuple(mix.values()))[0]

    def mix(self, view: View) -> Mix:
        """How the reader picks from what it sees."""
        reading = self._follow(view)
        self._asked.add(len(view.history))
        return reading.mix()

    def leave(self, view: View) -> None:
        """Remember the person; a match that is left open is read again when it is resumed."""
        if view.result is not None and view.history:
            self._memory.learn(*self._who, self._follow(view).lessons())

    def _follow(self, view: View) -> ReaderState:
        """Read on from where the match was, or from where rounds were taken back."""
        reading, now = self._reading, view.history
        alike = (one == two for one, two in zip(reading.history, now, strict=False))
        reading.go_back(sum(takewhile(bool, alike)))
        for round in range(len(reading.history), len(now)):
            reading.follow(now[round], round in self._asked, round >= len(now) - RECENT_ROUNDS)
        return reading


def _name_of(terms: Terms, seat: Seat) -> str:
    """Who is read, if it is a person with a name of their own."""
    return terms.names[seat] if terms.named and not terms.computer(seat) else ""


def _expected_payoffs(mix: Mix, lines: dict[int, list[float]]) -> list[float]:
    """What a mix wins against each number of the other."""
    width = len(next(iter(lines.values())))
    return [
        sum(share * lines[number][place] for number, share in mix.items()) for place in range(width)
    ]
