"""A sweep as a web page that needs nothing else: heat maps of every measure, and the table."""

from html import escape
from itertools import product
from typing import Final

from evenodds.rulings import one_line
from evenodds.study.sweeps.measures import MEASURES, Figure
from evenodds.study.sweeps.sweep import Row, Sweep
from evenodds.study.sweeps.tables import shown

CELL: Final = 62
HIGH: Final = 30
EDGE: Final = 70
HEAD: Final = 36
STRONGEST: Final = 0.5
"""How dense the colour of a cell is at most: what stands in it must be read, in the dark too."""

STYLE: Final = """
:root { color-scheme: light dark; --first: #0b7285; --second: #a61e7d; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.maps { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
figure { margin: 0; max-width: 100%; } figcaption { font-size: .9rem; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; text-anchor: middle; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
@media (prefers-color-scheme: dark) { :root { --first: #66d9e8; --second: #f783ac; } }
@media print { figure { break-inside: avoid; } }
"""


def web_page(found: Sweep) -> str:
    """The whole page, the same for the same sweep."""
    game = found.grid.game
    fixed = one_line(found.grid.fixed)
    also = f" The other rulings are the book's: {escape(fixed)}." if fixed else ""
    parts = "".join(_part(found, name) for name in found.measures) if found.grid.axes else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(game.title)}: a sweep</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{escape(game.title)}: {len(found.rows):,} rulings</h1>\n"
        f"<p>{len(found.found):,} solved; every figure is exact.{also}</p>\n"
        f"{parts}{_table(found)}{_left_out(found)}</main>\n</body>\n</html>\n"
    )


def _part(found: Sweep, name: str) -> str:
    """The maps of one measure: a map over the last two rulings for each choice of the others."""
    *others, down, across = ["", *found.grid.axes] if len(found.grid.axes) < 2 else found.grid.axes
    outer = [found.grid.axes[key] for key in others]
    maps = "".join(
        _map(found, name, down, across, dict(zip(others, values, strict=True)))
        for values in product(*outer)
    )
    about = escape(MEASURES[name].about)
    return f'<h2>{name}</h2>\n<p>{about}</p>\n<div class="maps">\n{maps}</div>\n'


def _map(found: Sweep, name: str, down: str, across: str, held: dict[str, str]) -> str:
    """One heat map: a line for each value of one ruling, a column for each of another."""
    lines, columns = found.grid.axes.get(down, [""]), found.grid.axes[across]
    cells = []
    for y, line in enumerate(lines):
        cells.append(_label(EDGE / 2, HEAD + HIGH * (y + 0.5), line))
        for x, column in enumerate(columns):
            rules = held | {across: column} | ({down: line} if down else {})
            cells.append(_square(found, name, rules, x, y))
    heads = [_label(EDGE + CELL * (x + 0.5), HEAD - 9, text) for x, text in enumerate(columns)]
    width, height = EDGE + CELL * len(columns) + 2, HEAD + HIGH * len(lines) + 2
    axis = _label(EDGE + CELL * len(columns) / 2, 11, across) + _label(EDGE / 2, HEAD - 9, down)
    under = escape(one_line(held))
    told = f"{name} by {across}" + (f" and {down}" if down else "") + (f", {under}" if held else "")
    return (
        f"<figure>\n<figcaption>{under}</figcaption>\n"
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{told}; the figures are in the table below">'
        f"{axis}{''.join(heads)}{''.join(cells)}</svg>\n</figure>\n"
    )


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y + 4:g}">{escape(text)}</text>'


def _square(found: Sweep, name: str, rules: dict[str, str], x: int, y: int) -> str:
    """One cell with its figure; empty where there is none."""
    row = _at(found, rules)
    left, top = EDGE + CELL * x, HEAD + HIGH * y
    place = f'x="{left}" y="{top}" width="{CELL}" height="{HIGH}"'
    if row.figures is None:
        title = f"<title>{escape(one_line(rules))}: {escape(row.reason)}</title>"
        return f'<rect {place} fill="none" stroke="var(--line)">{title}</rect>'
    figure = row.figures[name]
    said = shown(name, figure)
    colour, density = _colour(found, name, figure)
    return (
        f'<rect {place} fill="var(--{colour})" fill-opacity="{density:.3f}" stroke="var(--line)">'
        f"<title>{escape(one_line(rules))}: {escape(said)}</title></rect>"
        f"{_label(left + CELL / 2, top + HIGH / 2, said)}"
    )


def _at(found: Sweep, rules: dict[str, str]) -> Row:
    """The combination with some values of the rulings that are swept."""
    place = 0
    for key, values in found.grid.axes.items():
        place = place * len(values) + values.index(rules[key])
    return found.rows[place]


def _colour(found: Sweep, name: str, figure: Figure) -> tuple[str, float]:
    """Whom a figure speaks for, and how strongly, among those of the same measure."""
    figures = [row.figures[name] for row in found.found if row.figures]
    known = [float(one) for one in figures if one is not None]
    if figure is None or not known:
        return "first", 0.0
    least = 0.0 if MEASURES[name].sides else min(known)
    most = max(abs(one - least) for one in known)
    density = STRONGEST * abs(figure - least) / most if most else 0.0
    return ("second" if figure < least else "first"), density


def _table(found: Sweep) -> str:
    keys = list(found.grid.axes)
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in [*keys, *found.measures])
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(row.rules[key])}</td>" for key in keys)
        + "".join(f"<td>{escape(shown(name, row.figures[name]))}</td>" for name in found.measures)
        + "</tr>\n"
        for row in found.found
        if row.figures is not None
    )
    return (
        '<h2>The table</h2>\n<div class="wide" tabindex="0" role="region" aria-label="The table">'
        f"\n<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )


def _left_out(found: Sweep) -> str:
    if not found.left_out:
        return ""
    items = "".join(
        f"<li>{escape(one_line(found.swept(row)))}: {escape(row.reason)}</li>\n"
        for row in found.left_out
    )
    return f"<h2>Left out</h2>\n<ul>\n{items}</ul>\n"
