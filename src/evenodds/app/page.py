"""What a report says, collected for a panel; and the reports that home shows."""

from typing import Final

from rich.console import RenderableType
from rich.text import Text

from evenodds.core.board import Board, Span
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved
from evenodds.terminal.output import Output
from evenodds.terminal.screen import fit_board

PAGE_COLUMNS: Final = 72
FRAME_COLUMNS: Final = 6
CURVE_ROWS: Final = 4
CURVE_MARKS: Final = " ▁▂▃▄▅▆▇█"
CURVE_MARGIN: Final = "     "
CURVE_STEP_COLUMNS: Final = 3


class Page:
    """The output of a report that a panel shows; the panel wraps what is said."""

    how_to_change_rulings = 'before a match: press Enter on a game, then "Change the rules"'

    def __init__(self, window_columns: int) -> None:
        self.columns = min(PAGE_COLUMNS, window_columns - FRAME_COLUMNS)
        self.report_width = self.columns - 1
        self.content: list[RenderableType] = []
        self.legend = ""
        """What the columns of a table mean, which stays in sight."""

    def say(self, *lines: str) -> None:
        """Add lines."""
        self.content += map(Text, lines)

    say_wrapped = say

    def say_legend(self, text: str) -> None:
        """Keep a legend."""
        self.legend = text

    def draw(self, board: Board) -> None:
        """Add a board, in colours."""
        self.content += [Text.assemble(*line) for line in fit_board(board, self.columns - 1)]

    def show_page(self, markdown: str) -> None:
        """Add a page."""
        from rich.markdown import Markdown  # slow to load

        self.print(Markdown(markdown))

    def print(self, drawn: RenderableType) -> None:
        """Add what rich draws."""
        self.content.append(drawn)


def fill_study(game: AnyGame, page: Output) -> None:
    """The verdict of the study of a game."""
    from evenodds.study.report import study_report_of
    from evenodds.terminal.reports.study import show_verdict

    show_verdict(study_report_of(game, game.rulings()), page)


def fill_review(match: Match, names: Names, page: Output) -> None:
    """The review of a match; one line where it cannot be solved."""
    from evenodds.coach.review import review
    from evenodds.coach.review_text import expected_scores
    from evenodds.terminal.reports.review import show_review
    from evenodds.terminal.solving import solve_with_progress

    try:
        found = review(match, solve_with_progress(match.terms), names)
    except NotSolved as error:
        page.say(f"There is no review of this match: {error}.")
        return
    if found.picks:
        label, scores = expected_scores(found)
        page.say(f"{label}, from the start to the end:")
        page.draw(curve_rows(scores, page.columns))
    show_review(found, page, curve=False)


def curve_rows(scores: tuple[float, ...], columns: int) -> Board:
    """A column for each score from 0 to 100%; those that a window has no room for are left out."""
    room = max(1, (columns - len(CURVE_MARGIN)) // CURVE_STEP_COLUMNS)
    shown = scores[-room:]
    rows: Board = []
    for row in reversed(range(CURVE_ROWS)):
        heights = (round(8 * CURVE_ROWS * score) - 8 * row for score in shown)
        marks = (CURVE_MARKS[min(max(height, row == 0), 8)] for height in heights)
        margin = {CURVE_ROWS - 1: "100% ", 0: "  0% "}.get(row, CURVE_MARGIN)
        rows.append(
            [Span(margin, "faint"), Span("".join(f"{mark * 2} " for mark in marks), "open")]
        )
    return [*rows, []]
