"""The board of a match as a widget: cards under the arrow keys and the mouse, cards turned over."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from rich.style import Style
from rich.text import Text
from textual.events import Click, Key
from textual.timer import Timer
from textual.widget import Widget

from evenodds.app.drawing.pieces import Look, Piece, Row, Stage, board_styles
from evenodds.app.drawing.table import draw_table
from evenodds.core.vocabulary import FIRST, Seat
from evenodds.table.table import TableView as Table

MIN_COLUMNS: Final = 40
"""While a window is made smaller, the rest of a table is cut off."""
MAX_COLUMNS: Final = 68
MAX_ROWS: Final = 26
"""The size of a table at most: in a large window it stays together."""
ZERO_KEY_NUMBER: Final = 10
MAX_TYPED_DIGITS: Final = 4
TURN: Final = {Stage.BACKS: 0.0, Stage.EDGES: 0.12, Stage.RESULT: 0.24}
"""What is shown after a round, from how many seconds on."""
UPSET_TURN: Final = TURN | {Stage.FACES: 0.24, Stage.RESULT: 0.9}
"""The same for an upset: the higher card seems to win, then the mark goes over."""


class BoardView(Widget):
    """The table, drawn to fill the widget. `pick` takes a number that is clicked or typed."""

    def __init__(self, pick: Callable[[int], None]) -> None:
        super().__init__()
        self.pick = pick
        self.table: Table | None = None
        self.look = Look(0, 0)
        self.typed = ""
        """Digits of a number that Enter picks."""
        self._turning: list[Timer] = []

    def show(self, table: Table) -> None:
        """Show a table; the cards of a new round are turned over together."""
        rounds = len(self.table.view.history) if self.table else len(table.view.history)
        if len(table.view.history) > rounds and self.app.animation_level != "none":
            self._turn_over(table)
        elif any(table.view.chosen):
            self._stop_turning()
        self.table, choices = table, table.view.choices
        cursor = self.look.cursor if self.look.cursor in choices else 0
        self.update_look(cursor=cursor, pool=choices or self.look.pool)

    def _turn_over(self, table: Table) -> None:
        """Turn over the cards of the last round; nobody waits for it."""
        self._stop_turning()
        upset = table.words.upset(table.before, table.view.history[-1])
        self.update_look(stage=Stage.BACKS)
        for stage, seconds in (UPSET_TURN if upset else TURN).items():
            if seconds:
                show = partial(self.update_look, stage=stage)
                self._turning.append(self.set_timer(seconds, show))

    def _stop_turning(self) -> None:
        for timer in self._turning:
            timer.stop()
        self._turning = []
        self.update_look(stage=Stage.RESULT)

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
        table = self.table
        if number and table and number in table.view.choices and not table.hidden:
            self.pick(number)

    def type_key(self, key: Key) -> None:
        """Take a digit, or take back the digits before.

        A number that is seen is picked when no longer one can be meant, however long that takes: a
        pause picks nothing.
        """
        digit = key.character or ""
        if key.key == "backspace":
            self.type_text("")
        if self.table is None or not digit.isdecimal() or not digit.isascii():
            return
        key.stop()
        keys = self._keys
        zero = not self.typed and 0 not in keys and max(keys, default=0) <= ZERO_KEY_NUMBER
        self.type_text(self.typed + (str(ZERO_KEY_NUMBER) if digit == "0" and zero else digit))
        if not self.table.hidden and not self.longer_numbers:
            self.pick(self.chosen)

    def _asked(self, table: Table) -> tuple[Any, Seat, tuple[int, ...]]:
        """The rulings, the seat that is asked, and its choices: by them picks have names."""
        return table.view.state.rulings, table.asked or FIRST, table.view.choices

    @property
    def _keys(self) -> dict[int, int]:
        """What is typed for each choice."""
        table = self.table
        return table.words.typed_numbers(*self._asked(table)) if table else {}

    @property
    def chosen(self) -> int:
        """The pick that Enter makes: what is typed, or what is under the cursor; 0 for none."""
        table = self.table
        if not self.typed or table is None:
            return self.look.cursor
        return table.words.find_pick(*self._asked(table), self.typed) or 0

    @property
    def longer_numbers(self) -> tuple[int, ...]:
        """The choices that what is typed may be the beginning of: 10 after 1."""
        begun = self.typed
        return tuple(
            n for k, n in self._keys.items() if str(k).startswith(begun) and str(k) != begun
        )

    @property
    def typed_line(self) -> str:
        """What is typed, and how to go on; nothing where nothing waits for another digit."""
        if not self.table or not self.typed or not self.longer_numbers:
            return ""
        (rulings, seat, choices), words = self._asked(self.table), self.table.words
        longer = words.listed(rulings, seat, self.longer_numbers)
        begun = "Type"
        if self.chosen in choices:
            name = words.pick_name(rulings, seat, self.chosen)
            begun = f"Press Enter to pick {name}, or type"
        return f"{self.typed}_  {begun} another digit for {longer}."

    def type_text(self, typed: str) -> None:
        """Show what is typed as the cursor; where picks are hidden, only that something is."""
        self.typed = typed[:MAX_TYPED_DIGITS]
        self.refresh()
        table = self.table
        if typed and table and not table.hidden and self.chosen in table.view.choices:
            self.update_look(cursor=self.chosen)

    def render(self) -> Text:
        """The table in the middle of the widget."""
        if self.table is None:
            return Text("")
        columns = max(MIN_COLUMNS, min(self.size.width, MAX_COLUMNS))
        rows = min(self.size.height, MAX_ROWS)
        look = self.look._replace(columns=columns, rows=rows, typed=bool(self.typed))
        drawn = draw_table(self.table, look)
        margin = Piece(" " * ((self.size.width - columns) // 2))
        above: list[Row] = [[] for _ in range((self.size.height - rows) // 2)]
        lines = [*above, *([margin, *row] for row in drawn)]
        return Text("\n", no_wrap=True).join(map(self._text, lines))

    def _text(self, row: Row) -> Text:
        styles = board_styles(self.app.current_theme.dark)
        text = Text(no_wrap=True)
        for piece in row:
            meta = Style(meta={"pick": piece.pick} if piece.pick else None)
            text.append(piece.text, Style.parse(styles.get(piece.style, "")) + meta)
        return text
