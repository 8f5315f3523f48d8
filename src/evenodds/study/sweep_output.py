"""Output of a sweep: CSV, JSON, and a self-contained HTML page with heat maps of every measure."""

import csv
import io
from itertools import product
from typing import Any, Final

from evenodds.core.rulings import format_rulings
from evenodds.figures import counted
from evenodds.render.charts import SEAT_TINTS, Axis, HeatMapField, heat_map
from evenodds.render.pages import Chart, Columns, Section, Table, render_page
from evenodds.study.measures import MEASURES, Figure, format_figure
from evenodds.study.sweep import SweepResult, SweepRow

REASON_COLUMN: Final = "reason"
MAX_FIELD_WIDTH_PX: Final = 62.0
"""The greatest width of a field: a count of millions fits."""


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
        "left_out": left_out_as_json(result),
    }


def left_out_as_json(result: SweepResult) -> list[dict[str, Any]]:
    """The combinations without figures, each with the reason."""
    return [{"rules": row.rules, REASON_COLUMN: row.reason} for row in result.left_out]


def render_sweep_page(result: SweepResult) -> str:
    """The whole page, the same for the same sweep."""
    return render_page(
        "study/pages/sweep.html.jinja",
        title=result.grid.game.title,
        count=counted(len(result.rows), "rulings"),
        solved=f"{len(result.found):,}",
        fixed=format_rulings(result.grid.fixed),
        maps=[_part(result, name) for name in result.measures] if result.grid.axes else [],
        table=_table(result),
        left_out=[(format_rulings(result.swept(row)), row.reason) for row in result.left_out],
    )


def _part(result: SweepResult, name: str) -> Section:
    """The maps of one measure: one over the last two rulings for each combination of the others."""
    axes = result.grid.axes
    *others, down, across = ["", *axes] if len(axes) < 2 else axes
    maps = [
        [_map(result, name, down, across, dict(zip(others, values, strict=True)))]
        for values in product(*(axes[key] for key in others))
    ]
    about = MEASURES[name].about
    if result.left_out:
        about += " An empty field was left out; the reason stands below the table."
    return Section(name, name, [about, Columns(maps)])


def _map(result: SweepResult, name: str, down: str, across: str, held: dict[str, str]) -> Chart:
    """One heat map: a row for each value of one ruling, a column for each of another."""
    lines, columns = result.grid.axes.get(down, [""]), result.grid.axes[across]
    fields = [
        [
            _field(result, name, held | {across: column} | ({down: line} if down else {}))
            for column in columns
        ]
        for line in lines
    ]
    under = format_rulings(held)
    over = f"{across} and {down}" if down else across
    title = f"{name} by {over}, {under}" if held else f"{name} by {over}"
    id = "-".join([name, *held.values()])
    about = "The figures are in the table below."
    chart = heat_map(
        id, title, about, Axis(down, lines), Axis(across, columns), fields, MAX_FIELD_WIDTH_PX
    )
    return Chart(under, "", chart)


def _field(result: SweepResult, name: str, rules: dict[str, str]) -> HeatMapField:
    """The field of a combination: its figure, or why there is none."""
    row = _at(result, rules)
    if row.figures is None:
        return HeatMapField(SEAT_TINTS[0], 0.0, "", f"{format_rulings(rules)}: {row.reason}")
    one = row.figures[name]
    said = format_figure(name, one)
    return HeatMapField(*_tint(result, name, one), said, f"{format_rulings(rules)}: {said}")


def _at(result: SweepResult, rules: dict[str, str]) -> SweepRow:
    """The row of a combination: rows are in the order of the grid, the last ruling fastest."""
    place = 0
    for key, values in result.grid.axes.items():
        place = place * len(values) + values.index(rules[key])
    return result.rows[place]


def _tint(result: SweepResult, name: str, one: Figure) -> tuple[str, float]:
    """The tint of a figure, and its strength among those of the same measure."""
    figures = [row.figures[name] for row in result.found if row.figures]
    known = [float(each) for each in figures if each is not None]
    if one is None or not known:
        return SEAT_TINTS[0], 0.0
    least = 0.0 if MEASURES[name].sides else min(known)
    most = max(abs(each - least) for each in known)
    return SEAT_TINTS[one < least], abs(one - least) / most if most else 0.0


def _table(result: SweepResult) -> Table:
    rows = [
        [
            format_rulings(result.swept(row)) or "as in the book",
            *(format_figure(name, row.figures[name]) for name in result.measures),
        ]
        for row in result.found
        if row.figures is not None
    ]
    return Table("All rulings", [" ".join(result.grid.axes) or "rulings", *result.measures], rows)
