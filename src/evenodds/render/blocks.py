"""The parts of a page as data: text, tables, charts, sections; `macros.html.jinja` draws them."""

from collections.abc import Sequence
from typing import NamedTuple, Union
from xml.etree.ElementTree import Element

from evenodds.render.charts import Series


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
    """A part of a page under a heading; its figures are exact."""

    id: str
    title: str
    blocks: Sequence[Block]
