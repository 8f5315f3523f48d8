"""Formatting of a study's figures, and the measures by which games are compared."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds, format_threshold
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, repetition_rule
from evenodds.study.metrics.outcomes import OutcomeOdds
from evenodds.study.metrics.solved_game import (
    COPY_POLICY,
    HIGHEST_POLICY,
    PERFECT_POLICY,
    RANDOM_POLICY,
)
from evenodds.study.study import Study
from evenodds.study.summary import LADDER_STEPS, StudySummary, summary_of
from evenodds.system.text import listed, percent

NO_FIGURE: Final = "–"
"""What stands where there is no figure."""
UNBOUNDED: Final = "no bound"
POLICY_LABELS: Final = {
    RANDOM_POLICY: "Random picks",
    PERFECT_POLICY: "Perfect play",
    HIGHEST_POLICY: "Always the highest",
    COPY_POLICY: "Copying the other",
}


def policy_label(policy: str) -> str:
    """A way of playing as people call it."""
    return POLICY_LABELS.get(policy) or policy.replace(":", " ").capitalize()


def ending_name(ending: str) -> str:
    """What ended a match, in the game's own words."""
    return ending.replace("_", " ").lower()


def length_unit(study: Study) -> str:
    """What the length of a match is counted in."""
    return "rounds" if catalog.get(study.game).simultaneous else "picks"


def format_mean(figure: float | None) -> str:
    """A mean with one digit; nothing where there is none."""
    return NO_FIGURE if figure is None else f"{figure:,.1f}"


def format_mean_length(odds: OutcomeOdds) -> str:
    """The mean length of a match."""
    return "endless" if odds.length is None else format_mean(odds.length)


def format_bound(count: int | None) -> str:
    """A count that may have no bound."""
    return UNBOUNDED if count is None else f"{count:,}"


def format_number_ranges(numbers: Iterable[int], last: str = "and") -> str:
    """Numbers as a list in a sentence, three or more in a row by their ends: `1, 4 to 7 and 9`."""
    known = sorted(numbers)
    breaks = [place for place, (one, two) in enumerate(pairwise(known), 1) if two != one + 1]
    runs = [known[a:b] for a, b in pairwise([0, *breaks, len(known)])] if known else []
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return listed(words, last)


def repetition_note(study: Study) -> str:
    """What becomes of a position that comes up again and again, where one can."""
    if study.repetition:
        return repetition_rule(study.repetition)
    return (
        f"{repetition_rule(0)} {REPETITION_NOT_COUNTED_NOTE}" if study.size.longest is None else ""
    )


def played_on_note(study: Study) -> str:
    """That play goes on in some figures, where in others it does not."""
    return "Here play goes on, however often a position comes up." if study.repetition else ""


class ComparisonMeasure(NamedTuple):
    """A figure by which games are compared."""

    name: str
    short: str
    """A name for the head of a column."""
    tell: Callable[[StudySummary, str], str]
    """The figure of a game whose matches are counted in some unit."""


COMPARISON_MEASURES: Final = (
    ComparisonMeasure(
        "First seat scores, perfect play",
        "First seat, perfect play",
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
        lambda b, _: percent(b.room),
    ),
)


def comparison_measures_of(lines: Thresholds = DEFAULT_THRESHOLDS) -> tuple[ComparisonMeasure, ...]:
    """Those that every ruling is compared by; the score of a step that is felt is a threshold."""
    step = format_threshold("step", lines)
    steps = ComparisonMeasure(
        f"Steps of {step} or more on the ladder",
        f"{step} steps",
        lambda b, _: NO_FIGURE if b.steps is None else f"{b.steps} of {LADDER_STEPS}",
    )
    return (*COMPARISON_MEASURES, steps)


def summary_notes(brief: StudySummary) -> list[str]:
    """Why a figure is missing, or is not that of a match."""
    notes = []
    if brief.idle is None:
        notes.append("there are no decisions")
    if brief.goes_on:
        notes.append("play goes on, however often a position comes up")
    if brief.steps is None:
        notes.append("the levels are not weighed, for matches between them hardly ever end")
    return notes


def _chance(study: Study) -> OutcomeOdds:
    return study.plays[RANDOM_POLICY].fate


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
"""What whole studies are compared by besides."""


def comparison_figures(study: Study, lines: Thresholds = DEFAULT_THRESHOLDS) -> dict[str, str]:
    """The figures by which a study is compared with others, by name."""
    brief = summary_of(study, lines.step)
    told = {
        measure.name: measure.tell(brief, length_unit(study))
        for measure in comparison_measures_of(lines)
    }
    return told | {name: tell(study) for name, tell in STUDY_COMPARISON_FIGURES.items()}
