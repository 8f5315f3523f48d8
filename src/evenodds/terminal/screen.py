"""Terminal output: plain lines, and boards in colour where the terminal supports it."""

import io
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final, TextIO

from evenodds.core.words import EMPTY, FILLED, Board, Line, plain_text
from evenodds.system.text import display_width, parse_whole, wrapped

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

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
"""The width of a report, at most."""
ASCII_FALLBACKS: Final = str.maketrans("█░●○·—▁▂▃▄▅▆▇", "#.*o.-_.-~=+*")


class Screen:
    """Standard output, with colours on a terminal that supports them, unless `plain`."""

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
        """The width of the terminal; practically unlimited for a pipe."""
        return shutil.get_terminal_size().columns if self.terminal else 1000

    @property
    def report_width(self) -> int:
        """The width of reports: up to 79 columns; for a pipe COLUMNS may set less."""
        width = (
            self.columns
            if self.terminal
            else parse_whole(os.environ.get("COLUMNS", "")) or REPORT_COLUMNS
        )
        return max(30, min(REPORT_COLUMNS, width) - 1)

    def say_wrapped(self, *lines: str) -> None:
        """Write lines wrapped to the width of a report."""
        for line in lines:
            self.say(*wrapped(line, self.report_width))

    def say(self, *lines: str) -> None:
        """Write lines; on a terminal long ones are wrapped between words."""
        for line in lines:
            self.stream.write(self._fitted(line) + "\n")
        self.stream.flush()

    def ask(self, prompt: str) -> None:
        """Write a prompt; the answer follows on the same line."""
        self.stream.write(f"{self._fitted(prompt)} ")
        self.stream.flush()

    def draw(self, board: Board) -> None:
        """Draw a board: in colour, or as plain text with spent numbers as dashes."""
        for line in fit_board(board, self.columns - 1):
            if self.styled:
                self._paint(line)
            else:
                self.say(plain_text(line))

    def print(self, drawn: "RenderableType") -> None:
        """Print what rich draws; plain text where the terminal does not support more."""
        if self.styled:
            self.console.print(drawn)
            return
        from rich.console import Console

        text = io.StringIO()
        Console(file=text, width=self.columns - 1, color_system=None).print(drawn)
        self.say(*(line.rstrip() for line in text.getvalue().splitlines()))

    def _paint(self, line: Line) -> None:
        from rich.text import Text  # slow to load, and not needed for a pipe

        text = Text()
        for span in line:
            text.append(self._encoded(span.text), TERMINAL_STYLES[span.style])
        self.console.print(text, overflow="ignore", no_wrap=True, crop=False)

    @property
    def console(self) -> "Console":
        """Rich's console on the same stream; it respects NO_COLOR and the like."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self.stream, highlight=False, markup=False, emoji=False)
        return self._console

    def _fitted(self, line: str) -> str:
        line = self._encoded(line)
        if display_width(line) < self.columns:
            return line
        return "\n".join(wrapped(line, self.columns - 1))

    def _encoded(self, text: str) -> str:
        """Replace characters that the encoding of the stream lacks."""
        encoding = self.stream.encoding or "ascii"
        return text if encoding.lower().startswith("utf") else text.translate(ASCII_FALLBACKS)


def fit_board(board: Board, width: int) -> Board:
    """A board that fits the width: all bars are shortened by the same amount."""
    widths = [display_width("".join(span.text for span in line)) for line in board if _bar(line)]
    excess = max(widths, default=0) - width
    return [_shorten_bar(line, excess) for line in board] if excess > 0 else board


def _bar(line: Line) -> str:
    return "".join(span.text for span in line if set(span.text) <= {FILLED, EMPTY})


def _shorten_bar(line: Line, excess: int) -> Line:
    """A line with a shorter bar: at least one mark, and one filled where any was."""
    marks = _bar(line)
    left = max(1, len(marks) - excess)
    filled = marks.count(FILLED) and max(1, marks.count(FILLED) * left // len(marks))
    shown = {FILLED: FILLED * filled, EMPTY: EMPTY * (left - filled)}
    return [span._replace(text=shown.get(span.text[:1], span.text)) for span in line]
