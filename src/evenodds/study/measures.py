"""The measures of a sweep by name, each computed only when asked for.

The value of a game needs its solution only; other measures need the graph or all levels.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.claims.study_figures import (
    PERFECT_POLICY,
    RANDOM_POLICY,
    LevelComparison,
    OutcomeOdds,
    count_noticeable_steps,
)
from evenodds.claims.thresholds import STEP
from evenodds.figures import VALUE_TOLERANCE
from evenodds.system.errors import InvalidInput
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from evenodds.study.metrics.choice import DecisionCounts
    from evenodds.study.solved_game import SolvedGame

FIGURE_DECIMALS: Final = 12
"""Decimals that are kept: what lies beyond is rounding, which differs between machines."""

Figure = float | int | bool | None
"""None where there is no bound, as for the length of play that may not end."""
Figures = dict[str, Figure]


class UnknownMeasure(InvalidInput, LookupError):
    """There is no measure of that name."""


class MeasureInputs:
    """A solved game with the results that several measures share.

    What computes them needs NumPy, and is imported then: names of measures are checked without.
    """

    def __init__(self, solved: "SolvedGame") -> None:
        self.solved = solved

    @cached_property
    def perfect(self) -> OutcomeOdds:
        """The outcome odds of perfect play."""
        return self._odds(PERFECT_POLICY)

    @cached_property
    def chance(self) -> OutcomeOdds:
        """The outcome odds of random picks."""
        return self._odds(RANDOM_POLICY)

    def _odds(self, policy: str) -> OutcomeOdds:
        from evenodds.study.metrics.outcomes import self_play_odds_of

        return self_play_odds_of(self.solved, policy)

    @cached_property
    def count(self) -> "DecisionCounts":
        """The counts of decisions."""
        from evenodds.study.metrics.choice import count_decisions

        return count_decisions(self.solved)

    @property
    def room(self) -> float:
        """The score of perfect play against random picks."""
        from evenodds.study.metrics.skill import perfect_score_against_random

        return perfect_score_against_random(self.solved)

    @cached_property
    def comparisons(self) -> list[LevelComparison]:
        """The comparisons of levels; empty where their matches hardly ever end."""
        from evenodds.study.metrics.skill import level_comparisons_of

        return [] if self.solved.mostly_cyclic else level_comparisons_of(self.solved)


class Measure(NamedTuple):
    """A figure of a game, its description in one sentence, and how it is shown."""

    about: str
    find: Callable[[MeasureInputs], Figure]
    share: bool = False
    """Whether it is a share, shown in %."""
    sides: bool = False
    """Whether it favours the first seat above 0 and the second below."""


MEASURES: Final[dict[str, Measure]] = {
    "positions": Measure(
        "Different positions that can come up before the end.",
        lambda inputs: inputs.solved.solution.positions,
    ),
    "value": Measure(
        "What the start is worth to the first seat: 1 is a win, 0 fair or a draw, -1 a loss.",
        lambda inputs: inputs.solved.value,
        sides=True,
    ),
    "fair": Measure(
        "Whether the start is worth the same to both seats, within the certified gap.",
        lambda inputs: abs(inputs.solved.value) <= inputs.solved.solution.gap + VALUE_TOLERANCE,
    ),
    "draws": Measure(
        "How many matches are drawn when both play perfectly. Where this can be computed, a "
        "position that occurs 3 times is a draw; otherwise play goes on (see endless).",
        lambda inputs: inputs.perfect.draw,
        share=True,
    ),
    "endless": Measure(
        "How many matches never end when both play perfectly and a repeated position is no draw.",
        lambda inputs: inputs.perfect.endless,
        share=True,
    ),
    "decided": Measure(
        "How many matches somebody wins when both play perfectly.",
        lambda inputs: inputs.perfect.decided,
        share=True,
    ),
    "edge": Measure(
        "How much more the first seat wins than the second when both pick at random.",
        lambda inputs: inputs.chance.first - inputs.chance.second,
        share=True,
        sides=True,
    ),
    "length": Measure(
        "How many rounds (in games of turns: picks) a match takes on average when both play "
        "perfectly.",
        lambda inputs: inputs.perfect.length,
    ),
    "chance_length": Measure(
        "How many rounds (in games of turns: picks) a match takes on average when both pick at "
        "random.",
        lambda inputs: inputs.chance.length,
    ),
    "idle": Measure(
        "How many decisions do not matter: every pick is equally good.",
        lambda inputs: inputs.count.share(inputs.count.idle),
        share=True,
    ),
    "single": Measure(
        "How many decisions have a single best pick.",
        lambda inputs: inputs.count.share(inputs.count.single),
        share=True,
    ),
    "step": Measure(
        "The best score of a level against the level below. No figure where their matches hardly "
        "ever end.",
        lambda inputs: max((rung.score for rung in inputs.comparisons), default=None),
        share=True,
    ),
    "steps": Measure(
        f"How many levels score at least {STEP} against the level below. No figure where their "
        "matches hardly ever end.",
        lambda inputs: count_noticeable_steps(inputs.comparisons) if inputs.comparisons else None,
    ),
    "room": Measure(
        "What perfect play scores against random picks.",
        lambda inputs: inputs.room,
        share=True,
    ),
}

DEFAULT_MEASURES: Final = ("positions", "value", "draws", "length", "idle", "steps")
"""The measures of a sweep unless others are chosen."""


def select_measures(names: tuple[str, ...]) -> tuple[str, ...]:
    """Measures by name, each once, in the order of the list; the usual ones for none."""
    for name in names:
        if name not in MEASURES:
            known = ", ".join(MEASURES)
            raise UnknownMeasure(f'there is no measure called "{shorten(name)}"; there are {known}')
    return tuple(name for name in MEASURES if name in (names or DEFAULT_MEASURES))


def compute_measures(solved: "SolvedGame", names: tuple[str, ...]) -> Figures:
    """The figures of a game by the names of their measures."""
    inputs = MeasureInputs(solved)
    return {name: _rounded(MEASURES[name].find(inputs)) for name in names}


def _rounded(figure: Figure) -> Figure:
    return round(figure, FIGURE_DECIMALS) + 0.0 if isinstance(figure, float) else figure
