"""SVG heat maps: a tinted field for each pair of row and column."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from evenodds.render.charts import CHART_WIDTH_PX, column_labels, rect, svg, text
from evenodds.system.text import percent

MIN_LABELLED_WIDTH_PX: Final = 24
"""The least width of a field that can hold its figure."""
CHARACTER_WIDTH_PX: Final = 6.4
"""How much room a sign takes at least."""
FIELDS_TOP_PX: Final = 38.0
"""Where the fields begin, below the names of the columns."""
SEAT_TINTS: Final = ("t1", "t2")
"""The tints of the first seat and of the second."""


class HeatMapField(NamedTuple):
    """A field of a heat map: how strong its tint is, what stands in it, what it means."""

    tint: str
    strength: float
    label: str
    tip: str


def score_field(score: float, tip: str) -> HeatMapField:
    """The expected score of the first seat as a field: the tint says for whom it is good."""
    tint = SEAT_TINTS[score < 0.5]
    return HeatMapField(tint, abs(2 * score - 1), _short(score), f"{tip}: {percent(score)}")


def share_field(share: float, tip: str) -> HeatMapField:
    """How often something happens, as a field."""
    return HeatMapField("t3", share, _short(share), f"{tip}: {percent(share)}")


def _short(share: float) -> str:
    """A share in whole per cent, without the sign."""
    return percent(share, 0).removesuffix(" %")


class Axis(NamedTuple):
    """What the rows or the columns of a map are: `row` and `column` are in the seats' colours."""

    name: str
    labels: Sequence[str]
    style: str = "plain"


def heat_map(
    id: str,
    title: str,
    about: str,
    rows: Axis,
    across: Axis,
    fields: Sequence[Sequence[HeatMapField | None]],
    widest: float = 46.0,
) -> str:
    """A map of fields, each with a tint; what its rows and columns are stands beside it."""
    left = (24.0 if rows.name else 4.0) + 6.8 * max(map(len, rows.labels))
    wide = min(widest, (CHART_WIDTH_PX - left) / len(across.labels))
    high = min(wide, 30.0) if wide >= MIN_LABELLED_WIDTH_PX else max(wide, 13.0)
    bottom = FIELDS_TOP_PX + high * len(rows.labels)
    drawn = [
        text(left + wide * len(across.labels) / 2, 13, across.name, across.style),
        f'<g transform="translate(12 {(FIELDS_TOP_PX + bottom) / 2:.1f}) rotate(-90)">'
        f"{text(0, 0, rows.name, rows.style)}</g>",
        *column_labels(across.labels, left, wide, FIELDS_TOP_PX - 8),
    ]
    for y, (name, line) in enumerate(zip(rows.labels, fields, strict=True)):
        middle = FIELDS_TOP_PX + high * (y + 0.5) + 4
        if high >= 16 or y % 2 == 0:
            drawn.append(text(left - 6, middle, name, "axis", "end"))
        for x, field in enumerate(line):
            if field is not None:
                drawn.append(_field(field, left + wide * x, FIELDS_TOP_PX + high * y, wide, high))
                if wide >= max(MIN_LABELLED_WIDTH_PX, CHARACTER_WIDTH_PX * len(field.label)):
                    drawn.append(text(left + wide * (x + 0.5), middle, field.label, "cell"))
    width = min(CHART_WIDTH_PX, left + max(wide * len(across.labels), 90.0))
    return svg(id, title, about, width, bottom + 2, "\n".join(drawn) + "\n")


def _field(field: HeatMapField, x: float, y: float, wide: float, high: float) -> str:
    """The plate of a field and its tint upon it."""
    box = (x + 0.5, y + 0.5, wide - 1, high - 1)
    if field.strength < 0.005:
        return rect(*box, "plate", field.tip, fill_opacity="0.45")
    plate = rect(*box, "plate", fill_opacity="0.45")
    return plate + rect(
        *box, field.tint, field.tip, fill_opacity=f"{max(0.08, field.strength):.2f}"
    )
