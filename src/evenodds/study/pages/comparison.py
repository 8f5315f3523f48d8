"""Comparison page of several studies, with links to their reports."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenodds.claims.study_figures import PERFECT_POLICY, RANDOM_POLICY, Study
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings
from evenodds.render.blocks import Chart, Note, Section, Table
from evenodds.render.narration import goal_of
from evenodds.render.templates import render_page
from evenodds.study.pages.metric_tables import outcome_chart
from evenodds.study.verdict import VerdictAnswer, verdict_answers
from evenodds.study.wording import (
    comparison_figures,
    perfect_strategy_note,
    repetition_note,
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
