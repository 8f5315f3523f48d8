"""Output of a sweep: formatted figures, CSV and JSON."""

import csv
import io
from typing import Any

from evenodds.study.sweeps.measures import MEASURES, Figure
from evenodds.study.sweeps.sweep import SweepResult
from evenodds.system.text import percent

REASON_COLUMN = "reason"
"""The column that says why a combination has no figures."""


def format_figure(name: str, figure: Figure) -> str:
    """A figure as people read it."""
    if figure is None:
        return "none"
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, int):
        return f"{figure:,}"
    if MEASURES[name].share:
        return percent(figure) if figure >= 0 else f"-{percent(-figure)}"
    return f"{figure:.0f}" if figure == round(figure) else f"{figure:.3f}"


def as_csv(found: SweepResult) -> str:
    """A line for each combination in the order of the grid, every figure in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rulings = list(found.grid.game.options)
    writer.writerow([*rulings, *found.measures, REASON_COLUMN])
    for row in found.rows:
        figures = row.figures or {}
        cells = [_cell(figures.get(name)) for name in found.measures]
        writer.writerow([*(row.rules[key] for key in rulings), *cells, row.reason])
    return text.getvalue()


def _cell(figure: Figure) -> str:
    if figure is None:
        return ""
    return str(figure).lower() if isinstance(figure, bool) else repr(figure)


def as_json(found: SweepResult) -> dict[str, Any]:
    """The sweep as data."""
    return {
        "game": found.grid.game.name,
        "swept": found.grid.axes,
        "rules": found.grid.fixed,
        "exact": True,
        "measures": {name: MEASURES[name].about for name in found.measures},
        "rows": [{"rules": row.rules, **row.figures} for row in found.rows if row.figures],
        "left_out": [{"rules": row.rules, REASON_COLUMN: row.reason} for row in found.left_out],
    }
