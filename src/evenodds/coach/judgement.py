"""What a seat can do at a position, and what each number gives away there.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from evenodds.text import SURE
from evenodds.vocabulary import FIRST, Seat

if TYPE_CHECKING:
    from evenodds.solver import Solution


class Judgement(NamedTuple):
    """A position as one seat sees it."""

    score: float
    """What the seat scores under best play by both."""
    worths: dict[int, float]
    """What each of its numbers scores against the best mix of the other."""
    mix: dict[int, float]
    """The best mix of the seat."""
    against: dict[int, tuple[float, ...]]
    """What each of its numbers is worth against each number of the other."""

    def gave(self, number: int) -> float:
        """What a number gives away: nothing, if it belongs to some best mix."""
        given = self.score - self.worths[number]
        return given if given > SURE else 0.0

    @property
    def stake(self) -> float:
        """The most that could be given away."""
        return max(map(self.gave, self.worths), default=0.0)

    @property
    def idle(self) -> bool:
        """Whether nothing depends on the pick, whatever the other does."""
        first, *others = self.against.values()
        return all(
            abs(one - two) < SURE for line in others for one, two in zip(first, line, strict=True)
        )

    @property
    def good(self) -> tuple[int, ...]:
        """The numbers that give away nothing."""
        return tuple(number for number in self.worths if not self.gave(number))

    def better(self, number: int) -> int | None:
        """A good number that does no worse than a poor one, whatever the other picks."""
        for good in sorted(self.good, key=lambda pick: -self.mix.get(pick, 0.0)):
            pairs = zip(self.against[good], self.against[number], strict=True)
            if all(up >= down - SURE for up, down in pairs):
                return good
        return None

    @property
    def poor(self) -> tuple[int, ...]:
        """The numbers that give something away."""
        return tuple(number for number in self.worths if self.gave(number))


def judge(solution: "Solution", state: Any, seat: Seat) -> Judgement:
    """Judge a position for a seat; without worths where it has nothing to decide."""
    score = score_of(solution, state, seat)
    yields = solution.yields(state, seat)
    if not yields:
        return Judgement(score, {}, {}, {})
    worths = {number: as_score(worth) for number, worth in yields.items()}
    payoff = solution.matrix(state).payoff
    columns = zip(*payoff, strict=True)
    lines = payoff if seat == FIRST else (tuple(-worth for worth in line) for line in columns)
    against = dict(zip(worths, lines, strict=True))
    return Judgement(score, worths, solution.mix(state, seat), against)


def score_of(solution: "Solution", state: Any, seat: Seat) -> float:
    """What a seat scores from a position on under best play by both."""
    value = solution.value(state)
    return as_score(value if seat == FIRST else -value)


def as_score(value: float) -> float:
    """A value from -1 to 1 as a score from 0 to 1."""
    return (1 + value) / 2
