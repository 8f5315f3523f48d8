"""The measures of a game: what each means, its unit, and how it is computed.

Study, sweep, repair, comparison and variants read the same table. A measure is computed from a
finished study, or from a solved game, of which it then takes only what it needs.
"""

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.claims.study_figures import Study, count_noticeable_steps
from evenodds.claims.thresholds import STEP, is_fair
from evenodds.figures import percent
from evenodds.system import InvalidInput
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame

FIGURE_DECIMALS: Final = 12
"""Decimals that are kept: what lies beyond is rounding, which differs between machines."""

Figure = float | int | bool | None
"""None where there is no bound, no decision, or nothing to compare."""
Figures = dict[str, Figure]


class Unit(StrEnum):
    """What kind of figure a measure is, which decides how it is shown."""

    BOUND = "a count that may have no bound"
    COUNT = "a count"
    LENGTH = "rounds, or picks in games of turns; no figure where play may not end"
    MEAN = "a mean"
    SHARE = "a share, shown in %"
    STEPS = "steps of the ladder of levels"
    TRUTH = "yes or no"
    VALUE = "from -1 to 1"


class Measure(NamedTuple):
    """A figure of a game: its unit, what it means in one sentence, and how it is computed."""

    unit: Unit
    about: str
    find: Callable[[Any], Figure]
    """From a study, or from a solved game in its stead (`metrics.LazyStudy`)."""
    label: str = ""
    """Its name where games are compared."""
    head: str = ""
    """The head of its column where variants are compared."""
    sides: bool = False
    """Whether it favours the first seat above 0 and the second below."""


