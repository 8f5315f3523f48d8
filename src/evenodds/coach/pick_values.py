"""Expected score of each legal pick of a seat, and what each gives away.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, Outcome, Seat, alone, other
from evenodds.system.tolerance import VALUE_TOLERANCE

if TYPE_CHECKING:
    from evenodds.solver import Solution


DRAW_SCORE: Final = 0.5
"""The score of a draw."""

REPETITION_FORESIGHT_NOTE: Final = (
    "A draw by repetition is foreseen in a pick and in the reply to it, no farther."
)


class RepetitionPicks(NamedTuple):
    """The numbers that bring a draw by repetition near."""

    made: frozenset[int] = frozenset()
    """They end the match as a draw."""
    allowed: frozenset[int] = frozenset()
    """They leave it to the other to do so with the next pick."""


NO_REPETITION_PICKS: Final = RepetitionPicks()


class PickValues(NamedTuple):
    """A position as one seat sees it."""

    score: float
    """What the seat scores under best play by both."""
    worths: dict[int, float]
    """What each of its numbers scores against the best mix of the other."""
    mix: dict[int, float]
    """The best mix of the seat."""
    against: dict[int, tuple[float, ...]]
    """What each of its numbers scores against each number of the other."""
    repeats: RepetitionPicks = NO_REPETITION_PICKS
    """What makes a draw by repetition, and what gives more than a draw out of hand."""

    def gave(self, number: int) -> float:
        """What a number gives away: nothing, if it belongs to some best mix."""
        given = self.score - self.worths[number]
        return given if given > VALUE_TOLERANCE else 0.0

    @property
    def stake(self) -> float:
        """The most that could be given away."""
        return max(map(self.gave, self.worths), default=0.0)

    @property
    def idle(self) -> bool:
        """Whether nothing depends on the pick, whatever the other does."""
        first, *others = self.against.values()
        return all(
            abs(one - two) < VALUE_TOLERANCE
            for line in others
            for one, two in zip(first, line, strict=True)
        )

    @property
    def safe(self) -> tuple[int, ...]:
        """The numbers that keep the score by themselves, whatever the other picks."""
        return tuple(
            n for n, line in self.against.items() if min(line) > self.score - VALUE_TOLERANCE
        )

    @property
    def mixed(self) -> tuple[float, ...]:
        """What the best mix scores against each number of the other."""
        lines = [[share * worth for worth in self.against[n]] for n, share in self.mix.items()]
        return tuple(map(sum, zip(*lines, strict=True)))

    @property
    def good(self) -> tuple[int, ...]:
        """The numbers that give away nothing."""
        return tuple(number for number in self.worths if not self.gave(number))

    def better(self, number: int) -> int | None:
        """A good number that does no worse than a poor one, whatever the other picks."""
        for good in sorted(self.good, key=lambda pick: -self.mix.get(pick, 0.0)):
            pairs = zip(self.against[good], self.against[number], strict=True)
            if all(up >= down - VALUE_TOLERANCE for up, down in pairs):
                return good
        return None

    @property
    def poor(self) -> tuple[int, ...]:
        """The numbers that give something away."""
        return tuple(number for number in self.worths if self.gave(number))


def evaluate_picks(
    solution: "Solution", state: Any, seat: Seat, repeats: RepetitionPicks = NO_REPETITION_PICKS
) -> PickValues:
    """Judge a position for a seat; without worths where it has nothing to decide.

    A number that ends the match by repetition is worth a draw, whatever the table says of the
    position it leads to; one after which the other can do so is worth no more than a draw.
    """
    score, mix = expected_score_of(solution, state, seat), solution.mix(state, seat)
    if not mix:
        return PickValues(score, {}, {}, {})
    replies = solution.mix(state, other(seat)) or {PASS: 1.0}
    matrix = solution.matrix(state)
    own, theirs = (matrix.first, matrix.second)[:: 1 if seat == FIRST else -1]
    lines = matrix.payoff if seat == FIRST else zip(*matrix.payoff, strict=True)
    sign = 1 if seat == FIRST else -1
    against = {
        number: tuple(as_score(sign * worth) for worth in line)
        for number, line in zip(own, lines, strict=True)
    }
    if any(repeats):
        return _evaluate_near_repetition(against, mix, repeats, solution, state, seat)
    worths = {
        number: sum(
            replies.get(reply, 0.0) * worth for reply, worth in zip(theirs, line, strict=True)
        )
        for number, line in against.items()
    }
    return PickValues(score, worths, mix, against)


def _evaluate_near_repetition(
    table: dict[int, tuple[float, ...]],
    mix: dict[int, float],
    repeats: RepetitionPicks,
    solution: "Solution",
    state: Any,
    seat: Seat,
) -> PickValues:
    """What is best in a game of turns where a draw by repetition is near."""
    spoilt = frozenset(
        number for number in repeats.allowed if table[number][0] > DRAW_SCORE + VALUE_TOLERANCE
    )
    worths = {
        number: DRAW_SCORE if number in repeats.made | spoilt else worth
        for number, (worth,) in table.items()
    }
    score, best = max(worths.values()), next(iter(mix))
    if best in repeats.made or worths[best] < score - VALUE_TOLERANCE:
        good = [number for number, worth in worths.items() if worth > score - VALUE_TOLERANCE]
        best = min(good, key=lambda n: distance_after(solution, state, seat, n) or 0)
    against: dict[int, tuple[float, ...]] = {number: (worth,) for number, worth in worths.items()}
    return PickValues(score, worths, {best: 1.0}, against, RepetitionPicks(repeats.made, spoilt))


def repetition_picks(match: Match, seat: Seat, rounds: int | None = None) -> RepetitionPicks:
    """What brings a seat near a draw by repetition, now or after so many rounds."""
    game, state = match.game, match.state if rounds is None else match.states[rounds]
    due = match.due(rounds)
    if not due or game.outcome(state) != Outcome.ONGOING:
        return NO_REPETITION_PICKS
    after = _successors(game, state, seat)
    made = frozenset(number for number, position in after.items() if position in due)
    allowed = frozenset(
        number
        for number, position in after.items()
        if number not in made
        and not due.isdisjoint(_successors(game, position, other(seat)).values())
    )
    return RepetitionPicks(made, allowed)


def _successors(game: AnyGame, state: Any, seat: Seat) -> dict[int, Any]:
    """The positions that the numbers of a seat lead to in a game of turns."""
    if game.outcome(state) != Outcome.ONGOING:
        return {}
    return {
        number: game.step(state, alone(seat, number))
        for number in game.picks(state, seat)
        if number != PASS
    }


def distance_after(solution: "Solution", state: Any, seat: Seat, number: int) -> int | None:
    """Picks to the end in a game of turns once a number is picked, that pick included."""
    far = solution.distance(solution.game.step(state, alone(seat, number)))
    return None if far is None else far + 1


def expected_score_of(solution: "Solution", state: Any, seat: Seat) -> float:
    """What a seat scores from a position on under best play by both."""
    value = solution.value(state)
    return as_score(value if seat == FIRST else -value)


def as_score(value: float) -> float:
    """A value from -1 to 1 as a score from 0 to 1."""
    return (1 + value) / 2
