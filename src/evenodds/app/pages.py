"""Pages for panels: what there is to read about a game, a position, a match."""

from typing import Final

from rich.console import RenderableType
from rich.text import Text

from evenodds.core.board import Board, Span
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import Pair, Seat
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.render.narration import describe_history
from evenodds.system import Progress
from evenodds.system.text import wrapped
from evenodds.terminal.screen import fit_board

PANEL_COLUMNS: Final = 72
PANEL_FRAME_COLUMNS: Final = 6
CURVE_ROWS: Final = 4
CURVE_MARKS: Final = " ▁▂▃▄▅▆▇█"
CURVE_MARGIN: Final = "     "
CURVE_STEP_COLUMNS: Final = 3


class Page:
    """Lines and drawings, one below the other, for a panel in a window of some columns."""

    how_to_change_rulings = 'before a match: press Enter on a game, then "Change the rules"'

    def __init__(self, window_columns: int) -> None:
        self.columns = min(PANEL_COLUMNS, window_columns - PANEL_FRAME_COLUMNS)
        self.report_width = self.columns - 1
        self.content: list[RenderableType] = []
        self.legend = ""
        """What the columns of a table mean: it stays in sight."""

    def say(self, *lines: str) -> None:
        """Add lines."""
        self.content += [Text(line) for line in lines]

    def say_wrapped(self, *lines: str) -> None:
        """Add lines wrapped to the width of the panel."""
        for line in lines:
            self.say(*wrapped(line, self.report_width))

    def say_legend(self, text: str) -> None:
        """Keep a legend below the page."""
        self.legend = text

    def draw(self, board: Board) -> None:
        """Add a drawing."""
        self.content += [Text.assemble(*line) for line in fit_board(board, self.columns - 1)]

    def show_page(self, markdown: str) -> None:
        """Add a page in Markdown."""
        from rich.markdown import Markdown  # slow to load

        self.content.append(Markdown(markdown))


def write_rules(
    game: AnyGame, rulings: tuple[int, ...] | None, page: Page, progress: Progress
) -> None:
    """The rule book of a game, under the rulings of a match or the usual ones."""
    from evenodds.terminal.reports.rules import show_rules

    show_rules(game, page, rulings)


def write_study(game: AnyGame, page: Page, progress: Progress) -> None:
    """The verdict of the study of a game."""
    from evenodds.study.report import study_report_of
    from evenodds.terminal.reports.study import show_verdict

    show_verdict(study_report_of(game, game.rulings()), page)


def write_history(history: tuple[Pair, ...], names: Names, page: Page, progress: Progress) -> None:
    """The picks so far."""
    page.say(*describe_history(history, names))


def write_hint(match: Match, seat: Seat, page: Page, progress: Progress) -> None:
    """What to pick; one line where the match cannot be solved."""
    from evenodds.coach.hints import hint
    from evenodds.terminal.reports.review import show_hint

    try:
        show_hint(hint(match, solution_for(match.terms, progress), seat), seat, page)
    except NotSolved as error:
        page.say(f"There is no hint for this match: {error}.")


def write_map(match: Match, seat: Seat, names: Names, page: Page, progress: Progress) -> None:
    """What every pair of picks leads to; one line where the match cannot be solved."""
    from evenodds.app.drawing.heat_map import draw_heat_map

    try:
        matrix = solution_for(match.terms, progress).matrix(match.state)
    except NotSolved as error:
        page.say(f"There is no map of this match: {error}.")
    else:
        said, rows = draw_heat_map(matrix, seat, names, page.columns)
        page.say(*said)
        page.content += rows


def write_review(match: Match, names: Names, page: Page, progress: Progress) -> None:
    """The review of a match; one line where it cannot be solved."""
    from evenodds.coach.review import review
    from evenodds.coach.review_text import expected_scores
    from evenodds.terminal.reports.review import show_review

    try:
        found = review(match, solution_for(match.terms, progress), names)
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
