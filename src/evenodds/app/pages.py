"""Pages for panels: what there is to read about a game, a position, a match."""

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from evenodds.core.board import Board
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, Seat, other
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.system import Progress
from evenodds.system.text import display_width
from evenodds.terminal.screen import Output, fit_board

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution

PANEL_COLUMNS: Final = 72
PANEL_FRAME_COLUMNS: Final = 6
CELL_COLUMNS: Final = 4
LOSS_COLOUR: Final = (213, 94, 0)
EVEN_COLOUR: Final = (240, 240, 240)
WIN_COLOUR: Final = (0, 114, 178)
"""Orange, white, blue: colours that the colour-blind can tell apart."""


class Page(Output):
    """Lines and drawings, one below the other, for a panel in a window of some columns."""

    how_to_change_rulings = 'before a match: press Enter on a game, then "Change the rules"'
    columns = report_width = PANEL_COLUMNS

    def __init__(self, window_columns: int) -> None:
        self.columns = min(PANEL_COLUMNS, window_columns - PANEL_FRAME_COLUMNS)
        self.report_width = self.columns - 1
        self.content: list[RenderableType] = []
        self.legend = ""
        """What the columns of a table mean: it stays in sight."""

    def say(self, *lines: str) -> None:
        """Add lines."""
        self.content += [Text(line) for line in lines]

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


Write = Callable[[Page, Progress], None]
"""Writes a page; work that takes long tells how far it is."""


def write_rules(
    game: AnyGame, rulings: tuple[int, ...] | None, page: Page, progress: Progress
) -> None:
    """The rule book of a game."""
    page.show_rules(game, rulings)


def write_study(game: AnyGame, page: Page, progress: Progress) -> None:
    """The verdict of the study of a game."""
    from evenodds.study.report import study_report_of
    from evenodds.terminal.reports.study import show_verdict

    show_verdict(study_report_of(game, game.rulings()), page)


def _solution(what: str, match: Match, page: Page, progress: Progress) -> "Solution | None":
    """The solution of a match; without one, a line says that there is no hint, map or review."""
    try:
        return solution_for(match.terms, progress)
    except NotSolved as error:
        page.say(f"There is no {what} this match: {error}.")
        return None


def write_hint(match: Match, seat: Seat, page: Page, progress: Progress) -> None:
    """What to pick."""
    from evenodds.coach.reasons import hint
    from evenodds.terminal.reports.review import show_hint

    if solution := _solution("hint for", match, page, progress):
        show_hint(hint(match, solution, seat), seat, page)


def write_map(match: Match, seat: Seat, names: Names, page: Page, progress: Progress) -> None:
    """What each pick of a seat leads to, against those of the other, in colours and figures."""
    solution = _solution("map of", match, page, progress)
    if solution is None:
        return
    own, theirs, payoff = solution.matrix(match.state)
    side = 1 if seat == FIRST else -1
    if seat != FIRST:
        own, theirs, payoff = theirs, own, tuple(zip(*payoff, strict=True))
    name = partial(match.game.words.pick_name, match.terms.rulings)
    shares = [[0.5 + side * value / solution.span for value in line] for line in payoff]
    cells = [[f"{round(100 * share)}" for share in line] for line in shares]
    has_points, unit = solution.span > 2, "score in %"
    if has_points:
        before, unit = match.points or 0, "points in the whole match"
        cells = [[f"{side * (before + value):.1f}" for value in line] for line in payoff]
    heads = [[name(seat, number)] for number in own]
    tops = ["" if number == PASS else name(other(seat), number) for number in theirs]
    margin, width = _columns(heads), _columns([tops, *cells])
    shown = (page.columns - margin) // width
    whose = names.sentence(seat, "Your", f"{names[seat]}'s")
    about = f"{whose} expected {unit} for each pick, with best play afterwards"
    about += "." if has_points else " (win 100, draw 50)."
    if theirs != (PASS,):
        about += f" Rows: {names.inside(seat)}. Columns: {names.inside(other(seat))}."
    if shown < len(theirs):
        about += f" Those up to {tops[shown - 1]} are shown."
    page.say(about, "")
    if theirs != (PASS,):
        page.content.append(Text(" " * margin + _row(tops[:shown], width), "bold"))
    for head, line, scores in zip(heads, cells, shares, strict=True):
        row = Text(_row(head, margin), "bold")
        for cell, share in zip(line[:shown], scores, strict=False):
            row.append(_row([cell], width), _score_style(share))
        page.content.append(row)


def _columns(cells: list[list[str]]) -> int:
    """How wide cells are, with a space before each and after the last."""
    return max(CELL_COLUMNS, 1 + max(display_width(cell) for line in cells for cell in line))


def _row(cells: list[str], width: int) -> str:
    return "".join(f"{' ' * (width - 1 - display_width(cell))}{cell} " for cell in cells)


def _score_style(score: float) -> Style:
    if os.environ.get("NO_COLOR"):  # greys would not tell wins from losses
        return Style(bold=score > 0.5, dim=score < 0.5)
    end = WIN_COLOUR if score > 0.5 else LOSS_COLOUR
    share = abs(2 * score - 1)
    red, green, blue = (
        round(even + share * (full - even)) for even, full in zip(EVEN_COLOUR, end, strict=True)
    )
    text = "#ffffff" if share > 0.6 else "#111111"
    return Style(color=text, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")


def write_review(match: Match, names: Names, page: Page, progress: Progress) -> None:
    """The review of a match."""
    from evenodds.coach.review import review
    from evenodds.terminal.reports.review import show_review

    if solution := _solution("review of", match, page, progress):
        show_review(review(match, solution, names), page)
