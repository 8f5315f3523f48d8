"""SVG heat maps: a tinted field for each pair of row and column."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from evenodds.figures.formatting import percent
from evenodds.render.charts import CHART_WIDTH_PX, column_labels, rect, svg, text

MIN_LABELLED_WIDTH_PX: Final = 24
"""The least width of a field that shows its label."""
CHARACTER_WIDTH_PX: Final = 6.4
"""The width of a character in a label."""
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


def score_field(score: float, tip: str) -> HeatMapField:
    """A field for the expected score of the first seat, in the tint of the seat that is ahead."""
    tint = SEAT_TINTS[score < 0.5]
    return HeatMapField(tint, abs(2 * score - 1), _short(score), f"{tip}: {percent(score)}")


def share_field(share: float, tip: str) -> HeatMapField:
    """A field for a share."""
    return HeatMapField("t3", share, _short(share), f"{tip}: {percent(share)}")


def _short(share: float) -> str:
    """A share in whole per cent, without the sign: fields are narrow."""
    return percent(share, 0).removesuffix(" %")


class Axis(NamedTuple):
    """The rows or the columns of a map; the styles `row` and `column` have the seats' colours."""

    name: str
    labels: Sequence[str]
    style: str = "plain"


def heat_map(
    id: str,
    title: str,
    about: str,
    rows: Axis,
    columns: Axis,
    fields: Sequence[Sequence[HeatMapField | None]],
    widest: float = 46.0,
) -> str:
    """A heat map with labelled axes; a field may be missing."""
    left = (24.0 if rows.name else 4.0) + 6.8 * max(map(len, rows.labels))
    cell_width = min(widest, (CHART_WIDTH_PX - left) / len(columns.labels))
    cell_height = (
        min(cell_width, 30.0) if cell_width >= MIN_LABELLED_WIDTH_PX else max(cell_width, 13.0)
    )
    bottom = FIELDS_TOP_PX + cell_height * len(rows.labels)
    elements = [
        text(left + cell_width * len(columns.labels) / 2, 13, columns.name, columns.style),
        f'<g transform="translate(12 {(FIELDS_TOP_PX + bottom) / 2:.1f}) rotate(-90)">'
        f"{text(0, 0, rows.name, rows.style)}</g>",
        *column_labels(columns.labels, left, cell_width, FIELDS_TOP_PX - 8),
    ]
    for y, (name, cells) in enumerate(zip(rows.labels, fields, strict=True)):
        middle = FIELDS_TOP_PX + cell_height * (y + 0.5) + 4
        if cell_height >= 16 or y % 2 == 0:
            elements.append(text(left - 6, middle, name, "axis", "end"))
        for x, field in enumerate(cells):
            if field is not None:
                elements.append(
                    _field(
                        field,
                        left + cell_width * x,
                        FIELDS_TOP_PX + cell_height * y,
                        cell_width,
                        cell_height,
                    )
                )
                if cell_width >= max(MIN_LABELLED_WIDTH_PX, CHARACTER_WIDTH_PX * len(field.label)):
                    elements.append(
                        text(left + cell_width * (x + 0.5), middle, field.label, "cell")
                    )
    width = min(CHART_WIDTH_PX, left + max(cell_width * len(columns.labels), 90.0))
    return svg(id, title, about, width, bottom + 2, "\n".join(elements) + "\n")


def _field(field: HeatMapField, x: float, y: float, cell_width: float, cell_height: float) -> str:
    # A tint of its own strength on a background; where it would be invisible, the background alone.
    box = (x + 0.5, y + 0.5, cell_width - 1, cell_height - 1)
    if field.strength < 0.005:
        return rect(*box, "plate", field.tip, fill_opacity="0.45")
    background = rect(*box, "plate", fill_opacity="0.45")
    return background + rect(
        *box, field.tint, field.tip, fill_opacity=f"{max(0.08, field.strength):.2f}"
    )
