"""SVG charts for self-contained pages: bars, stacked bars, columns, lines and heat maps.

Charts have the width of a phone and are scaled up a little on wider screens. Each has a title and a
description for screen readers. Colours come from the CSS classes of the page, in light and dark.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from evenodds.figures import percent

CHART_WIDTH_PX: Final = 320
MAX_CHART_SCALE: Final = 1.25
"""How much a chart is scaled up on a wide screen."""
BAR_PITCH_PX: Final = 22
"""Distance from one horizontal bar to the next."""
STACKED_BAR_PITCH_PX: Final = 46
PLOT_LEFT_PX: Final = 38.0
PLOT_TOP_PX: Final = 8.0
PLOT_HEIGHT_PX: Final = 120
"""Height of the plot area of column and line charts."""
CHARACTER_WIDTH_PX: Final = 6.4
MIN_LABELLED_WIDTH_PX: Final = 24
"""The least width of a field that shows its label."""
FIELDS_TOP_PX: Final = 38.0
"""The top of the fields, below the labels of the columns."""
SEAT_TINTS: Final = ("t1", "t2")
"""CSS classes of the tints of the first seat and of the second."""


class Series(NamedTuple):
    """A named series of shares; `style` is the CSS class `one` or `two`."""

    name: str
    style: str
    shares: Sequence[float]


class HeatMapField(NamedTuple):
    """A field of a heat map: tint, strength from 0 to 1, label and tooltip."""

    tint: str
    strength: float
    label: str
    tip: str


class Axis(NamedTuple):
    """The rows or the columns of a map; the styles `row` and `column` have the seats' colours."""

    name: str
    labels: Sequence[str]
    style: str = "plain"


def _svg(id: str, title: str, about: str, width: float, height: float) -> Element:
    """An SVG element with its text alternative."""
    labels = {"role": "img", "aria-labelledby": f"{id}-t", "aria-describedby": f"{id}-d"}
    size = {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width * MAX_CHART_SCALE:g}"}
    root = Element("svg", size | labels)
    add(root, "title", title, id=f"{id}-t")
    add(root, "desc", about, id=f"{id}-d")
    return root


def add(
    parent: Element, tag: str, content: str = "", tip: str = "", **attributes: str | float
) -> Element:
    """Add an element; `style` is its class, `tip` its tooltip, an empty attribute is left out."""
    shown = {
        "class" if name == "style" else name.replace("_", "-"): (
            value if isinstance(value, str) else f"{value:.1f}"
        )
        for name, value in attributes.items()
        if value != ""
    }
    element = SubElement(parent, tag, shown)
    element.text = content
    if tip:
        add(element, "title", tip)
    return element


def text(
    parent: Element, x: float, y: float, content: str, style: str = "", anchor: str = "middle"
) -> None:
    """Add a text; `y` is its base line."""
    add(parent, "text", content, x=x, y=y, style=style, text_anchor=anchor)


def bar_chart(id: str, title: str, shares: Mapping[str, float], style: str = "one") -> Element:
    """Shares by name as horizontal bars, each on a track that stands for 100%."""
    labels = {name: percent(share) for name, share in shares.items()}
    left = 12 + CHARACTER_WIDTH_PX * max(map(len, labels))
    track = CHART_WIDTH_PX - left - 10 - CHARACTER_WIDTH_PX * max(map(len, labels.values()))
    about = ". ".join(f"{name}: {label}" for name, label in labels.items()) + "."
    root = _svg(id, title, about, CHART_WIDTH_PX, len(shares) * BAR_PITCH_PX)
    for index, (name, share) in enumerate(shares.items()):
        y, height = index * BAR_PITCH_PX, BAR_PITCH_PX - 7.0
        text(root, left - 8, y + 15, name, anchor="end")
        add(root, "rect", x=left, y=y + 3.0, width=track, height=height, style="plate", rx="3")
        if share > 0:
            width = track * share
            add(root, "rect", x=left, y=y + 3.0, width=width, height=height, style=style, rx="3")
        text(root, left + track + 8, y + 15, labels[name], anchor="")
    return root


