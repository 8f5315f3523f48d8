"""Measures side by side: the page that compares games, and a report's section on variants."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenodds.claims.study_figures import PERFECT_POLICY, RANDOM_POLICY, Study
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings
from evenodds.render.narration import goal_of
from evenodds.render.pages import Block, Chart, Note, Section, Table, render_page
from evenodds.study.measures import MEASURES, VARIANT_MEASURES
from evenodds.study.pages.metric_tables import outcome_chart
from evenodds.study.variants import RulingVariant
from evenodds.study.verdict import VerdictAnswer, verdict_answers
from evenodds.study.wording import (
    comparison_figures,
    format_compared,
    length_unit,
    perfect_strategy_note,
    repetition_note,
    variant_notes,
)


class GameSummary(NamedTuple):
    """A game as the comparison shows it: what it is like first, its rulings last."""

    game: AnyGame
    address: str
    goal: str
    answers: list[VerdictAnswer]
    outcomes: Chart
    rulings: str


def sibling_page_address(name: str) -> str:
    """The address of the page of a game in the same folder."""
    return f"{name}.html"


def comparison_page(
    studies: Sequence[Study],
    address: Callable[[str], str] = sibling_page_address,
) -> str:
    """One page with the key measures of some games; `address` gives the page of each."""
    heads = ["Measure", *(study.game for study in studies)]
    found = [comparison_figures(study) for study in studies]
    names = found[0] if found else ()
    rows = [[name, *(one[name] for one in found)] for name in names]
    count = sum(study.size.positions for study in studies)
    exactness = (
        f"Every figure is exact: summed over all {count:,} positions of the solved games. "
        "Nothing is sampled."
    )
    notes = {
        study.game: f"{repetition_note(study)} {perfect_strategy_note(study)}".strip()
        for study in studies
    }
    told = [Note(f"{game}: {note}") for game, note in notes.items() if note]
    table = Table("Side by side", heads, rows, stack=True)
    return render_page(
        "study/pages/comparison.html.jinja",
        games=[_game(study, address(study.game)) for study in studies],
        measures=Section("measures", "Side by side", [table, exactness, *told]),
    )


def _game(study: Study, address: str) -> GameSummary:
    game = catalog.get(study.game)
    return GameSummary(
        game,
        address,
        goal_of(game, game.settle(study.rules)),
        verdict_answers(study)[:5],
        outcome_chart(study, f"outcomes-{study.game}", (RANDOM_POLICY, PERFECT_POLICY)),
        format_rulings(study.rules),
    )


def ruling_variants_part(variants: Sequence[RulingVariant], study: Study) -> Section | None:
    """The section on the variants of every ruling; none where none was studied."""
    if not variants:
        return None
    about = (
        "Each row changes one rule option and leaves the rest as they are. The options used on "
        "this page are marked."
    )
    now = [place for place, one in enumerate(variants) if str(study.rules[one.key]) == one.value]
    rows = [[f"{one.key} = {one.value}", *_figures(one, length_unit(study))] for one in variants]
    heads = ["Ruling", *(MEASURES[name].head for name in VARIANT_MEASURES)]
    table = Table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, repetition_note(study), perfect_strategy_note(study)]
    note = Note(" ".join(filter(None, notes)))
    blocks: list[Block] = [table, note, *map(_variant_note, variants)]
    return Section("variants", "Every ruling each way", blocks)


def _figures(variant: RulingVariant, things: str) -> list[str]:
    if variant.figures is None:
        return ["left out"] + [""] * (len(VARIANT_MEASURES) - 1)
    return [format_compared(name, variant.figures[name], things) for name in VARIANT_MEASURES]


def _variant_note(variant: RulingVariant) -> Note:
    """Why a variant has no figures, with the command that finds them; or why some are missing."""
    name = f"{variant.key} = {variant.value}"
    if variant.figures is None:
        return Note(f"{name} is left out: {variant.reason}.", variant.command)
    notes = variant_notes(variant.figures)
    return Note(f"{name}: {'; '.join(notes)}." if notes else "")
