"""Pages: what is printed is escaped and can be read, and rules name the rulings that hold."""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from evenodds.render.charts import (
    CHARACTER_WIDTH_PX,
    Axis,
    Series,
    bar_chart,
    heat_map,
    line_chart,
    score_field,
)
from evenodds.render.pages import PACKAGE, render_page
from tests.support.commands import evenodds_here as command
from tests.support.commands import lines

MESSAGE, MATCH = (f"server/pages/{name}.html.jinja" for name in ("message", "match"))
STRANGE = "<b>&\"'</b>"


def test_what_is_printed_is_escaped() -> None:
    page = render_page(MESSAGE, title="5 %", detail=STRANGE)
    page += render_page(MATCH, modules=[], tags={"og:title": STRANGE})
    assert "<b>" not in page
    assert 'content="&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;">' in page
    assert "<h1>5\N{NO-BREAK SPACE}%</h1>" in page


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="detail"):
        render_page(MESSAGE, title="")


def test_charts_hold_text_as_text() -> None:
    chart = bar_chart("id", STRANGE, {STRANGE: 0.5})
    found = [element.text for element in chart if element.tag in ("title", "text")]
    assert found == [STRANGE, STRANGE, "50%"]


def test_labels_stand_beside_what_they_name() -> None:
    names = [f"level:{level}" for level in range(20)]
    fields = [[score_field(0.25, "")] * 20] * 20
    heat = heat_map("id", "", "", Axis("first", names), Axis("second", names), fields)
    rows = [text for text in heat.iter("text") if text.get("text-anchor") == "end"]
    assert [text.text for text in rows] == names[::2]
    widths = [CHARACTER_WIDTH_PX * len(text.text or "") for text in rows]
    assert all(
        float(text.get("x", 0)) > width + 17 for text, width in zip(rows, widths, strict=True)
    )
    series = [Series("one", "one", (0.2, 0.4))]
    line = line_chart("id", "", ("a", "b"), series, low=0.0, high=1.0)
    labels = [text.get("x") for text in line.iter("text") if text.text in ("a", "b")]
    assert labels == [circle.get("cx") for circle in line.iter("circle")]


def test_no_template_has_scripts_or_styles_of_its_own() -> None:
    templates = [path.read_text() for path in PACKAGE.rglob("*.jinja")]
    assert templates
    for text in templates:
        for inline in ("style=", "onclick=", "<script>"):
            assert inline not in text


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
    style = PACKAGE / "render" / "study.css"
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


def test_rules_at_the_prompt_are_those_of_the_match(home: Path) -> None:
    done = command("play", "circle", "--rule", "reach=3", typed=lines("rules"), home=home)
    assert "With reach=3" in done.stdout
    assert "- `reach` [3], 1 to 3" in done.stdout
    assert "the value in brackets is the one of this match" in done.stdout
