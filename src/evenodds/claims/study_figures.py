"""The figures of a study as data, without the means to compute them."""

from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from evenodds.claims.thresholds import STEP
from evenodds.core.game import LEVELS
from evenodds.figures import VALUE_TOLERANCE, percent, points
from evenodds.system.text import TextTable

RANDOM_POLICY: Final = "random"
PERFECT_POLICY: Final = "perfect"
MIDDLE_LEVEL: Final = "level:4"
HIGHEST_POLICY: Final = "high"
LEVEL_NAMES: Final = tuple(f"level:{number}" for number in LEVELS)
NEIGHBOURS: Final = tuple(
    pair for below, level in pairwise(LEVEL_NAMES) for pair in ((level, below), (below, level))
)
"""Each level and the one below, in both orders of the seats."""
POLICY_NAMES: Final = (RANDOM_POLICY, HIGHEST_POLICY, *LEVEL_NAMES, PERFECT_POLICY)
"""The players whose picks depend on the position alone: odds between them are exact."""
MAX_SHOWN_ROUNDS: Final = 30
"""Rounds that are shown one by one."""
MAX_EXACT_LINES: Final = 10**15
"""Of more lines of play only the power of ten is told."""
NEITHER: Final = "neither"
PERFECT_STRATEGY_NOTE: Final = (
    "Perfect play is shown with the computer's strategy; other perfect strategies may score "
    "differently."
)
"""Said once wherever scores or draws of perfect play are shown that may depend on the strategy."""
POINTS_NOTE: Final = (
    "This game is about points: a score of 50% is as many points as the other, 100% the most "
    "that could change hands. Shares of matches, and scores of levels, tell who has more."
)
CONFIDENCE_Z_SCORE: Final = 1.6448536269514722
"""The 95% quantile of the normal distribution."""


class HabitScores(NamedTuple):
    """The scores of a simple strategy, on average over both seats."""

    perfect: float
    """Against perfect play."""
    best_opponent: float
    """Against its best response, which knows the strategy but not its random draws."""


class ChoiceMetrics(NamedTuple):
    """Figures over every reachable decision; None for a share where there is no decision."""

    idle: float | None
    """The share of decisions in which nothing depends on the pick, whatever the other picks."""
    single: float | None
    """The share of decisions with a single optimal number."""
    mixed: float | None
    """The share of decisions without a pure maximin number: a predictable player loses there."""
    dominated: float | None
    """The share of legal numbers that another dominates: never worse, and somewhere better."""
    dominated_first: dict[str, list[int]]
    """The dominated numbers at the start, by seat."""
    useless: list[int]
    """Numbers that can all be removed at once: in every decision with one of them, a number that
    stays is never worse, whatever the other seat picks; and in some it is better."""
    sound: dict[int, float]
    """For each number the share of decisions with it in which it is optimal."""
    use: list[dict[int, float]]
    """For each round how often perfect play picks a number where it is legal."""
    habits: dict[str, HabitScores]
    """The scores of simple strategies against perfect play and their best response."""

    @property
    def is_idle(self) -> bool:
        """Whether nothing ever depends on a pick."""
        return self.idle is None or self.idle >= 1 - VALUE_TOLERANCE


class Drama(NamedTuple):
    """How the lead changes in matches between two strategies."""

    changes: float
    """The mean number of lead changes in a match."""
    open: float
    """The mean number of rounds until the expected score stays on one side, or level, for good."""
    comebacks: float
    """The share of matches won by a player whose expected score was 25% or less at some time."""


class OpeningAnalysis(NamedTuple):
    """The payoff matrix and the best mixes of the start."""

    first: list[int]
    """The numbers of the first seat; 0 alone where it has no pick to make."""
    second: list[int]
    payoff: list[list[float]]
    """The value of each pair of picks to the first seat, a row for each of its numbers."""
    mixes: list[dict[int, float]]
    """The named best mix of each seat."""
    only: list[bool]
    """Whether it is the only best mix."""
    losses: list[dict[int, float]]
    """The loss of each number of each seat, in values from -1 to 1."""


