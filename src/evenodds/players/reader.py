"""The reader: watches how a person picks, and plays against the habit it finds, within a bound.

Where both pick at once it mixes the exact strategy with the best answer to what it expects. Each
answer may cost something if the person has seen through it; all that it may cost in a match is the
bound, plus what the person has given away so far. So whoever reads the reader back gains no more
than the bound. In games of turns it sets `traps`: among the numbers that give nothing away it picks
the one after which it expects most from the person's habit, which costs nothing at all.
"""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from evenodds.players.habits import Knowledge, Lesson, Situation
from evenodds.players.player import Player
from evenodds.players.traps import Line, Traps
from evenodds.record import View
from evenodds.terms import Terms
from evenodds.text import SURE
from evenodds.vocabulary import FIRST, PASS, Pair, Seat, other

if TYPE_CHECKING:
    from evenodds.solver import Solution

BOUND: Final = 0.05
"""The expected score that the best counter-strategy can win from the reader in a match."""

Mix = dict[int, float]


class Reading:
    """A match as the reader follows it: what it knows by now, and what it may still risk.

    Values are the reader's own, from -1 to 1. All of it follows from the knowledge at the start and
    from the rounds played, so that it can be worked out again when a match is resumed or undone.
    """

    def __init__(self, solution: "Solution", seat: Seat, knowledge: Knowledge) -> None:
        self.solution = solution
        self.seat = seat
        self.knowledge = knowledge.copy()
        self.states = [solution.start]
        self.history: list[Pair] = []
        self.lessons: list[Lesson] = []
        self._mix: Mix | None = None  # of this round, once it was asked for
        self.risk = 2 * BOUND  # a score from 0 to 1 is half of a value from -1 to 1

    def follow(self, picks: Pair) -> None:
        """One more round: learn from it, and account for what was risked."""
        state, game = self.states[-1], self.solution.game
        person = other(self.seat)
        if picks[self.seat] != PASS and picks[person] != PASS:
            self.risk += self._expected(picks[person]) - self._worth(state)
        if picks[person] != PASS:
            self.lessons.append(Lesson(self.situation(), self._exact(), picks[person]))
            self.knowledge.learn(self.lessons[-1])
        self.history.append(picks)
        self.states.append(game.step(state, picks))
        self._mix = None

    def mix(self) -> Mix:
        """How the reader picks now."""
        if self._mix is None:
            rounds = self.solution.game.simultaneous
            self._mix = self._answer() if rounds else {self._trap(): 1.0}
        return self._mix

    def situation(self) -> Situation:
        """What the person knows at the position reached."""
        person = other(self.seat)
        own = tuple(p[person] for p in self.history if p[person] != PASS)
        theirs = tuple(p[self.seat] for p in self.history if p[self.seat] != PASS)
        choices = self.solution.game.picks(self.states[-1], person)
        return Situation(choices, own, theirs, self._fortune())

    def _exact(self) -> Mix:
        """How somebody who plays exactly picks in the place of the person.

        In games of turns anything that gives nothing away, each with the same chance.
        """
        state, person = self.states[-1], other(self.seat)
        if self.solution.game.simultaneous:
            return self.solution.mix(state, person)
        yields = self.solution.yields(state, person)
        sound = [number for number, worth in yields.items() if worth > max(yields.values()) - SURE]
        return dict.fromkeys(sound, 1 / len(sound))

    def _fortune(self) -> int | None:
        """How the last round went for the person: well, evenly, badly."""
        if not self.history:
            return None
        gain = self._worth(self.states[-2]) - self._worth(self.states[-1])
        return 0 if abs(gain) < SURE else (1 if gain > 0 else -1)

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
        foretold = self.knowledge.predict(self.situation(), self._exact())
        expected = {
            number: sum(s * w for s, w in zip(foretold.values(), line, strict=True))
            for number, line in lines.items()
        }
        best = max(expected, key=lambda number: (expected[number], exact.get(number, 0.0)))
        part = self._part(_against(exact, lines), lines[best], self._worth(state))
        mix = {number: (1 - part) * share for number, share in exact.items()}
        mix[best] = mix.get(best, 0.0) + part
        return mix

    def _part(self, safe: list[float], bold: list[float], value: float) -> float:
        """How much of the best answer leaves the mix the value less what may be risked."""
        floor = value - self.risk
        limits = [
            (one - floor) / (one - two)
            for one, two in zip(safe, bold, strict=True)
            if two < floor - SURE
        ]
        return max(0.0, min([1.0, *limits]))

    def _expected(self, number: int) -> float:
        """What the reader's mix wins against the number that the person picked."""
        state = self.states[-1]
        place = self.solution.game.picks(state, other(self.seat)).index(number)
        return _against(self.mix(), self._lines(state))[place]

    def _trap(self) -> int:
        """Among the numbers that give nothing away the one that the habit falls for most."""
        _, own, theirs, fortune = self.situation()
        now = Line(self.states[-1], own, theirs, fortune)
        return Traps(self.solution, self.seat, self.knowledge).best(now, set(self.states))


class ReaderPlayer(Player):
    """Plays a match as it reads it, and remembers the person when the match is over."""

    def __init__(
        self, solution: "Solution", terms: Terms, seat: Seat, chance: Random, memory: Any
    ) -> None:
        self._solution = solution
        self._seat = seat
        self._chance = chance
        self._memory = memory
        self._asked: set[int] = set()
        """Before which rounds this very player was asked."""
        self._who = (_name_of(terms, other(seat)), terms.game.name)
        self._reading = Reading(solution, seat, memory.recall(*self._who))

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
            self._memory.learn(*self._who, self._follow(view).lessons)

    def _follow(self, view: View) -> Reading:
        """Read on from where the match was; from its start where rounds were taken back."""
        read = len(self._reading.history)
        if tuple(self._reading.history) != view.history[:read]:
            knowledge = self._memory.recall(*self._who)
            self._reading = Reading(self._solution, self._seat, knowledge)
            read = 0
        for picks in view.history[read:]:
            strange = len(self._reading.history) not in self._asked
            self._reading.follow(picks)
            if strange:
                # A round of another sitting: what was known then, and so what was risked, is not
                # known any more. No more is risked from here on than what the person gives away.
                self._reading.risk = min(self._reading.risk, 0.0)
        return self._reading


def _name_of(terms: Terms, seat: Seat) -> str:
    """Who is read, if it is a person with a name of their own."""
    return terms.names[seat] if terms.named and not terms.computer(seat) else ""


def _against(mix: Mix, lines: dict[int, list[float]]) -> list[float]:
    """What a mix wins against each number of the other."""
    width = len(next(iter(lines.values())))
    return [
        sum(share * lines[number][place] for number, share in mix.items()) for place in range(width)
    ]
