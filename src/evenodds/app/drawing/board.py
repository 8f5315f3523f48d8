"""The board of a match as a widget: cards under the arrow keys and the mouse, cards turned over."""

from typing import Any, Final

from rich.style import Style
from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from evenodds.app.dialogs.messages import Table
from evenodds.app.drawing.pieces import Look, Piece, Row
from evenodds.app.drawing.styles import board_styles
from evenodds.app.drawing.table import draw_table

MAX_COLUMNS: Final = 68
MAX_ROWS: Final = 26
"""The size of a table at most: in a large window it stays together."""
TURN_STEPS: Final = ((0.12, 0.6), (0.24, 1.0))
"""Seconds after a round, and how far its cards are turned over by then."""


class BoardView(Widget):
    """The table, drawn to fill the widget."""

    class Picked(Message):
        """A number was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self) -> None:
        super().__init__()
        self.table: Table | None = None
        self.look = Look(0, 0)
        self.animated = True

    def show(self, table: Table) -> None:
        """Show a table; the cards of a new round are turned over together."""
        rounds = len(self.table.view.history) if self.table else len(table.view.history)
        if len(table.view.history) > rounds and self.animated:
            self.turn(0.0)
            for seconds, turned in TURN_STEPS:
                self.set_timer(seconds, lambda turned=turned: self.turn(turned))
        elif any(table.view.chosen):
            self.look = self.look._replace(turned=1.0)
        choices = table.view.choices
        cursor = self.look.cursor if self.look.cursor in choices else 0
        pool = choices or self.look.pool
        self.look = self.look._replace(cursor=cursor, pool=pool, keys=0)
        self.table = table
        self.refresh()

    def turn(self, turned: float) -> None:
        """Turn the cards of the last round."""
        self.look = self.look._replace(turned=turned)
        self.refresh()

    def update_look(self, **changes: Any) -> None:
        """Change how the table is drawn."""
        self.look = self.look._replace(**changes)
        self.refresh()

    def move(self, steps: int) -> None:
        """Move the cursor along the choices."""
        choices = self.table.view.choices if self.table else ()
        if choices:
            start = choices.index(self.look.cursor) if self.look.cursor else min(0, -steps)
            self.update_look(cursor=choices[(start + steps) % len(choices)])

    def on_click(self, event: Click) -> None:
        """Pick the number under the mouse."""
        number = event.style.meta.get("pick", 0)
        if number:
            self.post_message(self.Picked(number))

    def render(self) -> Text:
        """The table in the middle of the widget."""
        if self.table is None:
            return Text("")
        columns, rows = min(self.size.width, MAX_COLUMNS), min(self.size.height, MAX_ROWS)
        drawn = draw_table(self.table, self.look._replace(columns=columns, rows=rows))
        margin = Piece(" " * ((self.size.width - columns) // 2))
        above: list[Row] = [[] for _ in range((self.size.height - rows) // 2)]
        lines = [*above, *([margin, *row] for row in drawn)]
        return Text("\n", no_wrap=True).join(map(self._text, lines))

    def _text(self, row: Row) -> Text:
        styles = board_styles(self.app.current_theme.dark)
        text = Text(no_wrap=True)
        for piece in row:
            meta = Style(meta={"pick": piece.pick} if piece.pick else None)
            text.append(piece.text, Style.parse(styles[piece.style]) + meta)
        return text
