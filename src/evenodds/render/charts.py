"""SVG charts for self-contained pages: bars, stacked bars, columns and lines.

Charts have the width of a phone and are scaled up a little on wider screens. Each has a title and a
description for screen readers. Colours come from the CSS classes of the page, in light and dark.
"""

from collections.abc import Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

from evenodds.figures.formatting import percent
from evenodds.figures.tolerance import VALUE_TOLERANCE

CHART_WIDTH_PX: Final = 320
MAX_CHART_SCALE: Final = 1.25
"""How much a chart is scaled up on a wide screen."""
BAR_PITCH_PX: Final = 22
"""Distance from one horizontal bar to the next."""
PLOT_HEIGHT_PX: Final = 120
"""Height of the plot area of column and line charts."""


class Bar(NamedTuple):
    """A horizontal bar: its name, its share of the track, and the label at its end."""

    name: str
    share: float
    label: str


class Series(NamedTuple):
    """A named series of shares; `style` is the CSS class `one` or `two`."""

    name: str
    style: str
    shares: Sequence[float]


def svg(id: str, title: str, about: str, width: float, height: float, inner: str) -> str:
    """An SVG element with its text alternative."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width * MAX_CHART_SCALE:g}" role="img" '
        f'aria-labelledby="{id}-t" aria-describedby="{id}-d">'
        f'<title id="{id}-t">{escape(title)}</title><desc id="{id}-d">{escape(about)}</desc>\n'
        f"{inner}</svg>\n"
    )


def text(x: float, y: float, content: str, style: str = "", anchor: str = "middle") -> str:
    """A text element; `y` is its base line."""
    class_attribute = f' class="{style}"' if style else ""
    anchor_attribute = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{class_attribute}{anchor_attribute}>{escape(content)}</text>'
    )


def rect(
    x: float, y: float, width: float, height: float, style: str, tip: str = "", **more: str
) -> str:
    """A rectangle; `tip` is its tooltip."""
    extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    end = f"><title>{escape(tip)}</title></rect>" if tip else "/>"
    box = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}"'
    return f'<rect {box} class="{style}"{extra}{end}'


def bar_chart(id: str, title: str, found: Sequence[Bar], style: str = "one") -> str:
    """Horizontal bars, one below the other, each on a track that stands for 100 %."""
    left = 12 + 6.4 * max(len(bar.name) for bar in found)
    right = 10 + 6.4 * max(len(bar.label) for bar in found)
    track_width = CHART_WIDTH_PX - left - right
    elements = []
    for index, bar in enumerate(found):
        y = index * BAR_PITCH_PX
        bar_width = track_width * bar.share
        elements += [
            text(left - 8, y + 15, bar.name, anchor="end"),
            rect(left, y + 3, track_width, BAR_PITCH_PX - 7, "plate", rx="3"),
            rect(left, y + 3, bar_width, BAR_PITCH_PX - 7, style, rx="3") if bar.share > 0 else "",
            text(left + track_width + 8, y + 15, bar.label, anchor="start"),
        ]
    about = ". ".join(f"{bar.name}: {bar.label}" for bar in found) + "."
    return svg(
        id, title, about, CHART_WIDTH_PX, len(found) * BAR_PITCH_PX, "\n".join(elements) + "\n"
    )


def stacked_bar_chart(
    id: str, title: str, rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]
) -> str:
    """Stacked bars of 100 %: for each row its parts by name, style and share."""
    elements, said = [], []
    for index, (name, parts) in enumerate(rows):
        y, x = index * 46.0, 0.0
        elements.append(text(0, y + 13, name, anchor="start"))
        for part, style, share in parts:
            bar_width = CHART_WIDTH_PX * share
            elements.append(rect(x, y + 19, bar_width, 20, style, f"{part}: {percent(share)}"))
            if bar_width >= 44:
                elements.append(text(x + bar_width / 2, y + 33, percent(share), "inside"))
            x += bar_width
        known = ", ".join(f"{part} {percent(share)}" for part, _, share in parts)
        said.append(f"{name}: {known}.")
    return svg(
        id, title, " ".join(said), CHART_WIDTH_PX, len(rows) * 46, "\n".join(elements) + "\n"
    )


def column_chart(id: str, title: str, names: Sequence[str], series: Sequence[Series]) -> str:
    """Grouped columns: for each name a bar of every series."""
    left, top = 38.0, 8.0
    most = max(max(one.shares) for one in series)
    step = (CHART_WIDTH_PX - left) / len(names)
    bar_width = max(1.0, min(24.0, (step - min(4.0, step / 4)) / len(series)))
    elements = [_grid_line(left, top, 0.0, 0.0, most), _grid_line(left, top, most, 0.0, most)]
    for number, one in enumerate(series):
        for index, share in enumerate(one.shares):
            height = PLOT_HEIGHT_PX * share / most
            x = left + step * (index + 0.5) + bar_width * (number - len(series) / 2)
            tip = f"{one.name}, {names[index]}: {percent(share)}"
            if share > 0:
                elements.append(
                    rect(x, top + PLOT_HEIGHT_PX - height, bar_width, height, one.style, tip)
                )
    elements += column_labels(names, left, step, top + PLOT_HEIGHT_PX + 16)
    about = ". ".join(f"{one.name}: {_describe_shares(names, one.shares)}" for one in series) + "."
    return svg(
        id, title, about, CHART_WIDTH_PX, top + PLOT_HEIGHT_PX + 24, "\n".join(elements) + "\n"
    )


def _describe_shares(names: Sequence[str], shares: Sequence[float]) -> str:
    """The shares above 0 by name, in a line."""
    known = zip(names, shares, strict=False)
    return ", ".join(f"{name} {percent(share)}" for name, share in known if share > 0)


def _grid_line(
    left: float, top: float, share: float, low: float, high: float, style: str = "grid"
) -> str:
    """A horizontal line at a share, with its label."""
    y = top + PLOT_HEIGHT_PX * (1 - (share - low) / (high - low))
    return (
        f'<line x1="{left:.1f}" x2="{CHART_WIDTH_PX}" y1="{y:.1f}" y2="{y:.1f}" class="{style}"/>'
        + text(left - 5, y + 4, percent(share, 0), "axis", "end")
    )


def column_labels(names: Sequence[str], left: float, step: float, y: float) -> list[str]:
    """Labels of columns: every one, or every n-th where all do not fit."""
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
        text(left + step * (index + 0.5), y, name, "axis")
        for index, name in enumerate(names)
        if index % every == 0
    ]


def line_chart(
    id: str, title: str, names: Sequence[str], series: Sequence[Series], mark: float
) -> str:
    """A line chart with a horizontal mark at one share."""
    left, top = 38.0, 8.0
    shares = [share for one in series for share in one.shares]
    low = min(0.4, floor(10 * min(shares)) / 10)
    high = max(0.7, ceil(10 * max(shares) - VALUE_TOLERANCE) / 10)
    step = (CHART_WIDTH_PX - left) / len(names)
    elements = [_grid_line(left, top, share, low, high) for share in sorted({low, 0.5, high})]
    elements.append(_grid_line(left, top, mark, low, high, "mark"))
    for one in series:
        points = [
            (left + step * (index + 0.5), top + PLOT_HEIGHT_PX * (1 - (share - low) / (high - low)))
            for index, share in enumerate(one.shares)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        elements.append(f'<polyline points="{line}" class="path {one.style}"/>')
        elements += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="{one.style}">'
            f"<title>{escape(f'{one.name}, {name}: {percent(share)}')}</title></circle>"
            for (x, y), name, share in zip(points, names, one.shares, strict=True)
        ]
    elements += column_labels(names, left, step, top + PLOT_HEIGHT_PX + 18)
    about = ". ".join(f"{one.name}: {_describe_shares(names, one.shares)}" for one in series) + "."
    return svg(
        id, title, about, CHART_WIDTH_PX, top + PLOT_HEIGHT_PX + 26, "\n".join(elements) + "\n"
    )
