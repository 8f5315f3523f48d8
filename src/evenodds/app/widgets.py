"""Parts of the screen of a match: the log, the status line, and what follows a match."""

import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from evenodds.app.dialogs.messages import NextAction

LOG_LINES: Final = 400
NEXT_ACTION_LABELS: Final = {
    NextAction.AGAIN: "Play again (p)",
    NextAction.REVIEW: "Review (r)",
    NextAction.OTHER: "Other games (Esc)",
    NextAction.QUIT: "Leave (Esc)",
}
PICK_HELP: Final = (
    "Type a number (0 or 10 for 10), click it, or choose it with the arrow keys and press Enter. "
    "A typed number is picked after a moment; Enter picks it at once."
)
END_HELP: Final = "Choose what follows with the arrow keys or the mouse, and press Enter."
COMMAND_HELP: Final = {
    "hint": "h  what to pick here, and why",
    "explore": "e  map of all picks",
    "rules": "r  the rules of this game",
    "history": "l  the picks so far",
    "undo": "u  take back a pick",
    "resign": "x  resign the match",
}
OTHER_KEYS: Final = ("Ctrl+Q  leave the app", "?  this help")
KEY_HELP_COLUMNS: Final = 33


def key_help(commands: Iterable[str], ended: bool) -> str:
    """The keys of a table: those of commands, or when a match has ended those that follow."""
    if ended:
        keys = ["p  play again", "r  review the match"]
    else:
        keys = [COMMAND_HELP[word] for word in COMMAND_HELP if word in commands]
    is_saved = not ended and "resign" in commands  # a puzzle is not
    keys += ["Esc  leave (the match is saved)" if is_saved else "Esc  leave", *OTHER_KEYS]
    pairs = zip_longest(keys[: (rows := (len(keys) + 1) // 2)], keys[rows:], fillvalue="")
    lines = (f"{left:<{KEY_HELP_COLUMNS}}{right}".rstrip() for left, right in pairs)
    return "\n".join([END_HELP if ended else PICK_HELP, "", *lines])


class MatchLog(VerticalScroll):
    """What was said, the end of it in sight."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: list[str] = []

    def compose(self) -> ComposeResult:
        """One text, which is wrapped anew when the window changes."""
        yield Static(id="log-text")

    def on_mount(self) -> None:
        """Keep the end in sight, also when there is less room."""
        self.anchor()

    def add(self, lines: Iterable[str]) -> None:
        """Add lines; several empty ones are one."""
        self.lines = [*self.lines, *lines][-LOG_LINES:]
        text = re.sub(r"\n\n+", "\n\n", "\n".join(self.lines)).strip("\n")
        self.query_one(Static).update(Text(text))
        self.scroll_end(animate=False)


class StatusLine(Static):
    """What is asked, or what is to be noticed."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self.line = ""

    def show_typed(self, typed: str) -> None:
        """Show the beginning of a number before the line."""
        self.update(Text(f"{typed}_  {self.line}" if typed else self.line))

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
        for action, label in NEXT_ACTION_LABELS.items():
            yield Button(label, name=action.value, compact=True)

    def offer(self, actions: Iterable[NextAction]) -> None:
        """Show some of them, and choose none: Enter may still be on its way for a pick."""
        offered = {action.value for action in actions}
        for button in self.query(Button):
            button.display = button.name in offered
        self.display = True
