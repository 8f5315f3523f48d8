"""Terminal output: lines of plain text, fitted to the terminal."""

import io
import os
import shutil
import sys
from typing import Any, Final, Protocol, TextIO

from evenodds.core.board import EMPTY, FILLED, Board, Line, plain_text
from evenodds.core.catalog import AnyGame
from evenodds.render.rulebook import CHANGE_AT_PROMPT, rulebook_page
from evenodds.system.text import display_width, parse_whole, wrapped

REPORT_COLUMNS: Final = 80
"""The width of a report, at most."""
BAR_MARKS: Final = frozenset((FILLED, EMPTY, "●", "○"))
ASCII_FALLBACKS: Final = str.maketrans("█░●○·—▁▂▃▄▅▆▇", "#.*o.-_.-~=+*")


class Output(Protocol):
    """What reports are written to: standard output, or a panel of the app."""

    how_to_change_rulings: str
    """What a page of rules says about changing them."""

    @property
    def columns(self) -> int:
        """The width of a line."""

    @property
    def report_width(self) -> int:
        """The width of reports."""

    def say(self, *lines: str) -> None:
        """Write lines."""

    def draw(self, board: Board) -> None:
        """Draw spans in lines."""

    def show_page(self, markdown: str) -> None:
        """Show a page."""

    def say_wrapped(self, *lines: str) -> None:
        """Write lines wrapped to the width of a report."""
        for line in lines:
            self.say(*wrapped(line, self.report_width))

    def say_legend(self, text: str) -> None:
        """Write what the columns of a table mean."""
        self.say_wrapped(text)

    def show_rules(self, game: AnyGame, rulings: tuple[Any, ...] | None = None) -> None:
        """Show the rule book of a game, under some rulings or the usual ones."""
        self.show_page(rulebook_page(game, rulings, self.how_to_change_rulings))


class Screen(Output):
    """Standard output."""

    how_to_change_rulings = CHANGE_AT_PROMPT

    def __init__(self, stream: TextIO | None = None, bars: bool = True) -> None:
        self.stream = stream or sys.stdout
        self.bars = bars
        """Whether bars are drawn: in a dialog they are not, since the figures stand beside them."""
        self.terminal = self.stream.isatty()
        if reconfigure := getattr(self.stream, "reconfigure", None):
            reconfigure(errors="replace")

    @property
    def columns(self) -> int:
        """The width of the terminal; practically unlimited for a pipe."""
        return shutil.get_terminal_size().columns if self.terminal else 1000

    @property
    def report_width(self) -> int:
        """The width of reports: up to 79 columns; for a pipe COLUMNS may set less."""
        piped = parse_whole(os.environ.get("COLUMNS", "")) or REPORT_COLUMNS
        return max(30, min(REPORT_COLUMNS, self.columns if self.terminal else piped) - 1)

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
        """Draw a board as text, with spent numbers as dashes."""
        if not self.bars:
            board = [[span for span in line if not set(span.text) <= BAR_MARKS] for line in board]
        self.say(*(plain_text(line) for line in fit_board(board, self.columns - 1)))

    def show_page(self, markdown: str) -> None:
        """Show a page: set for people on a terminal, as it is in a pipe."""
        self.say(*self._page_lines(markdown))

    def page(self, markdown: str) -> None:
        """Show a page, through the pager (PAGER, or less) if it is longer than the terminal."""
        lines = self._page_lines(markdown)
        if not self.terminal or len(lines) < shutil.get_terminal_size().lines:
            self.say(*lines)
            return
        import pydoc  # slow to load

        pydoc.pager("\n".join(map(self._encoded, lines)) + "\n")

    def _page_lines(self, markdown: str) -> list[str]:
        if not self.terminal:
            return markdown.rstrip().split("\n")
        from rich.console import Console
        from rich.markdown import Markdown

        text = io.StringIO()
        console = Console(file=text, width=self.report_width, color_system=None)
        console.print(Markdown(markdown))
        return [line.rstrip() for line in text.getvalue().splitlines()]

    def _fitted(self, line: str) -> str:
        line, room = self._encoded(line), self.columns - 1
        return line if display_width(line) <= room else "\n".join(wrapped(line, room))

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
