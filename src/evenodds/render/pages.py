"""HTML pages from Jinja2 templates, and the parts of a page as data: text, tables, charts.

A template lies beside the module that fills it and is named by its path in the package. All that it
prints is escaped, and nothing may be undefined; `macros.html.jinja` draws the parts.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Union
from xml.etree.ElementTree import Element, tostring

from evenodds.render.charts import Series
from evenodds.system import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE: Final = Path(__file__).parents[1]
STUDY_CSS: Final = PACKAGE / "render" / "study.css"
"""The style of study pages, which each of them contains: responsive, with dark mode and print."""


class Note(NamedTuple):
    """A paragraph that stands back; a plain string is a usual paragraph."""

    text: str
    command: str = ""


class Table(NamedTuple):
    """A table whose first column holds the row headers."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    stack: bool = False
    """Whether cells stand below each other on narrow screens."""
    now: Sequence[int] = ()
    """The rows that are highlighted."""


class Chart(NamedTuple):
    """A chart with its caption above, and its figures in a table below."""

    caption: str
    about: str
    svg: Element
    key: Sequence[Series | tuple[str, str]] = ()
    """What the colours stand for: series, or names and CSS classes."""
    figures: "Fold | None" = None


class Fold(NamedTuple):
    """A table that is folded away under a summary."""

    summary: str
    table: Table
    wide: bool = False
    """Whether the table scrolls to the side by itself."""


class Columns(NamedTuple):
    """Blocks side by side on wide screens; empty columns are left out."""

    columns: Sequence[Sequence["Block"]]


Block = Union[str, Note, Table, Chart, Fold, Columns]  # noqa: UP007 - Columns contain blocks


class Section(NamedTuple):
    """A part of a page under a heading."""

    id: str
    title: str
    blocks: Sequence[Block]


def render_page(template: str, **context: Any) -> str:
    """The page that a template makes of its context."""
    return _environment().get_template(template).render(context)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # slow to import

    environment = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals["version"] = __version__
    environment.filters["class_name"] = lambda value: type(value).__name__
    return environment


def _finalize(value: Any) -> Any:
    """A value as it is printed: charts as SVG, text with a non-breaking space before `%`."""
    if type(value) is str:
        return value.replace(" %", "\N{NO-BREAK SPACE}%")
    if isinstance(value, Element):
        from markupsafe import Markup

        return Markup(tostring(value, "unicode"))
    return value
