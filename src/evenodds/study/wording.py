"""Formatting of a study's figures, and the measures by which games are compared."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import log10
from typing import Final, NamedTuple

from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    MAX_EXACT_LINES,
    PERFECT_POLICY,
    PERFECT_STRATEGY_NOTE,
    RANDOM_POLICY,
    OutcomeOdds,
    Study,
    StudySummary,
)
from evenodds.claims.thresholds import STEP
from evenodds.core import catalog
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, repetition_rule
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.study.summary import LADDER_STEPS, summary_of

NO_FIGURE: Final = "–"
"""Shown where there is no figure."""
UNBOUNDED: Final = "no bound"
POLICY_LABELS: Final = {
    RANDOM_POLICY: "Random picks",
    PERFECT_POLICY: "Perfect play",
    HIGHEST_POLICY: "Always the highest",
}


def policy_label(policy: str) -> str:
    """The label of a policy."""
    return POLICY_LABELS.get(policy) or policy.replace(":", " ").capitalize()


def ending_name(ending: str) -> str:
    """An ending as words."""
    return ending.replace("_", " ").lower()


def length_unit(study: Study) -> str:
    """The unit of the length of a match."""
    return "rounds" if catalog.get(study.game).simultaneous else "picks"


def format_mean(figure: float | None) -> str:
    """A mean with one decimal."""
    return NO_FIGURE if figure is None else f"{figure:,.1f}"


def format_mean_length(odds: OutcomeOdds) -> str:
    """The mean length of a match."""
    return "endless" if odds.length is None else format_mean(odds.length)


def format_bound(count: int | None) -> str:
    """A count that may have no bound; a very large one by its power of ten."""
    if count is None:
        return UNBOUNDED
    return f"{count:,}" if count <= MAX_EXACT_LINES else f"10^{log10(count):.1f}"


def format_number_ranges(numbers: Iterable[int], last: str = "and") -> str:
    """Numbers as a list in a sentence, with runs of three or more as ranges: `1, 4 to 7 and 9`."""
    known = sorted(numbers)
    breaks = [place for place, (one, two) in enumerate(pairwise(known), 1) if two != one + 1]
    runs = [known[a:b] for a, b in pairwise([0, *breaks, len(known)])] if known else []
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return join_words(words, last)


def repetition_note(study: Study) -> str:
    """The rule on repeated positions, in games where one can come up again."""
    if study.repetition:
        return repetition_rule(study.repetition)
    return (
        f"{repetition_rule(0)} {REPETITION_NOT_COUNTED_NOTE}" if study.size.longest is None else ""
    )


def played_on_note(study: Study) -> str:
    """That a figure ignores the draw by repetition, where others count it."""
    return "Here play goes on, however often a position comes up." if study.repetition else ""


def is_choice_idle(study: Study) -> bool:
    """Whether all ways to play come to the same."""
    return not study.size.decisions or study.choice.idle >= 1 - VALUE_TOLERANCE


def perfect_strategy_note(study: Study) -> str:
    """The note that figures of perfect play are those of one strategy, where it may matter."""
    return "" if is_choice_idle(study) else PERFECT_STRATEGY_NOTE


class ComparisonMeasure(NamedTuple):
    """A figure by which games are compared."""

    name: str
    short: str
    """The head of a column."""
    tell: Callable[[StudySummary, str], str]
    """Formats the figure, given the unit of length."""


COMPARISON_MEASURES: Final = (
    ComparisonMeasure(
        "First seat scores, perfect play",
        "First player",
        lambda b, _: percent(0.5 + b.value / 2),
    ),
    ComparisonMeasure("Drawn, random picks", "Draws, random", lambda b, _: percent(b.chance_draw)),
    ComparisonMeasure("Drawn, perfect play", "Draws, perfect", lambda b, _: percent(b.draw)),
    ComparisonMeasure(
        "Endless, perfect play", "Never ends, perfect", lambda b, _: percent(b.endless)
    ),
    ComparisonMeasure(
        "Mean length, perfect play",
        "Length, perfect",
        lambda b, unit: (
            "endless" if b.length is None else f"{format_mean(b.length)} {unit}".strip()
        ),
    ),
    ComparisonMeasure(
        "Decisions in which nothing depends on the pick",
        "Idle choices",
        lambda b, _: NO_FIGURE if b.idle is None else percent(b.idle),
    ),
    ComparisonMeasure(
        "Perfect play against random picks",
        "Perfect against random",
        lambda b, _: percent(b.perfect_score),
    ),
    ComparisonMeasure(
        f"Levels that score at least {STEP} against the level below",
        f"{STEP} steps",
        lambda b, _: NO_FIGURE if b.steps is None else f"{b.steps} of {LADDER_STEPS}",
    ),
)
"""The measures by which rulings are compared."""


def summary_notes(summary: StudySummary) -> list[str]:
    """Why a figure is missing, or ignores repetitions."""
    notes = []
    if summary.idle is None:
        notes.append("there are no decisions")
    if summary.goes_on:
        notes.append("play goes on, however often a position comes up")
    if summary.steps is None:
        notes.append("the levels are not compared, because matches between them hardly ever end")
    return notes


def _chance(study: Study) -> OutcomeOdds:
    return study.plays[RANDOM_POLICY].odds


def _changes(study: Study) -> str:
    drama = study.plays[RANDOM_POLICY].drama
    return NO_FIGURE if drama is None else f"{drama.changes:.2f}"


def _comebacks(study: Study) -> str:
    drama = study.plays[RANDOM_POLICY].drama
    return NO_FIGURE if drama is None else percent(drama.comebacks)


STUDY_COMPARISON_FIGURES: Final[dict[str, Callable[[Study], str]]] = {
    "First seat scores, random picks": lambda s: percent(_chance(s).score),
    "Mean length, random picks": lambda s: f"{format_mean_length(_chance(s))} {length_unit(s)}",
    "Decisions with a single best pick": lambda s: (
        percent(s.choice.single) if s.size.decisions else NO_FIGURE
    ),
    "Lead changes in a match, random picks": _changes,
    "Comebacks, random picks": _comebacks,
    "Positions": lambda s: f"{s.size.positions:,}",
    "Lines of play": lambda s: format_bound(s.size.lines),
}
"""More figures by which full studies are compared."""


def comparison_figures(study: Study) -> dict[str, str]:
    """The figures by which a study is compared with others, by name."""
    summary = summary_of(study)
    shown = {
        measure.name: measure.tell(summary, length_unit(study)) for measure in COMPARISON_MEASURES
    }
    return shown | {name: tell(study) for name, tell in STUDY_COMPARISON_FIGURES.items()}
