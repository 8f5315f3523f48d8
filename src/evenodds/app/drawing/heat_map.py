"""The map of all picks: what every pair of picks leads to, in colours and figures."""

import os
from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text

from evenodds.core.vocabulary import FIRST, PASS, Seat, other
from evenodds.core.words import Names

if TYPE_CHECKING:
    from evenodds.engine.solution import PayoffMatrix

CELL_COLUMNS: Final = 4
LOSS_COLOUR: Final = (213, 94, 0)
EVEN_COLOUR: Final = (240, 240, 240)
WIN_COLOUR: Final = (0, 114, 178)
"""Orange, white, blue: colours that the colour-blind can tell apart."""


def draw_heat_map(
    matrix: "PayoffMatrix", seat: Seat, names: Names, columns: int
) -> tuple[list[str], list[Text]]:
    """What is said above the map, and its rows: the picks of a seat, against those of the other."""
    turned = seat != FIRST
    own, theirs = (matrix.second, matrix.first) if turned else (matrix.first, matrix.second)
    payoff = list(zip(*matrix.payoff, strict=True)) if turned else list(matrix.payoff)
    sign = -1 if turned else 1
    shown = theirs[: (columns - CELL_COLUMNS) // CELL_COLUMNS]
    whose = names.sentence(seat, "Your", f"{names[seat]}'s")
    about = (
        f"{whose} expected score in % for each number, with best play afterwards "
        "(win 100, draw 50)."
    )
    if shown != (PASS,):
        about += f" Rows: {names.inside(seat)}. Columns: {names.inside(other(seat))}."
    if shown != theirs:
        about += f" The numbers up to {shown[-1]} are shown."
    head = [f"{'' if number == PASS else number:>{CELL_COLUMNS - 1}} " for number in shown]
    rows = [Text(" " * CELL_COLUMNS + "".join(head), "bold")]
    for number, line in zip(own, payoff, strict=True):
        row = Text(f"{'' if number == PASS else number:>{CELL_COLUMNS - 1}} ", "bold")
        for value in line[: len(shown)]:
            score = (1 + sign * value) / 2
            row.append(f"{round(100 * score):>{CELL_COLUMNS - 1}} ", _style(score))
        rows.append(row)
    return [about, ""], rows


def _style(score: float) -> Style:
    if os.environ.get("NO_COLOR"):  # greys would not tell wins from losses
        return Style(bold=score > 0.5, dim=score < 0.5)
    end = WIN_COLOUR if score > 0.5 else LOSS_COLOUR
    share = abs(2 * score - 1)
    red, green, blue = (
        round(even + share * (full - even)) for even, full in zip(EVEN_COLOUR, end, strict=True)
    )
    text = "#ffffff" if share > 0.6 else "#111111"
    return Style(color=text, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")