class Odds(NamedTuple):
    """How matches end between a player in the first seat and one in the second, exactly.

    `endless` is the share of play that goes on for ever. The length is the mean number of rounds in
    simultaneous games and of picks in games of turns; None where play may not end.
    """

    first: float
    draw: float
    second: float
    endless: float
    length: float | None
    endings: dict[str, float]
    """The share of matches by ending; REPETITION is the draw by repetition."""
    repetition: int = 0
    """After how many times of the same position these matches are a draw; 0: never."""
    points: float | None = None
    """The first seat's points on average, in games about points."""

    @property
    def score(self) -> float:
        """What the first seat scores: a win 1, a draw or endless play 1/2."""
        return self.first + (self.draw + self.endless) / 2

    @property
    def decided(self) -> float:
        """The share of matches that somebody wins."""
        return self.first + self.second

    def _repr_markdown_(self) -> str:
        """The figures as a table, for notebooks."""
        shares = {"first": self.first, "draw": self.draw, "second": self.second}
        shares |= {"endless": self.endless} if self.endless else {}
        cells = {name: percent(share, 2) for name, share in shares.items()}
        cells["length"] = "may not end" if self.length is None else f"{self.length:.2f}"
        if self.points is not None:
            cells["points"] = points(self.points)
        return TextTable(tuple(cells), [tuple(cells.values())]).as_markdown()


class LengthDistribution(NamedTuple):
    """The share of matches that end in each round, from the first on."""

    shares: tuple[float, ...]
    longer: float
    """The share of longer matches."""


class ScoreValues(NamedTuple):
    """The expected score of the first seat by a pair of figures, one for each seat.

    It is the exact value of positions, averaged over those that random picks reach.
    """

    name: str
    """The name of the field in the rules: scores, wins, health."""
    steps: list[int]
    """The lower bound of each row and column."""
    scores: list[list[float | None]]
    """A row for each step of the first seat, with a column for each of the second."""


class GameSize(NamedTuple):
    """The size of a game; None for what has no bound."""

    positions: int
    """Reachable open positions."""
    decisions: int
    """Pairs of position and seat with two legal numbers or more."""
    lines: int | None
    """Lines of play from the start to an end; exact up to `MAX_EXACT_LINES`."""
    shortest: int
    """The least number of rounds of a match, or of picks in a game of turns."""
    longest: int | None
    branching: list[float]
    """For each round the mean number of legal numbers of a seat that picks, over the random matches
    that reach it."""


class LevelComparison(NamedTuple):
    """A level against the one below, averaged over both seats."""

    name: str
    score: float
    drawn: float
    matches: int | None
    """Matches until the better one leads with a confidence of 95%; None: never."""

    @property
    def better(self) -> str:
        """The better of the two levels, if any is."""
        if self.matches is None:
            return NEITHER
        return self.name if self.score > 0.5 else LEVEL_NAMES[LEVEL_NAMES.index(self.name) - 1]


class SkillMetrics(NamedTuple):
    """How much each level of a game gains over the one below."""

    comparisons: list[LevelComparison]
    """Empty where there is no decision, or play can come back to too many positions."""
    pairs: dict[str, Odds]
    """The odds between each two levels, by `first second`, with the draw by repetition."""
    perfect_score: float
    """The score of perfect play against random picks, averaged over both seats."""

    @property
    def span(self) -> LevelComparison | None:
        """The highest level against the lowest; None without comparisons."""
        if not self.comparisons:
            return None
        low, high = LEVEL_NAMES[0], LEVEL_NAMES[-1]
        return compare_levels(high, low, self.pairs)


