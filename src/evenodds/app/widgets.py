"""Parts of the screen of a match: the log, the status line, and what follows a match."""

import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from evenodds.app.drawing.board import ZERO_KEY_NUMBER
from evenodds.table.table import HINT, RESIGN, UNDO, TableView

LOG_LINES: Final = 400
RULES: Final = "rules"
MAP: Final = "map"
HISTORY: Final = "history"
AGAIN: Final = "again"
REVIEW: Final = "review"
OTHER: Final = "other game"
LEAVE: Final = "leave"
NEXT_LABELS: Final = {
    AGAIN: "Play again (p)",
    REVIEW: "Review (r)",
    OTHER: "Other games (Esc)",
    LEAVE: "Leave (Esc)",
}
PICK_HELP: Final = "Type a number, click it, or choose it with the arrow keys and press Enter."
LONG_NUMBER_HELP: Final = "A typed {} waits for Enter or another digit: it may become {}."
ZERO_KEY_HELP: Final = "0 picks {}."
HIDDEN_PICK_HELP: Final = (
    "Type a number and press Enter. The digits are not shown, and Backspace takes them back."
)
WATCH_HELP: Final = "There is nothing to pick now. Enter goes on at once."
END_HELP: Final = "Choose what follows with the arrow keys or the mouse, and press Enter."
COMMAND_HELP: Final = {
    HINT: "h  what to pick here, and why",
    MAP: "m  map of all picks",
    RULES: "r  the rules of this game",
    HISTORY: "l  the picks so far",
    UNDO: "u  take back a pick",
    RESIGN: "x  resign the match",
}
OTHER_KEYS: Final = ("Ctrl+Q  leave the app", "?  this help")
KEY_HELP_COLUMNS: Final = 33


def pick_help(table: TableView) -> str:
    """How a number is picked at a table."""
    if table.hidden:
        return HIDDEN_PICK_HELP
    if table.asked is None and not table.people:
        return WATCH_HELP
    said, long = [PICK_HELP], [str(number) for number in table.view.choices if number > 9]
    if long:
        said.append(LONG_NUMBER_HELP.format(long[0][0], long[0]))
    if long == [str(ZERO_KEY_NUMBER)]:
        said.append(ZERO_KEY_HELP.format(ZERO_KEY_NUMBER))
    return " ".join(said)


def key_help(commands: Iterable[str], table: TableView | None, is_saved: bool) -> str:
    """The keys of a table: those of commands, or when a match has ended those that follow."""
    if table is None:
        keys = ["p  play again", "r  review the match"]
    else:
        keys = [COMMAND_HELP[word] for word in COMMAND_HELP if word in commands]
    keys += ["Esc  save and leave" if table and is_saved else "Esc  leave", *OTHER_KEYS]
    pairs = zip_longest(keys[: (rows := (len(keys) + 1) // 2)], keys[rows:], fillvalue="")
    lines = (f"{left:<{KEY_HELP_COLUMNS}}{right}".rstrip() for left, right in pairs)
    return "\n".join([pick_help(table) if table else END_HELP, "", *lines])


class MatchLog(VerticalScroll):
    """What was said, the end of it in sight."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: list[str] = []

    def compose(self) -> ComposeResult:
        """One text, which is wrapped anew when the window changes."""
        yield Static(id="log-text")

    def on_resize(self) -> None:
        """Keep the end in sight, also when there is less room."""
        self.scroll_end(animate=False)

    def add(self, lines: Iterable[str]) -> None:
        """Add lines; several empty ones are one."""
        self.lines = [*self.lines, *lines][-LOG_LINES:]
        text = re.sub(r"\n\n+", "\n\n", "\n".join(self.lines)).strip("\n")
        self.query_one(Static).update(Text(text))
        self.scroll_end(animate=False)
        self.call_after_refresh(self.scroll_end, animate=False)  # the text may be longer by then


class StatusLine(Static):
    """What is asked, or what is to be noticed."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self.line = ""

    def show_typed(self, typed: str) -> None:
        """Show the beginning of a number in place of the line, while there is one."""
        self.update(Text(typed or self.line))

    def show(self, line: str, warning: bool = False) -> None:
        """Show a line."""
        self.line = line
        self.update(Text(line))
        self.set_class(warning, "warning")


class NextBar(Horizontal):
    """Buttons for what may follow a match."""

    def __init__(self) -> None:
        super().__init__(id="end")

    def compose(self) -> ComposeResult:
        """A button for each action there is."""
        for action, label in NEXT_LABELS.items():
            yield Button(label, name=action, compact=True)

    def offer(self, *actions: str) -> None:
        """Show some of them, and choose none: Enter may still be on its way for a pick."""
        for button in self.query(Button):
            button.display = button.name in actions
        self.display = True
