"""What a report needs of the place where it is shown: a terminal, a pipe, or a panel of the app."""

from typing import Protocol

from evenodds.core.board import Board


class Output(Protocol):
    """Where a report is shown."""

    @property
    def columns(self) -> int:
        """The width of a drawing, with a column to spare."""

    @property
    def report_width(self) -> int:
        """The width of sentences."""

    @property
    def how_to_change_rulings(self) -> str:
        """What a page of rules says about changing them."""

    def say(self, *lines: str) -> None:
        """Show lines."""

    def say_wrapped(self, *lines: str) -> None:
        """Show lines, wrapped to the width of a report."""

    def say_legend(self, text: str) -> None:
        """Show what the columns of a table mean."""

    def draw(self, board: Board) -> None:
        """Draw a board."""

    def show_page(self, markdown: str) -> None:
        """Show a page."""
