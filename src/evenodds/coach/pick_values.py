"""Expected score of each legal pick of a seat, and its loss against the best.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0. In games about
points 1 is to win all that is at stake, and 1/2 no points; words tell points.
"""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, Outcome, Seat, State, alone, other
from evenodds.engine.solution import Solution, payoff_rows
from evenodds.figures import VALUE_TOLERANCE, percent, points

DRAW_SCORE: Final = 0.5
REPETITION_FORESIGHT_NOTE: Final = (
    "Of draws by repetition only those with this pick or the reply to it are counted."
)


class Measure(NamedTuple):
    """How scores are told: in per cent, or in points."""

    span: float
    """The points between a score of 0 and of 1."""
    earned: int = 0
    """The points so far of the seat whose scores are told: a score is that of the whole match."""

    @property
    def has_points(self) -> bool:
        """Whether more than a win is at stake."""
        return self.span > 2

    def score(self, score: float) -> str:
        """An expected score: `62%`, or `2.3 points`."""
        worth = (score - DRAW_SCORE) * self.span + self.earned
        return points(worth) if self.has_points else percent(score)

    def change(self, share: float) -> str:
        """A difference of scores, such as a loss."""
        return points(share * self.span) if self.has_points else percent(share)

    def scores(self, score: float) -> str:
        """What a number does: `scores 62%`, or `is worth 2.3 points`."""
        return f"{'is worth' if self.has_points else 'scores'} {self.score(score)}"


class RepetitionPicks(NamedTuple):
    """The numbers that draw by repetition at once, and those after which the other seat can."""

    made: frozenset[int] = frozenset()
    allowed: frozenset[int] = frozenset()


NO_REPETITION_PICKS: Final = RepetitionPicks()


class PickValues(NamedTuple):
    """The values of a position for one seat."""

    solution: Solution
    state: State
    seat: Seat
    score: float
    """The expected score of the seat under best play by both."""
    scores: dict[int, float]
    """The expected score of each number against the best mix of the other seat."""
    mix: dict[int, float]
    """The best mix of the seat."""
    payoffs: dict[int, tuple[float, ...]]
    """The expected scores of each number against each number of the other seat."""
    replies: tuple[tuple[int, float], ...] = ()
    """The numbers of the other seat, in the order of `payoffs`, with their shares in its best mix;
    empty in games of turns."""
    repetition: RepetitionPicks = NO_REPETITION_PICKS
    """Numbers that draw by repetition, and those that let the other seat draw a won position."""
    earned: int = 0
    """The points of the seat so far, where they are told."""

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.solution.game

    @property
    def measure(self) -> Measure:
        """How the scores are told."""
        return Measure(self.solution.span, self.earned)

    def name(self, number: int, theirs: bool = False) -> str:
        """What a pick of the seat is called, or one of the other."""
        seat = other(self.seat) if theirs else self.seat
        return self.game.words.pick_name(self.solution.rulings, seat, number)

    def after(self, number: int, reply: int = PASS) -> Any:
        """The position after a number of the seat and a reply."""
        picks = (number, reply) if self.seat == FIRST else (reply, number)
        return self.game.step(self.state, picks)

    def distance_after(self, number: int) -> int | None:
        """Picks to the end in a game of turns, from a number on and with it; None if none."""
        far = self.solution.distance(self.after(number))
        return None if far is None else far + 1

    def loss(self, number: int) -> float:
        """The loss of a number: 0 if it belongs to some best mix."""
        given = self.score - self.scores[number]
        return given if given > VALUE_TOLERANCE else 0.0

    @property
    def optimal(self) -> tuple[int, ...]:
        """The numbers without loss."""
        return tuple(number for number in self.scores if not self.loss(number))

    @property
    def suboptimal(self) -> tuple[int, ...]:
        """The numbers with a loss."""
        return tuple(number for number in self.scores if self.loss(number))

    def against(self, reply: int) -> "PickValues":
        """The values where the other seat is known to pick this number."""
        place = [number for number, _ in self.replies].index(reply)
        scores = {number: line[place] for number, line in self.payoffs.items()}
        best = max(scores, key=lambda number: scores[number])
        return self._with_scores(scores, best)._replace(replies=((reply, 1.0),))

    def _with_scores(self, scores: dict[int, float], best: int) -> "PickValues":
        """The values with other scores, whatever the other seat picks."""
        payoffs: dict[int, tuple[float, ...]] = {number: (scores[number],) for number in scores}
        return self._replace(score=scores[best], scores=scores, mix={best: 1.0}, payoffs=payoffs)

    @property
    def idle(self) -> bool:
        """Whether nothing depends on the pick, whatever the other seat picks."""
        columns = zip(*self.payoffs.values(), strict=True)
        return all(max(column) - min(column) < VALUE_TOLERANCE for column in columns)

    @property
    def safe(self) -> tuple[int, ...]:
        """The pure maximin numbers: they keep the score whatever the other seat picks."""
        least = self.score - VALUE_TOLERANCE
        return tuple(number for number, line in self.payoffs.items() if min(line) > least)

    @property
    def mix_scores(self) -> tuple[float, ...]:
        """The expected score of the best mix against each number of the other seat."""
        lines = [[share * worth for worth in self.payoffs[n]] for n, share in self.mix.items()]
        return tuple(map(sum, zip(*lines, strict=True)))

    def dominating(self, number: int) -> int | None:
        """An optimal number that is never worse than this one, whatever the other seat picks."""
        # Of several the one that the best mix plays most often: it is the one to recommend.
        ranked = sorted(self.optimal, key=lambda pick: -self.mix.get(pick, 0.0))
        return next((good for good in ranked if self.dominates(good, number)), None)

    def dominates(self, number: int, worse: int) -> bool:
        """Whether a number is never worse than another, whatever the other seat picks."""
        pairs = zip(self.payoffs[number], self.payoffs[worse], strict=True)
        return all(up >= down - VALUE_TOLERANCE for up, down in pairs)


