"""Terminal output: plain lines, and boards in colour where the terminal supports it."""

import os
import shutil
import sys
from typing import TYPE_CHECKING, Final, TextIO

from evenodds.core.words import EMPTY, FILLED, Board, Line, plain_text
from evenodds.system.text import columns, whole, wrapped

if TYPE_CHECKING:
    from rich.console import Console

TERMINAL_STYLES: Final = {
    "first": "bold cyan",
    "second": "bold magenta",
    "spent": "dim strike",
    "open": "bold green",
    "last": "bold yellow",
    "faint": "dim",
    "strong": "bold",
    "": "",
}
REPORT_COLUMNS: Final = 80
"""The columns of a report, where there are so many."""
ASCII_FALLBACKS: Final = str.maketrans("█░●○·—▁▂▃▄▅▆▇", "#.*o.-_.-~=+*")


class Screen:
    """Standard output, drawn in colour on a terminal that takes it unless it is to be plain."""

    def __init__(self, plain: bool = False, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.terminal = self.stream.isatty()
        dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
        self.styled = self.terminal and not plain and not dumb
        self._console: Console | None = None
        reconfigure = getattr(self.stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")

    @property
    def columns(self) -> int:
        """How wide the screen is; a pipe is as wide as it needs to be."""
        return shutil.get_terminal_size().columns if self.terminal else 1000

    @property
    def page(self) -> int:
        """How wide a report is set: up to 79 columns; through a pipe COLUMNS may say fewer."""
        told = (
            self.columns
            if self.terminal
            else whole(os.environ.get("COLUMNS", "")) or REPORT_COLUMNS
        )
        return max(30, min(REPORT_COLUMNS, told) - 1)

    def tell(self, *lines: str) -> None:
        """Lines of a report, set on a page."""
        for line in lines:
            self.say(*wrapped(line, self.page))

    def say(self, *lines: str) -> None:
        """Lines of the dialog; on a terminal they break between words."""
        for line in lines:
            self.stream.write(self._fitted(line) + "\n")
        self.stream.flush()

    def ask(self, prompt: str) -> None:
        """A question that is answered on the same line."""
        self.stream.write(f"{self._fitted(prompt)} ")
        self.stream.flush()

    def draw(self, board: Board) -> None:
        """A board: in colour, or with spent numbers as dashes where there is none."""
        for line in fit_board(board, self.columns - 1):
            if self.styled:
                self._paint(line)
            else:
                self.say(plain_text(line))

    def _paint(self, line: Line) -> None:
        from rich.text import Text  # a terminal's cost alone: a pipe never loads it

        text = Text()
        for span in line:
            text.append(self._encoded(span.text), TERMINAL_STYLES[span.style])
        self.console.print(text, overflow="ignore", no_wrap=True, crop=False)

    @property
    def console(self) -> "Console":
        """Rich's console on the same stream, for what is drawn; it minds NO_COLOR and the like."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self.stream, highlight=False, markup=False, emoji=False)
        return self._console

    def _fitted(self, line: str) -> str:
        line = self._encoded(line)
        if columns(line) < self.columns:
            return line
        return "\n".join(wrapped(line, self.columns - 1))

    def _encoded(self, text: str) -> str:
        """Marks that the stream cannot show become plain ones."""
        encoding = self.stream.encoding or "ascii"
        return text if encoding.lower().startswith("utf") else text.translate(ASCII_FALLBACKS)


def fit_board(board: Board, width: int) -> Board:
    """A board whose bars give way, all by as much, where it would be wider than the screen."""
    wide = [columns("".join(span.text for span in line)) for line in board if _bar(line)]
    excess = max(wide, default=0) - width
    return [_shorten_bar(line, excess) for line in board] if excess > 0 else board


def _bar(line: Line) -> str:
    """The marks of a bar in a line."""
    return "".join(span.text for span in line if set(span.text) <= {FILLED, EMPTY})


def _shorten_bar(line: Line, excess: int) -> Line:
    """A line with less of a bar: never none, and what was filled at all still is."""
    marks = _bar(line)
    left = max(1, len(marks) - excess)
    filled = marks.count(FILLED) and max(1, marks.count(FILLED) * left // len(marks))
    shown = {FILLED: FILLED * filled, EMPTY: EMPTY * (left - filled)}
    return [span._replace(text=shown.get(span.text[:1], span.text)) for span in line]