MEASURES: Final[dict[str, Measure]] = {
    "positions": Measure(
        Unit.COUNT,
        "Different positions that can come up before the end.",
        lambda study: study.size.positions,
        "Positions",
    ),
    "lines": Measure(
        Unit.BOUND,
        "Lines of play from the start to an end. No figure where play can go round in circles.",
        lambda study: study.size.lines,
        "Lines of play",
    ),
    "value": Measure(
        Unit.VALUE,
        "What the start is worth to the first seat: 1 is a win, 0 fair or a draw, -1 a loss.",
        lambda study: study.value,
        sides=True,
    ),
    "score": Measure(
        Unit.SHARE,
        "What the first seat scores when both play perfectly: a win is 1, a draw 1/2.",
        lambda study: 0.5 + study.value / 2,
        "First seat scores, perfect play",
        "First player",
    ),
    "chance_score": Measure(
        Unit.SHARE,
        "What the first seat scores when both pick at random.",
        lambda study: study.chance.score,
        "First seat scores, random picks",
    ),
    "fair": Measure(
        Unit.TRUTH,
        "Whether the start is worth the same to both seats.",
        lambda study: is_fair(study.value),
    ),
    "chance_draws": Measure(
        Unit.SHARE,
        "How many matches are drawn when both pick at random.",
        lambda study: study.chance.draw,
        "Drawn, random picks",
        "Draws, random",
    ),
    "draws": Measure(
        Unit.SHARE,
        "How many matches are drawn when both play perfectly. Where this can be computed, a "
        "position that occurs 3 times is a draw; otherwise play goes on (see endless).",
        lambda study: study.perfect.draw,
        "Drawn, perfect play",
        "Draws, perfect",
    ),
    "endless": Measure(
        Unit.SHARE,
        "How many matches never end when both play perfectly and a repeated position is no draw.",
        lambda study: study.perfect.endless,
        "Endless, perfect play",
        "Never ends, perfect",
    ),
    "goes_on": Measure(
        Unit.TRUTH,
        "Whether play goes on, however often a position comes up.",
        lambda study: study.goes_on,
    ),
    "decided": Measure(
        Unit.SHARE,
        "How many matches somebody wins when both play perfectly.",
        lambda study: study.perfect.decided,
    ),
    "edge": Measure(
        Unit.SHARE,
        "How much more the first seat wins than the second when both pick at random.",
        lambda study: study.chance.first - study.chance.second,
        sides=True,
    ),
    "length": Measure(
        Unit.LENGTH,
        "How many rounds (in games of turns: picks) a match takes on average when both play "
        "perfectly.",
        lambda study: study.perfect.length,
        "Mean length, perfect play",
        "Length, perfect",
    ),
    "chance_length": Measure(
        Unit.LENGTH,
        "How many rounds (in games of turns: picks) a match takes on average when both pick at "
        "random.",
        lambda study: study.chance.length,
        "Mean length, random picks",
    ),
    "lead_changes": Measure(
        Unit.MEAN,
        "How often the lead changes in a match when both pick at random.",
        lambda study: study.drama and study.drama.changes,
        "Lead changes in a match, random picks",
    ),
    "comebacks": Measure(
        Unit.SHARE,
        "How many matches of random picks are won by a player who could expect 25% or less.",
        lambda study: study.drama and study.drama.comebacks,
        "Comebacks, random picks",
    ),
    "idle": Measure(
        Unit.SHARE,
        "How many decisions do not matter: every pick is equally good. No figure where there is no "
        "decision.",
        lambda study: study.choice.idle,
        "Decisions in which nothing depends on the pick",
        "Idle choices",
    ),
    "single": Measure(
        Unit.SHARE,
        "How many decisions have a single best pick. No figure where there is no decision.",
        lambda study: study.choice.single,
        "Decisions with a single best pick",
    ),
    "perfect_score": Measure(
        Unit.SHARE,
        "What perfect play scores against random picks.",
        lambda study: study.skill.perfect_score,
        "Perfect play against random picks",
        "Perfect against random",
    ),
    "step": Measure(
        Unit.SHARE,
        "The best score of a level against the level below. No figure where there is no decision, "
        "or play can come back to too many positions.",
        lambda study: max((level.score for level in study.skill.comparisons), default=None),
    ),
    "steps": Measure(
        Unit.STEPS,
        f"How many levels score at least {STEP} against the level below. No figure where there is "
        "no decision, or play can come back to too many positions.",
        lambda study: count_noticeable_steps(study.skill.comparisons),
        f"Levels that score at least {STEP} against the level below",
        f"{STEP} steps",
    ),
}
SWEEP_MEASURES: Final = ("positions", "value", "draws", "length", "idle", "steps")
"""The measures of a sweep unless others are chosen."""
VARIANT_MEASURES: Final = tuple(name for name, measure in MEASURES.items() if measure.head)
"""The measures by which the variants of a study are compared."""
COMPARISON_MEASURES: Final = (
    *VARIANT_MEASURES,
    *["chance_score", "chance_length", "single", "lead_changes", "comebacks", "positions", "lines"],
)
"""The measures by which games are compared, in this order."""


def select_names(names: Sequence[str], known: Collection[str], what: str) -> tuple[str, ...]:
    """Names of a list, each once and in its order; `what` is listed there."""
    for name in names:
        if name not in known:
            listed = ", ".join(known)
            raise InvalidInput(f'there is no {what} called "{shorten(name)}"; there are {listed}')
    return tuple(name for name in known if name in names)


def select_measures(names: tuple[str, ...]) -> tuple[str, ...]:
    """Measures by name; the usual ones for none."""
    return select_names(names or SWEEP_MEASURES, MEASURES, "measure")


def compute_measures(source: "Study | SolvedGame", names: tuple[str, ...]) -> Figures:
    """The figures of a game by the names of their measures."""
    study: Any = source
    if not isinstance(source, Study):
        from evenodds.study.metrics import LazyStudy  # needs NumPy

        study = LazyStudy(source)
    found = {name: MEASURES[name].find(study) for name in names}
    return {
        name: round(one, FIGURE_DECIMALS) + 0.0 if isinstance(one, float) else one
        for name, one in found.items()
    }


def format_figure(name: str, figure: Figure) -> str:
    """A figure as text."""
    if figure is None:
        return "none"
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, int):
        return f"{figure:,}"
    if MEASURES[name].unit == Unit.SHARE:
        return percent(figure) if figure >= 0 else f"-{percent(-figure)}"
    return f"{figure:.0f}" if figure == round(figure) else f"{figure:.3f}"