def interval_chart(
    id: str,
    title: str,
    rows: Mapping[str, tuple[float, float, float]],
    exact: Mapping[str, float],
) -> Element:
    """Shares by name as points, each with its interval, on tracks from 0 to 100%.

    An exact share is a bar across the track. The chart is as wide as its place.
    """
    labels = {name: percent(value) for name, (value, *_) in rows.items()}
    labels |= {name: f"{labels[name]}, exactly {percent(share)}" for name, share in exact.items()}
    about = ". ".join(
        f"{name}: {labels[name]}" + f", from {percent(low)} to {percent(high)}" * (low < high)
        for name, (_, low, high) in rows.items()
    )
    pitch = 2.0 * BAR_PITCH_PX
    root = _svg(id, title, f"{about}.", CHART_WIDTH_PX, len(rows) * pitch)
    del root.attrib["viewBox"]  # nothing is scaled: places on the track are in per cent
    root.attrib |= {"width": "100%", "height": f"{len(rows) * pitch:g}"}
    for index, (name, (value, low, high)) in enumerate(rows.items()):
        y = index * pitch
        left, span, middle = (f"{100 * share:.1f}%" for share in (low, high - low, value))
        text(root, 0, y + 14, f"{name}: {labels[name]}", anchor="")
        add(root, "rect", x=0.0, y=y + 26.0, width="100%", height=2.0, style="plate")
        add(root, "rect", x=left, y=y + 25.0, width=span, height=4.0, style="two")
        add(root, "circle", cx=middle, cy=y + 27.0, r=5.0, style="one")
        if name in exact:
            x = f"{100 * exact[name]:.1f}%"
            add(root, "rect", x=x, y=y + 19.0, width=3.0, height=16.0, style="endless")
    return root


def stacked_bar_chart(
    id: str, title: str, rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]
) -> Element:
    """Stacked bars of 100%: for each row its parts by name, style and share."""
    about = " ".join(
        f"{name}: {', '.join(f'{part} {percent(share)}' for part, _, share in parts)}."
        for name, parts in rows
    )
    root = _svg(id, title, about, CHART_WIDTH_PX, len(rows) * STACKED_BAR_PITCH_PX)
    for index, (name, parts) in enumerate(rows):
        y, x = float(index * STACKED_BAR_PITCH_PX), 0.0
        text(root, 0, y + 13, name, anchor="")
        for part, style, share in parts:
            width, tip = max(0.0, CHART_WIDTH_PX * share), f"{part}: {percent(share)}"
            add(root, "rect", tip=tip, x=x, y=y + 19, width=width, height=20.0, style=style)
            if width >= 44:
                text(root, x + width / 2, y + 33, percent(share), "inside")
            x += width
    return root


def column_chart(id: str, title: str, names: Sequence[str], series: Sequence[Series]) -> Element:
    """Grouped columns: for each name a bar of every series."""
    most = max(max(one.shares) for one in series)
    step = (CHART_WIDTH_PX - PLOT_LEFT_PX) / len(names)
    width = max(1.0, min(24.0, (step - min(4.0, step / 4)) / len(series)))
    bottom = PLOT_TOP_PX + PLOT_HEIGHT_PX
    shown = [[(n, s) for n, s in zip(names, one.shares, strict=False) if s > 0] for one in series]
    root = _svg(id, title, _describe(series, shown), CHART_WIDTH_PX, bottom + 24)
    for share in (0.0, most):
        _grid_line(root, CHART_WIDTH_PX, share, _height(share, 0.0, most))
    for number, one in enumerate(series):
        for index, share in enumerate(one.shares):
            height = PLOT_HEIGHT_PX * share / most
            x = PLOT_LEFT_PX + step * (index + 0.5) + width * (number - len(series) / 2)
            tip = f"{one.name}, {names[index]}: {percent(share)}"
            if share > 0:
                y = bottom - height
                add(root, "rect", tip=tip, x=x, y=y, width=width, height=height, style=one.style)
    column_labels(root, names, PLOT_LEFT_PX, step, bottom + 16)
    return root


