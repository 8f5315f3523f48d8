"""Parts of the screen of a match: the log, the status line, and what follows a match."""

import re
from collections.abc import Iterable
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from evenodds.app.dialogs.messages import NextAction

LOG_LINES: Final = 400
NEXT_ACTION_LABELS: Final = {
    NextAction.AGAIN: "Play again",
    NextAction.REVIEW: "Review (r)",
    NextAction.OTHER: "Other games (Esc)",
    NextAction.QUIT: "Leave (Esc)",
}
KEY_HELP: Final = """\
Type a number to pick it (10 or 0 for 10), or choose with the arrow keys or the mouse and press
Enter. Enter picks a typed number at once.

h  the best mix here, and why      u  take back a pick
e  what every pair of picks does   x  resign the match
r  the rules of this game          Esc  leave; the match is kept
l  the rounds so far               Ctrl+Q  leave the app
?  this help"""


class MatchLog(VerticalScroll):
    """What was said, the end of it in sight."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: list[str] = []

    def compose(self) -> ComposeResult:
        """One text, which is wrapped anew when the window changes."""
        yield Static(id="log-text")

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

    def show(self, line: str, warning: bool = False) -> None:
        """Show a line."""
        self.update(Text(line))
        self.set_class(warning, "warning")


class NextBar(Horizontal):
    """Buttons for what may follow a match."""

    def __init__(self) -> None:
        super().__init__(id="end")

    async def offer(self, actions: Iterable[NextAction]) -> None:
        """Show a button for each, the first one chosen."""
        await self.remove_children()
        for action in actions:
            label = NEXT_ACTION_LABELS[action]
            await self.mount(Button(label, name=action.value, compact=True))
        self.display = True
        self.children[0].focus()
