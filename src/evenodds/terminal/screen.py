"""Terminal output: lines of plain text, fitted to the terminal."""

import io
import os
import shutil
import sys
from typing import Any, Final, Protocol, TextIO

from evenodds.core.board import EMPTY, FILLED, Board, plain_text
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
        shown = fit_board(board, self.columns - 1 if self.bars else 0)
        self.say(*map(plain_text, shown))

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
    """A board, without its bars where it is wider: the figures stand beside them."""
    if max((display_width(plain_text(line)) for line in board), default=0) <= width:
        return board
    return [[span for span in line if not set(span.text) <= BAR_MARKS] for line in board]
