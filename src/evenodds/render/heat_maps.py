"""SVG heat maps: a tinted field for each pair of row and column."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from evenodds.figures import percent
from evenodds.render.charts import (
    CHARACTER_WIDTH_PX,
    CHART_WIDTH_PX,
    add,
    column_labels,
    svg,
    text,
)

MIN_LABELLED_WIDTH_PX: Final = 24
"""The least width of a field that shows its label."""
FIELDS_TOP_PX: Final = 38.0
"""The top of the fields, below the labels of the columns."""
SEAT_TINTS: Final = ("t1", "t2")
"""CSS classes of the tints of the first seat and of the second."""


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
    root = svg(id, title, about, width, bottom + 2)
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