def evaluate_picks(
    solution: Solution, state: State, seat: Seat, repetition: RepetitionPicks = NO_REPETITION_PICKS
) -> PickValues:
    """The values of a position for a seat; without scores where it has no pick to make.

    A number that ends the match by repetition is worth a draw, whatever the solution says of the
    position it leads to; one after which the other can do so is worth no more than a draw.
    """
    score, mix = expected_score_of(solution, state, seat), solution.mix(state, seat)
    if not mix:
        return PickValues(solution, state, seat, score, {}, {}, {})
    best_replies = solution.punishing_mix(state, other(seat)) or {PASS: 1.0}
    theirs = solution.game.picks(state, other(seat))
    replies = tuple((reply, best_replies.get(reply, 0.0)) for reply in theirs)
    payoffs = {
        number: tuple(as_score(worth, solution.span) for worth in line)
        for number, line in payoff_rows(solution.matrix(state), seat).items()
    }
    scores = {
        number: sum(share * worth for (_, share), worth in zip(replies, line, strict=True))
        for number, line in payoffs.items()
    }
    labels = tuple(reply for reply in replies if reply[0] != PASS)
    values = PickValues(solution, state, seat, score, scores, mix, payoffs, labels)
    return _near_repetition(values, repetition) if any(repetition) else values


def _near_repetition(values: PickValues, repetition: RepetitionPicks) -> PickValues:
    """The values in a game of turns where a draw by repetition is near."""
    # The solution knows no repetition. It is corrected for one pick and its reply; only a won
    # position is spoilt by a number that lets the other seat draw, for else the other would not.
    spoilt = frozenset(
        number
        for number in repetition.allowed
        if values.scores[number] > DRAW_SCORE + VALUE_TOLERANCE
    )
    scores = {
        number: DRAW_SCORE if number in repetition.made | spoilt else worth
        for number, worth in values.scores.items()
    }
    least, best = max(scores.values()) - VALUE_TOLERANCE, next(iter(values.mix))
    if best in repetition.made or scores[best] < least:
        good = [number for number, worth in scores.items() if worth > least]
        best = min(good, key=lambda number: values.distance_after(number) or 0)
    spoiling = RepetitionPicks(repetition.made, spoilt)
    return values._with_scores(scores, best)._replace(repetition=spoiling)


def repetition_picks(match: Match, seat: Seat, rounds: int | None = None) -> RepetitionPicks:
    """The numbers of a seat that lead to a draw by repetition, now or after so many rounds."""
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


def _successors(game: AnyGame, state: State, seat: Seat) -> dict[int, Any]:
    """The position after each number of a seat in a game of turns."""
    if game.outcome(state) != Outcome.ONGOING:
        return {}
    return {
        number: game.step(state, alone(seat, number))
        for number in game.picks(state, seat)
        if number != PASS
    }


def expected_score_of(solution: Solution, state: State, seat: Seat) -> float:
    """The expected score of a seat at a position under best play by both."""
    return as_score(solution.value(state, seat), solution.span)


def as_score(value: float, span: float) -> float:
    """A value as a score from 0 to 1: values lie in a span around 0."""
    return (1 + 2 * value / span) / 2
