"""Templates: what is printed is escaped, what is missing is an error."""

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
    """Of rows that are too narrow every other one is named, from the first on."""
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
