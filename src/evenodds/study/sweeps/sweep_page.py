"""A sweep as a self-contained HTML page: heat maps of every measure, and the table."""

from html import escape
from itertools import product
from typing import Final

from evenodds.core.rulings import one_line
from evenodds.render.heat_maps import SEAT_TINTS, Axis, HeatMapField, heat_map
from evenodds.render.html import document, figure, paragraph, section, side_by_side, table
from evenodds.study.sweeps.measures import MEASURES, Figure
from evenodds.study.sweeps.sweep import SweepResult, SweepRow
from evenodds.study.sweeps.tables import format_figure
from evenodds.system.text import counted

MAX_FIELD_WIDTH_PX: Final = 62.0
"""How wide a field may be: a count of millions fits."""


def render_sweep_page(found: SweepResult) -> str:
    """The whole page, the same for the same sweep."""
    title = found.grid.game.title
    fixed = one_line(found.grid.fixed)
    head = f"<h1>{escape(title)}: {counted(len(found.rows), 'rulings')}</h1>\n" + paragraph(
        f"{len(found.found):,} solved; every figure is exact."
        + (f" The other rulings are the book's: {fixed}." if fixed else "")
    )
    parts = [_part(found, name) for name in found.measures] if found.grid.axes else []
    body = "".join([*parts, _table(found), _left_out(found)])
    return document(f"{title}: a sweep", head, body)


def _part(found: SweepResult, name: str) -> str:
    """The maps of one measure: a map over the last two rulings for each choice of the others."""
    *others, down, across = ["", *found.grid.axes] if len(found.grid.axes) < 2 else found.grid.axes
    outer = [found.grid.axes[key] for key in others]
    maps = [
        _map(found, name, down, across, dict(zip(others, values, strict=True)))
        for values in product(*outer)
    ]
    about = MEASURES[name].about
    if found.left_out:
        about += " An empty field was left out; the reason stands below the table."
    return section(name, name, paragraph(about) + side_by_side(*maps))


def _map(found: SweepResult, name: str, down: str, across: str, held: dict[str, str]) -> str:
    """One heat map: a line for each value of one ruling, a column for each of another."""
    lines, columns = found.grid.axes.get(down, [""]), found.grid.axes[across]
    fields = [
        [
            _field(found, name, held | {across: column} | ({down: line} if down else {}))
            for column in columns
        ]
        for line in lines
    ]
    under = one_line(held)
    told = f"{name} by {across}" + (f" and {down}" if down else "") + (f", {under}" if held else "")
    id = "-".join([name, *held.values()])
    about = "The figures are in the table below."
    drawn = heat_map(
        id, told, about, Axis(down, lines), Axis(across, columns), fields, MAX_FIELD_WIDTH_PX
    )
    return figure(under, "", drawn)


def _field(found: SweepResult, name: str, rules: dict[str, str]) -> HeatMapField:
    """One combination: its figure, or why there is none."""
    row = _at(found, rules)
    if row.figures is None:
        return HeatMapField(SEAT_TINTS[0], 0.0, "", f"{one_line(rules)}: {row.reason}")
    one = row.figures[name]
    said = format_figure(name, one)
    return HeatMapField(*_tint(found, name, one), said, f"{one_line(rules)}: {said}")


def _at(found: SweepResult, rules: dict[str, str]) -> SweepRow:
    """The combination with some values of the rulings that are swept."""
    place = 0
    for key, values in found.grid.axes.items():
        place = place * len(values) + values.index(rules[key])
    return found.rows[place]


def _tint(found: SweepResult, name: str, one: Figure) -> tuple[str, float]:
    """Whom a figure speaks for, and how strongly, among those of the same measure."""
    figures = [row.figures[name] for row in found.found if row.figures]
    known = [float(each) for each in figures if each is not None]
    if one is None or not known:
        return SEAT_TINTS[0], 0.0
    least = 0.0 if MEASURES[name].sides else min(known)
    most = max(abs(each - least) for each in known)
    return SEAT_TINTS[one < least], abs(one - least) / most if most else 0.0


def _table(found: SweepResult) -> str:
    keys = list(found.grid.axes)
    rows = [
        [
            one_line(found.swept(row)) or "as in the book",
            *(format_figure(name, row.figures[name]) for name in found.measures),
        ]
        for row in found.found
        if row.figures is not None
    ]
    heads = [" ".join(keys) or "rulings", *found.measures]
    inner = table("All rulings", heads, rows)
    scrolls = (
        f'<div class="scroll" tabindex="0" role="group" aria-label="All rulings">{inner}</div>\n'
    )
    return section("table", "The table", scrolls)


def _left_out(found: SweepResult) -> str:
    if not found.left_out:
        return ""
    items = "".join(
        f"<li>{escape(one_line(found.swept(row)))}: {escape(row.reason)}</li>\n"
        for row in found.left_out
    )
    return section("left-out", "Left out", f"<ul>\n{items}</ul>\n", "")
