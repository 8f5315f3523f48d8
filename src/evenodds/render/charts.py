"""SVG charts for self-contained pages: bars, stacked bars, columns and lines.

Each is drawn for a phone and grows a little where there is room. A title and a description say to
those who listen what it shows; the colours are the page's, in the light and in the dark.
"""

from collections.abc import Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

from evenodds.system.text import percent
from evenodds.system.tolerance import VALUE_TOLERANCE

CHART_WIDTH_PX: Final = 320
MAX_CHART_SCALE: Final = 1.25
"""How much larger than drawn a plot is shown where there is room."""
BAR_PITCH_PX: Final = 22
"""From one horizontal bar to the next."""
PLOT_HEIGHT_PX: Final = 120
"""The height of the room in which columns and curves stand."""


class Bar(NamedTuple):
    """A horizontal bar: its name, its share of the whole, and what is said of it at its end."""

    name: str
    share: float
    label: str


class Series(NamedTuple):
    """Shares in a row under one name; `style` is `one` or `two`."""

    name: str
    style: str
    shares: Sequence[float]


def svg(id: str, title: str, about: str, width: float, height: float, inner: str) -> str:
    """A drawing with its text alternative."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width * MAX_CHART_SCALE:g}" role="img" '
        f'aria-labelledby="{id}-t" aria-describedby="{id}-d">'
        f'<title id="{id}-t">{escape(title)}</title><desc id="{id}-d">{escape(about)}</desc>\n'
        f"{inner}</svg>\n"
    )


def text(x: float, y: float, said: str, style: str = "", anchor: str = "middle") -> str:
    """A piece of text, its base line at a height."""
    kind = f' class="{style}"' if style else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{at}>{escape(said)}</text>'


def rect(
    x: float, y: float, wide: float, high: float, style: str, tip: str = "", **more: str
) -> str:
    """A box; `tip` is said when somebody points at it."""
    extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    end = f"><title>{escape(tip)}</title></rect>" if tip else "/>"
    box = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, wide):.1f}" height="{high:.1f}"'
    return f'<rect {box} class="{style}"{extra}{end}'


def bar_chart(id: str, title: str, found: Sequence[Bar], style: str = "one") -> str:
    """Horizontal bars, one below the other: the track of each is the whole."""
    left = 12 + 6.4 * max(len(bar.name) for bar in found)
    right = 10 + 6.4 * max(len(bar.label) for bar in found)
    room = CHART_WIDTH_PX - left - right
    drawn = []
    for place, bar in enumerate(found):
        y = place * BAR_PITCH_PX
        wide = room * bar.share
        drawn += [
            text(left - 8, y + 15, bar.name, anchor="end"),
            rect(left, y + 3, room, BAR_PITCH_PX - 7, "plate", rx="3"),
            rect(left, y + 3, wide, BAR_PITCH_PX - 7, style, rx="3") if bar.share > 0 else "",
            text(left + room + 8, y + 15, bar.label, anchor="start"),
        ]
    about = ". ".join(f"{bar.name}: {bar.label}" for bar in found) + "."
    return svg(id, title, about, CHART_WIDTH_PX, len(found) * BAR_PITCH_PX, "\n".join(drawn) + "\n")


def stacked_bar_chart(
    id: str, title: str, rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]
) -> str:
    """Bars that are whole, cut into parts: for each row its parts by name, style and share."""
    drawn, said = [], []
    for place, (name, parts) in enumerate(rows):
        y, x = place * 46.0, 0.0
        drawn.append(text(0, y + 13, name, anchor="start"))
        for part, style, share in parts:
            wide = CHART_WIDTH_PX * share
            drawn.append(rect(x, y + 19, wide, 20, style, f"{part}: {percent(share)}"))
            if wide >= 44:
                drawn.append(text(x + wide / 2, y + 33, percent(share), "inside"))
            x += wide
        known = ", ".join(f"{part} {percent(share)}" for part, _, share in parts)
        said.append(f"{name}: {known}.")
    return svg(id, title, " ".join(said), CHART_WIDTH_PX, len(rows) * 46, "\n".join(drawn) + "\n")


def column_chart(id: str, title: str, names: Sequence[str], series: Sequence[Series]) -> str:
    """Upright bars over names in a row, the bars of each series beside each other."""
    left, top = 38.0, 8.0
    most = max(max(one.shares) for one in series)
    step = (CHART_WIDTH_PX - left) / len(names)
    wide = max(1.0, min(24.0, (step - min(4.0, step / 4)) / len(series)))
    drawn = [_grid_line(left, top, 0.0, 0.0, most), _grid_line(left, top, most, 0.0, most)]
    for number, one in enumerate(series):
        for place, share in enumerate(one.shares):
            high = PLOT_HEIGHT_PX * share / most
            x = left + step * (place + 0.5) + wide * (number - len(series) / 2)
            tip = f"{one.name}, {names[place]}: {percent(share)}"
            if share > 0:
                drawn.append(rect(x, top + PLOT_HEIGHT_PX - high, wide, high, one.style, tip))
    drawn += column_labels(names, left, step, top + PLOT_HEIGHT_PX + 16)
    about = ". ".join(f"{one.name}: {_describe_shares(names, one.shares)}" for one in series) + "."
    return svg(id, title, about, CHART_WIDTH_PX, top + PLOT_HEIGHT_PX + 24, "\n".join(drawn) + "\n")


def _describe_shares(names: Sequence[str], shares: Sequence[float]) -> str:
    """Shares by name in a line, those that are nothing left out."""
    known = zip(names, shares, strict=False)
    return ", ".join(f"{name} {percent(share)}" for name, share in known if share > 0)


def _grid_line(
    left: float, top: float, share: float, low: float, high: float, style: str = "grid"
) -> str:
    """A line across the room at a share, with its name."""
    y = top + PLOT_HEIGHT_PX * (1 - (share - low) / (high - low))
    return (
        f'<line x1="{left:.1f}" x2="{CHART_WIDTH_PX}" y1="{y:.1f}" y2="{y:.1f}" class="{style}"/>'
        + text(left - 5, y + 4, percent(share, 0), "axis", "end")
    )


def column_labels(names: Sequence[str], left: float, step: float, y: float) -> list[str]:
    """Names under columns, as many as there is room for."""
    widest = 8 + 6.6 * max(len(name) for name in names)
    every = next(
        (
            n
            for n in (1, 2, 5, 10, 20, 50, 100)
            if n * step >= widest or (n == 1 and step >= widest - 6)
        ),
        200,
    )
    return [
        text(left + step * (place + 0.5), y, name, "axis")
        for place, name in enumerate(names)
        if place % every == 0
    ]


def line_chart(
    id: str, title: str, names: Sequence[str], series: Sequence[Series], mark: float
) -> str:
    """Lines from name to name, with a mark across at one share."""
    left, top = 38.0, 8.0
    shares = [share for one in series for share in one.shares]
    low = min(0.4, floor(10 * min(shares)) / 10)
    high = max(0.7, ceil(10 * max(shares) - VALUE_TOLERANCE) / 10)
    step = (CHART_WIDTH_PX - left) / len(names)
    drawn = [_grid_line(left, top, share, low, high) for share in sorted({low, 0.5, high})]
    drawn.append(_grid_line(left, top, mark, low, high, "mark"))
    for one in series:
        points = [
            (left + step * (place + 0.5), top + PLOT_HEIGHT_PX * (1 - (share - low) / (high - low)))
            for place, share in enumerate(one.shares)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{line}" class="path {one.style}"/>')
        drawn += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="{one.style}">'
            f"<title>{escape(f'{one.name}, {name}: {percent(share)}')}</title></circle>"
            for (x, y), name, share in zip(points, names, one.shares, strict=True)
        ]
    drawn += column_labels(names, left, step, top + PLOT_HEIGHT_PX + 18)
    about = ". ".join(f"{one.name}: {_describe_shares(names, one.shares)}" for one in series) + "."
    return svg(id, title, about, CHART_WIDTH_PX, top + PLOT_HEIGHT_PX + 26, "\n".join(drawn) + "\n")
