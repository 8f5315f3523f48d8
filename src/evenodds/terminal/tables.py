"""Tables and bars in lines of text: names to the left, figures to the right."""

from collections.abc import Iterator, Sequence
from typing import Final

from evenodds.core.board import Line, Span, bar
from evenodds.system.text import TextTable, display_width, padded

COLUMN_GAP: Final = 2


def share_bar(name: str, share: float, columns: int, style: str, figure: str) -> Line:
    """A line of a chart: a name, the share as a bar, and its figure."""
    return [Span(f"{name}  "), *bar(round(share * 1000), 1000, columns, style), Span(f" {figure}")]


def table_lines(table: TextTable, names: int = 1) -> list[str]:
    """A table; its first columns are names."""
    widths = _widths(table)
    return [
        "".join(
            padded(cell, width + COLUMN_GAP)
            if place < names
            else " " * (width - display_width(cell)) + cell + " " * COLUMN_GAP
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (table.heads, *table.rows)
    ]


def columns_width(table: TextTable, columns: Sequence[int]) -> int:
    """The width of some columns with the gaps between them."""
    widths = _widths(table)
    return sum(widths[column] + COLUMN_GAP for column in columns) - COLUMN_GAP


def _widths(table: TextTable) -> list[int]:
    columns = zip(table.heads, *table.rows, strict=True)
    return [max(map(display_width, column)) for column in columns]


def select_columns(table: TextTable, columns: Sequence[int]) -> TextTable:
    """The table of some columns."""
    heads, *rows = (tuple(line[at] for at in columns) for line in (table.heads, *table.rows))
    return TextTable(heads, rows)


def fitted(table: TextTable, width: int) -> TextTable:
    """A table that fits: the confidence interval is left out first, then the last columns."""
    shown = [*range(len(table.heads))]
    while columns_width(table, shown) > width and len(shown) > 2:
        intervals = [column for column in shown if table.heads[column] == "95%"]
        shown.remove(intervals[-1] if intervals else shown[-1])
    return select_columns(table, shown)


def split_table(table: TextTable, width: int, names: int = 1) -> Iterator[TextTable]:
    """A table in as many parts as it takes to fit, each with the first columns."""
    columns_left = list(range(names, len(table.heads)))
    while columns_left:
        taken = [*range(names), columns_left.pop(0)]
        while columns_left and columns_width(table, [*taken, columns_left[0]]) <= width:
            taken.append(columns_left.pop(0))
        yield select_columns(table, taken)
