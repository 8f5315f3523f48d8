"""Templates: what is printed is escaped, what is missing is an error."""

import pytest
from jinja2 import UndefinedError

from evenodds.render.charts import bar_chart
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


def test_no_template_has_scripts_or_styles_of_its_own() -> None:
    templates = [path.read_text() for path in PACKAGE.rglob("*.jinja")]
    assert templates
    for text in templates:
        for inline in ("style=", "onclick=", "<script>"):
            assert inline not in text
