"""Comparison page of several studies, with links to their reports."""

from collections.abc import Callable, Sequence
from html import escape

from evenodds.claims.study_data import Study
from evenodds.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.core import catalog
from evenodds.core.rulings import format_rulings
from evenodds.render.html import document, escape_text, paragraph, section, table
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
    games = "".join(_game(study, address(study.game), thresholds) for study in studies)
    count = sum(study.size.positions for study in studies)
    exactness = (
        f"Every figure is exact: summed over all {count:,} positions of the solved games. "
        "Nothing is sampled."
    )
    notes_by_game = {
        study.game: f"{repetition_note(study)} {equilibrium_ranges_note(study.ranges)}".strip()
        for study in studies
    }
    notes = "".join(
        paragraph(f"{game}: {note}", "faint") for game, note in notes_by_game.items() if note
    )
    body = section("games", "The games", games, how="") + section(
        "measures",
        "Side by side",
        table("Side by side", heads, rows, stack=True) + paragraph(exactness) + notes,
    )
    head = "<h1>The rule books, compared</h1>\n" + paragraph("What each game is like, exactly.")
    return document("The rule books, compared", head, body)


def _game(study: Study, address: str, thresholds: Thresholds) -> str:
    """A game in a few sentences, with a link to its page."""
    game = catalog.get(study.game)
    said = " ".join(answer.sentence for answer in verdict_answers(study, thresholds)[:4])
    return (
        f'<div class="claim"><h3><a href="{escape(address)}">{escape_text(game.title)}</a></h3>\n'
        + paragraph(f"{game.name}: {format_rulings(study.rules)}", "faint")
        + f"{paragraph(said)}</div>\n"
    )
