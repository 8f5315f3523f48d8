"""Comparison page of several studies, with links to their reports."""

from collections.abc import Callable, Sequence

from evenodds.claims.study_data import Study
from evenodds.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings
from evenodds.render.blocks import Note, Section, Table
from evenodds.render.templates import render_page
from evenodds.study.wording.figure_formatting import comparison_figures, repetition_note
from evenodds.study.wording.range_notes import equilibrium_ranges_note
from evenodds.study.wording.verdict import verdict_answers


def sibling_page_address(name: str) -> str:
    """The address of the page of a game in the same folder."""
    return f"{name}.html"


def comparison_page(
    studies: Sequence[Study],
    address: Callable[[str], str] = sibling_page_address,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> str:
    """One page with the key measures of some games; `address` gives the page of each."""
    heads = ["Measure", *(study.game for study in studies)]
    found = [comparison_figures(study, thresholds) for study in studies]
    names = found[0] if found else ()
    rows = [[name, *(one[name] for one in found)] for name in names]
    count = sum(study.size.positions for study in studies)
    exactness = (
        f"Every figure is exact: summed over all {count:,} positions of the solved games. "
        "Nothing is sampled."
    )
    notes = {
        study.game: f"{repetition_note(study)} {equilibrium_ranges_note(study.ranges)}".strip()
        for study in studies
    }
    told = [Note(f"{game}: {note}") for game, note in notes.items() if note]
    table = Table("Side by side", heads, rows, stack=True)
    return render_page(
        "study/pages/comparison.html.jinja",
        games=[_game(study, address(study.game), thresholds) for study in studies],
        measures=Section("measures", "Side by side", [table, exactness, *told]),
    )


def _game(study: Study, address: str, thresholds: Thresholds) -> tuple[AnyGame, str, str, str]:
    """A game with its rulings, the address of its page, and what it is like in a few sentences."""
    said = " ".join(answer.sentence for answer in verdict_answers(study, thresholds)[:4])
    return catalog.get(study.game), format_rulings(study.rules), address, said
