"""What is said beside a board: the log of a match, and the help on its keys."""

import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from evenodds.app.drawing.board import ZERO_KEY_NUMBER
from evenodds.table.table import Action, TableView

LOG_LINES: Final = 400
RULES: Final = "rules"
MAP: Final = "map"
HISTORY: Final = "history"
HIDDEN_PICK_HELP: Final = (
    "Type a number and press Enter. The digits are not shown, and Backspace takes them back."
)
END_HELP: Final = "Choose what follows with the arrow keys or the mouse, and press Enter."
COMMAND_HELP: Final = {
    Action.HINT: "h  what to pick here, and why",
    MAP: "m  map of all picks",
    RULES: "r  the rules of this game",
    HISTORY: "l  the picks so far",
    Action.UNDO: "u  take back a pick",
    Action.RESIGN: "x  resign the match",
    Action.CLAIM: "c  win if the other stays away",
}
OTHER_KEYS: Final = ("Ctrl+Q  leave the app", "?  this help")
KEY_HELP_COLUMNS: Final = 33


def _pick_help(table: TableView) -> str:
    """How a number is picked at a table."""
    if table.hidden:
        return HIDDEN_PICK_HELP
    if table.asked is None and not table.people:
        return "There is nothing to pick now. Enter goes on at once."
    said = "Type a number, click it, or choose it with the arrow keys and press Enter."
    long = [str(number) for number in table.view.choices if number > 9]
    if long:
        begun = long[0][0]
        said += f" A typed {begun} waits for Enter or another digit: it may become {long[0]}."
    if long == [str(ZERO_KEY_NUMBER)]:
        said += f" 0 picks {ZERO_KEY_NUMBER}."
    return said


def key_help(commands: Iterable[str], table: TableView | None, is_saved: bool) -> str:
    """The keys of a table: those of commands, or when a match has ended those that follow."""
    if table is None:
        keys = ["p  play again", "r  review the match"]
    else:
        keys = [COMMAND_HELP[word] for word in COMMAND_HELP if word in commands]
    keys += ["Esc  save and leave" if table and is_saved else "Esc  leave", *OTHER_KEYS]
    pairs = zip_longest(keys[: (rows := (len(keys) + 1) // 2)], keys[rows:], fillvalue="")
    lines = (f"{left:<{KEY_HELP_COLUMNS}}{right}".rstrip() for left, right in pairs)
    return "\n".join([_pick_help(table) if table else END_HELP, "", *lines])


class MatchLog(VerticalScroll):
    """What was said, the end of it in sight."""

    def __init__(self) -> None:
        super().__init__(Static(id="log-text"), id="log", can_focus=False)
        self.lines: list[str] = []

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
