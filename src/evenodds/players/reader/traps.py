"""Trap search for games of turns: safe picks after which a habit leads to a mistake.

The reader imagines how the match goes on when the person does what the habit foretells. It gains
wherever a reply gives something away; so in drawn and in lost positions too, it goes where the
habit leads to a mistake, many picks ahead if need be. Whatever the person does instead, it has
given nothing away itself.

Not every habit can be trapped so. In `factors`, by the exact tables for the targets 19, 30 and 50,
no line of such numbers gains anything from somebody who copies the last number, nor as second from
somebody who always picks the highest; it does from somebody who always picks 1.
"""

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.vocabulary import FIRST, Outcome, Seat, alone, other
from evenodds.players.reader.habits import OpponentModel, Situation
from evenodds.system.tolerance import VALUE_TOLERANCE

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_REPLIES_SEARCHED: Final = 900
"""Replies that are looked at for one pick."""
MIN_LINE_PROBABILITY: Final = 0.2
"""How likely a line must be to be followed any further."""


class PredictedLine(NamedTuple):
    """How a match may go on: how likely that is, and what was gained on the way."""

    state: Any
    own: tuple[int, ...]
    """The person's picks."""
    theirs: tuple[int, ...]
    """The reader's."""
    fortune: int | None
    chance: float = 1.0
    gained: float = 0.0
    first: int = 0
    """The reader's next pick on this line."""


class SearchFrontier:
    """Lines to be followed: by turns the likeliest, and the one found last, which leads farthest.

    The likeliest show every trap that is near. A habit that makes its mistake late is found by
    going on and on, the highest number first.
    """

    def __init__(self) -> None:
        self._likeliest: list[tuple[float, int, PredictedLine]] = []
        self._latest: list[tuple[int, PredictedLine]] = []
        self._waiting: set[int] = set()
        self._order = count()
        self._far = False

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._waiting)

    def add(self, lines: list[PredictedLine]) -> None:
        """Lines that go on with each of the reader's numbers, the lowest first."""
        for line in lines:
            number = next(self._order)
            heappush(self._likeliest, (-line.chance, number, line))
            self._latest.append((number, line))
            self._waiting.add(number)

    def take(self) -> PredictedLine:
        """The next line to be followed."""
        self._far = not self._far
        while True:
            number, line = self._latest.pop() if self._far else heappop(self._likeliest)[1:]
            if number in self._waiting:
                self._waiting.remove(number)
                return line


class TrapSearch:
    """What the reader of a game of turns may hope for."""

    def __init__(self, solution: "Solution", seat: Seat, knowledge: OpponentModel) -> None:
        self._solution = solution
        self._game = solution.game
        self._seat = seat
        self._knowledge = knowledge

    def best(self, now: PredictedLine, past: set[Any]) -> int:
        """The number to pick: the shortest win if there is one, else the most promising trap.

        Positions of the past are no way on, as coming back to them ends in a draw.
        """
        (named,) = self._solution.mix(now.state, self._seat) if self._worth(now.state) else (0,)
        if self._worth(now.state) > 0:
            return named
        hopes = self._hopes(now, past)
        return max(hopes, key=lambda number: (hopes[number], number == named, -number))

    def _hopes(self, now: PredictedLine, past: set[Any]) -> dict[int, float]:
        """What is gained at most on a line that begins with each number that gives nothing away."""
        hopes: dict[int, float] = {}
        met, looked, ahead = set(past), 0, SearchFrontier()
        lines = self._picked(now)
        while lines or (looked < MAX_REPLIES_SEARCHED and ahead):
            line = lines.pop() if lines else ahead.take()
            gained, following, replies = self._answered(line)
            looked += replies
            hopes[line.first] = max(hopes.get(line.first, 0.0), gained)
            for after in following:
                if after.state not in met:
                    met.add(after.state)
                    ahead.add(self._picked(after._replace(gained=gained)))
        return hopes

    def _picked(self, line: PredictedLine) -> list[PredictedLine]:
        """A line after each number of the reader that gives nothing away."""
        found = []
        value = self._worth(line.state)
        for number in self._game.picks(line.state, self._seat):
            state = self._game.step(line.state, alone(self._seat, number))
            if self._worth(state) > value - VALUE_TOLERANCE:
                found.append(
                    line._replace(
                        state=state,
                        theirs=(*line.theirs, number),
                        fortune=0,
                        first=line.first or number,
                    )
                )
        return found

    def _answered(self, line: PredictedLine) -> tuple[float, list[PredictedLine], int]:
        """What a line gains by the reply, how it goes on otherwise, and of how many replies."""
        if self._game.outcome(line.state) != Outcome.ONGOING:
            return line.gained, [], 0
        person = other(self._seat)
        choices = self._game.picks(line.state, person)
        after = [self._game.step(line.state, alone(person, number)) for number in choices]
        worths = [self._worth(state) for state in after]
        value = self._worth(line.state)
        sound = [number for number, worth in zip(choices, worths, strict=True) if worth <= value]
        situation = Situation(choices, line.own, line.theirs, line.fortune)
        foretold = self._knowledge.predict(situation, dict.fromkeys(sound, 1 / len(sound)))
        gained, lines = line.gained, []
        for number, state, worth in zip(choices, after, worths, strict=True):
            chance = line.chance * foretold[number]
            gained += chance * (worth - value)
            if (
                worth <= value
                and chance > MIN_LINE_PROBABILITY
                and self._game.outcome(state) == Outcome.ONGOING
            ):
                lines.append(
                    line._replace(state=state, own=(*line.own, number), fortune=0, chance=chance)
                )
        return gained, lines, len(choices)

    def _worth(self, state: Any) -> float:
        value = self._solution.worth(state)
        return value if self._seat == FIRST else -value