def compare_levels(name: str, other: str, pairs: dict[str, Odds]) -> LevelComparison:
    """The comparison of a level with another player, from their odds in either order of seats."""
    first, second = pairs[f"{name} {other}"], pairs[f"{other} {name}"]
    won = (first.first + second.second) / 2
    drawn = (first.draw + first.endless + second.draw + second.endless) / 2
    score = won + drawn / 2
    return LevelComparison(name, score, drawn, matches_needed(won, drawn))


def count_noticeable_steps(comparisons: list[LevelComparison]) -> int | None:
    """The number of levels whose score against the one below is felt; None without comparisons."""
    return sum(STEP.reached_by(one.score) for one in comparisons) if comparisons else None


class SelfPlay(NamedTuple):
    """A policy against itself."""

    odds: Odds
    """As matches are played: with the draw by repetition, where repetitions can be counted."""
    played_on: Odds | None
    """The same without the draw by repetition; None where there is none."""
    lengths: LengthDistribution | None
    """Without the draw by repetition, as the drama is."""
    drama: Drama | None

    @property
    def endless(self) -> float:
        """The share of matches that would never end without the draw by repetition."""
        return (self.played_on or self.odds).endless


class PointFigures(NamedTuple):
    """The figures of a game about points that are points, and not scores.

    There a score of 0 to 1 stands for all that can be lost or won, and 1/2 for as many points as
    the other has; odds tell who has more.
    """

    span: float
    """How far apart the results of two matches may lie."""
    value: float
    """What the first seat gains on average when both play perfectly."""
    gain: float
    """What perfect play gains on average from random picks, over both seats."""


class Study(NamedTuple):
    """All exact figures of a game under some rulings."""

    game: str
    rules: dict[str, int | str]
    value: float
    """The value of the start to the first seat: 1 a win, 0 a draw or fair, -1 a loss."""
    gap: float
    """The certified error of the value."""
    distance: int | None
    """Picks to the end under best play, in won and lost games of turns."""
    size: GameSize
    plays: dict[str, SelfPlay]
    """By policy: random picks, a level in the middle, perfect play."""
    choice: ChoiceMetrics
    skill: SkillMetrics
    opening: OpeningAnalysis
    score_values: list[ScoreValues]
    repetition: int
    """How often a position may come up before the match is a draw; 0 where no position can come up
    again, or repetitions cannot be counted and play goes on."""
    outcomes: list[str]
    """How matches can end: `first`, `draw`, `second`, where some line of play comes to that by the
    rules; a draw by repetition is not among them."""
    points: PointFigures | None = None
    """None in games that are not about points."""

    def worth(self, value: float) -> tuple[str, str]:
        """What a seat does with a value, `score`, and the figure; in points `gain`."""
        if self.points:
            return "gain", points(value * self.points.span / 2)
        return "score", percent(0.5 + value / 2)

    @property
    def chance(self) -> Odds:
        """The odds between players who pick at random."""
        return self.plays[RANDOM_POLICY].odds

    @property
    def perfect(self) -> Odds:
        """The odds between perfect players."""
        return self.plays[PERFECT_POLICY].odds

    @property
    def drama(self) -> Drama | None:
        """The drama between players who pick at random."""
        return self.plays[RANDOM_POLICY].drama

    @property
    def goes_on(self) -> bool:
        """Whether play goes on, however often a position comes up."""
        return self.size.longest is None and not self.repetition

    @property
    def only_outcome(self) -> str:
        """The outcome of every match; empty where there are several, or play can be endless."""
        return self.outcomes[0] if len(self.outcomes) == 1 and self.size.longest else ""


def matches_needed(won: float, drawn: float) -> int | None:
    """Matches until the lead of the better player is significant; None where there is no lead."""
    lead = won + drawn / 2 - 0.5
    if abs(lead) <= VALUE_TOLERANCE:
        return None
    variance = won + drawn / 4 - (0.5 + lead) ** 2
    return max(1, ceil(CONFIDENCE_Z_SCORE**2 * max(0.0, variance) / lead**2 - VALUE_TOLERANCE))
