"""Curves over time as a picture that stands by itself, both axes logarithmic."""

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple
from xml.etree.ElementTree import tostring

from evenodds.render.charts import add, svg, text

LEFT, RIGHT, TOP, BOTTOM = 46.0, 474.0, 26.0, 236.0
WIDTH, HEIGHT = 490.0, 276.0
STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #2a2420 }
.grid { stroke: #d3c4a8 } .mark { stroke: #7d4b00; stroke-dasharray: 5 4 }
polyline { fill: none } .one, .two { stroke-width: 2 }
.one { stroke: #0d5f70 } .two { stroke: #96205f }
@media (prefers-color-scheme: dark) {
  text { fill: #f2eadd } .grid { stroke: #4d443a } .mark { stroke: #f0bd62 }
  .one { stroke: #74d4e2 } .two { stroke: #f69cc6 }
}
"""


class Curve(NamedTuple):
    """Points under one name; `style` is `one` or `two`."""

    name: str
    style: str
    points: Sequence[tuple[float, float]]


class Axis(NamedTuple):
    """Marks along an axis, the first and the last at its ends, and what is measured."""

    marks: Sequence[float]
    about: str

    def place(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1; what is beyond lies at the end."""
        low, high = log(self.marks[0]), log(self.marks[-1])
        return min(1.0, max(0.0, (log(value) - low) / (high - low)))


def picture(
    title: str,
    about: str,
    axes: tuple[Axis, Axis],
    curves: Sequence[Curve],
    level: tuple[float, str],
) -> str:
    """Curves with their names, and a line across at one level."""

    def across(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * axes[0].place(value)

    def up(value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * axes[1].place(value)

    root = svg("curves", title, about, WIDTH, HEIGHT)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    add(root, "style", STYLE)

    def line(x: float, y: float, to_x: float, to_y: float, style: str) -> None:
        add(root, "line", x1=x, y1=y, x2=to_x, y2=to_y, style=style)

    for mark in axes[0].marks:
        line(across(mark), TOP, across(mark), BOTTOM, "grid")
        text(root, across(mark), BOTTOM + 16, f"{mark:g}")
    for mark in axes[1].marks:
        line(LEFT, up(mark), RIGHT, up(mark), "grid")
        text(root, LEFT - 6, up(mark) + 4, f"{mark:g}", anchor="end")
    text(root, (LEFT + RIGHT) / 2, BOTTOM + 34, axes[0].about)
    text(root, 0, TOP - 12, axes[1].about, anchor="")
    line(LEFT, up(level[0]), RIGHT, up(level[0]), "mark")
    text(root, LEFT + 6, up(level[0]) - 5, level[1], anchor="")
    for curve in curves:
        points = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in curve.points)
        add(root, "polyline", points=points, style=curve.style)
    for place, (style, name) in enumerate({curve.style: curve.name for curve in curves}.items()):
        y = TOP + 16 + 18 * place
        line(RIGHT - 30, y, RIGHT - 8, y, style)
        text(root, RIGHT - 36, y + 4, name, anchor="end")
    return tostring(root, "unicode") + "\n"