def line_chart(
    id: str,
    title: str,
    names: Sequence[str],
    series: Sequence[Series],
    *,
    low: float,
    high: float,
    mark: float | None = None,
    width: float = CHART_WIDTH_PX,
    labelled: bool = True,
) -> Element:
    """A line chart from `low` to `high`, with a horizontal mark at one share."""
    step = (width - PLOT_LEFT_PX) / len(names)
    bottom = PLOT_TOP_PX + PLOT_HEIGHT_PX
    shown = [list(zip(names, one.shares, strict=True)) for one in series]
    root = _svg(id, title, _describe(series, shown), width, bottom + (26 if labelled else 12))
    for share in sorted({low, 0.5, high}):
        _grid_line(root, width, share, _height(share, low, high))
    if mark is not None:
        _grid_line(root, width, mark, _height(mark, low, high), "mark")
    for one in series:
        points = [
            (PLOT_LEFT_PX + step * (index + 0.5), _height(share, low, high))
            for index, share in enumerate(one.shares)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        add(root, "polyline", points=line, style=f"path {one.style}")
        for (x, y), name, share in zip(points, names, one.shares, strict=True):
            tip = f"{one.name}, {name}: {percent(share)}"
            add(root, "circle", tip=tip, cx=x, cy=y, r="4", style=one.style)
    if labelled:
        column_labels(root, names, PLOT_LEFT_PX, step, bottom + 18)
    return root


def _describe(series: Sequence[Series], shown: Iterable[Sequence[tuple[str, float]]]) -> str:
    """The shares of every series by name, in a line."""
    shares = (", ".join(f"{name} {percent(share)}" for name, share in pairs) for pairs in shown)
    return ". ".join(f"{one.name}: {line}" for one, line in zip(series, shares, strict=True)) + "."


def _height(share: float, low: float, high: float) -> float:
    # SVG coordinates grow downwards.
    return PLOT_TOP_PX + PLOT_HEIGHT_PX * (1 - (share - low) / (high - low))


def _grid_line(root: Element, width: float, share: float, y: float, style: str = "grid") -> None:
    """A horizontal line at a share, with its label."""
    add(root, "line", x1=PLOT_LEFT_PX, x2=width, y1=y, y2=y, style=style)
    text(root, PLOT_LEFT_PX - 5, y + 4, percent(share, 0), "axis", "end")


def column_labels(root: Element, names: Sequence[str], left: float, step: float, y: float) -> None:
    """Labels of columns: every one, or every n-th where all do not fit."""
    widest = 8 + 6.6 * max(map(len, names))
    fitting = (n for n in (1, 2, 5, 10, 20, 50, 100) if n * step >= widest - 6 * (n == 1))
    every = next(fitting, 200)
    for index in range(0, len(names), every):
        text(root, left + step * (index + 0.5), y, names[index], "axis")


def score_field(score: float, tip: str) -> HeatMapField:
    """A field for the expected score of the first seat, in the tint of the seat that is ahead."""
    return _field(SEAT_TINTS[score < 0.5], abs(2 * score - 1), score, tip)


def share_field(share: float, tip: str) -> HeatMapField:
    """A field for a share."""
    return _field("t3", share, share, tip)


def _field(tint: str, strength: float, share: float, tip: str) -> HeatMapField:
    # In whole per cent, without the sign: fields are narrow.
    label = percent(share, 0).removesuffix("%")
    return HeatMapField(tint, strength, label, f"{tip}: {percent(share)}")


def heat_map(
    id: str,
    title: str,
    about: str,
    rows: Axis,
    columns: Axis,
    fields: Sequence[Sequence[HeatMapField | None]],
    widest: float = 46.0,
) -> Element:
    """A heat map with labelled axes; a field may be missing."""
    left = (24.0 if rows.name else 4.0) + 6.8 * max(map(len, rows.labels))
    cell_width = min(widest, (CHART_WIDTH_PX - left) / len(columns.labels))
    wide = cell_width >= MIN_LABELLED_WIDTH_PX
    cell_height = min(cell_width, 30.0) if wide else max(cell_width, 13.0)
    bottom = FIELDS_TOP_PX + cell_height * len(rows.labels)
    width = min(CHART_WIDTH_PX, left + max(cell_width * len(columns.labels), 90.0))
    root = _svg(id, title, about, width, bottom + 2)
    text(root, left + cell_width * len(columns.labels) / 2, 13, columns.name, columns.style)
    turned = f"translate(12 {(FIELDS_TOP_PX + bottom) / 2:.1f}) rotate(-90)"
    text(add(root, "g", transform=turned), 0, 0, rows.name, rows.style)
    column_labels(root, columns.labels, left, cell_width, FIELDS_TOP_PX - 8)
    for row, (name, cells) in enumerate(zip(rows.labels, fields, strict=True)):
        y = FIELDS_TOP_PX + cell_height * row
        middle = FIELDS_TOP_PX + cell_height * (row + 0.5) + 4
        if cell_height >= 16 or row % 2 == 0:
            text(root, left - 6, middle, name, "axis", "end")
        for column, field in enumerate(cells):
            x = left + cell_width * column
            if field is not None:
                _draw_field(root, field, x, y, cell_width, cell_height)
                if wide and cell_width >= CHARACTER_WIDTH_PX * len(field.label):
                    text(root, x + cell_width / 2, middle, field.label, "cell")
    return root


def _draw_field(
    root: Element, field: HeatMapField, x: float, y: float, width: float, height: float
) -> None:
    # A tint of its own strength on a background; where it would be invisible, the background alone.
    layers = [("plate", "0.45")]
    if field.strength >= 0.005:
        layers.append((field.tint, f"{max(0.08, field.strength):.2f}"))
    for style, opacity in layers:
        box = add(root, "rect", x=x + 0.5, y=y + 0.5, width=width - 1, height=height - 1)
        box.attrib |= {"class": style, "fill-opacity": opacity}
    add(box, "title", field.tip)
