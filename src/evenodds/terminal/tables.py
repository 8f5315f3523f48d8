"""Tables on the screen, drawn by rich: names to the left, figures to the right."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from evenodds.arena.tables import TextTable
from evenodds.system.text import display_width
from evenodds.terminal.screen import Screen

if TYPE_CHECKING:
    from rich.table import Table

COLUMN_GAP: Final = 2


def rich_table(table: TextTable, *, indented: bool = False) -> "Table":
    """A table without lines; one that is indented has figures in its first column, too."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, padding=(0, 0, 0, COLUMN_GAP), pad_edge=indented, header_style="bold")
    for place, head in enumerate(table.heads):
        names = place == 0 and not indented
        drawn.add_column(Text(head), justify="left" if names else "right", no_wrap=True)
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn


def draw_table(table: TextTable, screen: Screen, *, indented: bool = False) -> None:
    """Draw a table that fits."""
    screen.print(rich_table(table, indented=indented))


def columns_width(table: TextTable, columns: Sequence[int]) -> int:
    """The width of some columns with the gaps between them."""
    lines = (table.heads, *table.rows)
    widths = [max(display_width(line[column]) for line in lines) for column in columns]
    return sum(widths) + COLUMN_GAP * (len(columns) - 1)


def select_columns(table: TextTable, columns: Sequence[int]) -> TextTable:
    """The table of some columns."""
    heads, *rows = (
        tuple(line[column] for column in columns) for line in (table.heads, *table.rows)
    )
    return TextTable(heads, rows)


def split_table(table: TextTable, width: int, names: int = 1) -> Iterator[TextTable]:
    """A table in as many parts as it takes to fit, each with the first columns."""
    columns_left = list(range(names, len(table.heads)))
    while columns_left:
        taken = [*range(names), columns_left.pop(0)]
        while columns_left and columns_width(table, [*taken, columns_left[0]]) <= width:
            taken.append(columns_left.pop(0))
        yield select_columns(table, taken)
