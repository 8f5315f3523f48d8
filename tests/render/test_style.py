"""The style of pages: what stands on a colour can be read."""

import re
from pathlib import Path

import evenodds


def contrast(one: str, two: str) -> float:
    """How well a colour is told from another: 1 not at all, 21 black from white."""
    lights = []
    for colour in (one, two):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        lights.append(0.05 + 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return max(lights) / min(lights)


def test_what_stands_in_drawings_can_be_read() -> None:
    """Figures on every tint, and those inside bars, in the light and in the dark."""
    (style,) = Path(evenodds.__file__).parent.rglob("render/study.css")
    light, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part))
        for part in style.read_text().split("@media screen", 1)
    )
    for colours in (light, dark):
        for ground in ("card", "mat", "tint-first", "tint-second", "tint-use"):
            assert contrast(colours["ink"], colours[ground]) >= 4.5, ground
        for bar in ("first", "second", "faint", "accent", "good"):
            assert contrast(colours["on"], colours[bar]) >= 4.5, bar
            assert contrast(colours["card"], colours[bar]) >= 4.5, bar
