"""Figures of a study in words, and as they are shown where games or variants are compared."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from math import log10
from typing import Final

from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    LEVEL_NAMES,
    MAX_EXACT_LINES,
    PERFECT_POLICY,
    PERFECT_STRATEGY_NOTE,
    POINTS_NOTE,
    RANDOM_POLICY,
    Odds,
    Study,
)
from evenodds.core import catalog
from evenodds.core.catalog import UnknownGame
from evenodds.core.pick_names import is_row
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, repetition_rule
from evenodds.core.vocabulary import SEATS
from evenodds.figures import join_words
from evenodds.study import measures
from evenodds.study.measures import MEASURES, Figure, Figures, Unit

NO_FIGURE: Final = "–"
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


def mean_length(odds: Odds) -> str:
    """The mean length of a match."""
    return "endless" if odds.length is None else format_mean(odds.length)


def format_bound(count: float | None) -> str:
    """A count that may have no bound; a very large one by its power of ten."""
    if count is None:
        return UNBOUNDED
    return f"{count:,}" if count <= MAX_EXACT_LINES else f"10^{log10(count):.1f}"


def called(study: Study, number: int) -> str:
    """What a pick is called, by both names where seats have their own; else its number."""
    with suppress(UnknownGame):
        game = catalog.get(study.game)
        rulings = game.settle(study.rules)
        names = dict.fromkeys(game.words.pick_name(rulings, seat, number) for seat in SEATS)
        return "/".join(name for name in names if name != str(number)) or str(number)
    return str(number)


def format_number_ranges(study: Study, numbers: Iterable[int], last: str = "and") -> str:
    """Picks as a list in a sentence, with runs of three or more as ranges: `1, 4 to 7 and 9`."""
    known = sorted(numbers)
    breaks = [place for place, (one, two) in enumerate(pairwise(known), 1) if two != one + 1]
    runs = [known[a:b] for a, b in pairwise([0, *breaks, len(known)])] if known else []
    words: list[str] = []
    for run in runs:
        names = [called(study, number) for number in run]
        words += [f"{names[0]} to {names[-1]}"] if len(run) > 2 and is_row(names) else names
    return join_words(words, last)


def numbers_are(study: Study, numbers: list[int]) -> str:
    """Picks as the start of a sentence: `1 is`, `1, 4 to 7 and 9 are`."""
    return f"{format_number_ranges(study, numbers)} {'is' if len(numbers) == 1 else 'are'}"


def repetition_note(study: Study) -> str:
    """The rule on repeated positions, in games where one can come up again."""
    if study.repetition:
        return repetition_rule(study.repetition)
    if study.size.longest is not None:
        return ""
    with suppress(UnknownGame):
        if not catalog.get(study.game).can_repeat:
            return repetition_rule(0)
    return f"{repetition_rule(0)} {REPETITION_NOT_COUNTED_NOTE}"


def played_on_note(study: Study) -> str:
    """That a figure ignores the draw by repetition, where others count it."""
    return "Here play goes on, however often a position comes up." if study.repetition else ""


def perfect_strategy_note(study: Study) -> str:
    """The note that figures of perfect play are those of one strategy, and of points, if needed."""
    notes = [
        "" if study.choice.is_idle else PERFECT_STRATEGY_NOTE,
        POINTS_NOTE * bool(study.points),
    ]
    return " ".join(filter(None, notes))


def format_compared(name: str, figure: Figure, things: str = "") -> str:
    """A figure where games or variants are compared; `things` are the unit of length."""
    unit = MEASURES[name].unit
    if unit == Unit.LENGTH:
        return "endless" if figure is None else f"{figure:,.1f} {things}".strip()
    if unit == Unit.BOUND:
        return format_bound(figure)
    if figure is None:
        return NO_FIGURE
    if unit == Unit.STEPS:
        return f"{figure} of {len(LEVEL_NAMES) - 1}"
    return f"{figure:.2f}" if unit == Unit.MEAN else measures.format_figure(name, figure)


def comparison_figures(study: Study) -> dict[str, str]:
    """The figures by which a study is compared with others, by name."""
    figures = measures.compute_measures(study, measures.COMPARISON_MEASURES)
    things = length_unit(study)
    return {
        MEASURES[name].label: format_compared(name, figure, things)
        for name, figure in figures.items()
    }


def variant_notes(figures: Figures) -> list[str]:
    """Why a figure of a variant is missing, or ignores repetitions."""
    notes = {
        "there is never more than one number to pick": figures["idle"] is None,
        "play goes on, however often a position comes up": figures["goes_on"],
        "the levels are not compared, because play can come back to too many positions": (
            figures["steps"] is None and figures["idle"] is not None
        ),
    }
    return [note for note, is_so in notes.items() if is_so]
