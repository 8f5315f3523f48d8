"""Output of a sweep: formatted figures, CSV and JSON."""

import csv
import io
from typing import Any

from evenodds.figures import percent
from evenodds.study.measures import MEASURES, Figure
from evenodds.study.sweep import SweepResult

REASON_COLUMN = "reason"
"""The column with the reason why a combination has no figures."""


def format_figure(name: str, figure: Figure) -> str:
    """A figure as text."""
    if figure is None:
        return "none"
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, int):
        return f"{figure:,}"
    if MEASURES[name].share:
        return percent(figure) if figure >= 0 else f"-{percent(-figure)}"
    return f"{figure:.0f}" if figure == round(figure) else f"{figure:.3f}"


def as_csv(result: SweepResult) -> str:
    """A line for each combination in the order of the grid, every figure in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rulings = list(result.grid.game.options)
    writer.writerow([*rulings, *result.measures, REASON_COLUMN])
    for row in result.rows:
        figures = row.figures or {}
        cells = [_cell(figures.get(name)) for name in result.measures]
        writer.writerow([*(row.rules[key] for key in rulings), *cells, row.reason])
    return text.getvalue()


def _cell(figure: Figure) -> str:
    if figure is None:
        return ""
    return str(figure).lower() if isinstance(figure, bool) else repr(figure)


def as_json(result: SweepResult) -> dict[str, Any]:
    """The sweep as data."""
    return {
        "game": result.grid.game.name,
        "swept": result.grid.axes,
        "rules": result.grid.fixed,
        "exact": True,
        "measures": {name: MEASURES[name].about for name in result.measures},
        "rows": [{"rules": row.rules, **row.figures} for row in result.rows if row.figures],
        "left_out": [{"rules": row.rules, REASON_COLUMN: row.reason} for row in result.left_out],
    }
