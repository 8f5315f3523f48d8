"""Reports as panels: the rules and the study of a game, the review of a match."""

from typing import Final

from evenodds.app.dialogs.dialog import DialogScreen
from evenodds.core.board import Board, Span
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved

CURVE_ROWS: Final = 4
CURVE_MARKS: Final = " ▁▂▃▄▅▆▇█"
CURVE_MARGIN: Final = "     "
CURVE_STEP_COLUMNS: Final = 3


def fill_rules(game: AnyGame, screen: DialogScreen) -> None:
    """Fill a panel with the rule book of a game."""
    from evenodds.terminal.reports.rules import show_rules

    with screen.panel("Rules"):
        show_rules(game, screen)


def fill_study(game: AnyGame, screen: DialogScreen) -> None:
    """Fill a panel with the verdict of the study of a game."""
    from evenodds.study.report import study_report_of
    from evenodds.terminal.reports.study import show_verdict

    report = study_report_of(game, game.rulings())
    with screen.panel("Study"):
        show_verdict(report, screen)


def fill_review(match: Match, names: Names, screen: DialogScreen) -> None:
    """Fill a panel with the review of a match; one line where it cannot be solved."""
    from evenodds.coach.review import review
    from evenodds.coach.review_text import expected_scores
    from evenodds.terminal.reports.review import show_review
    from evenodds.terminal.solving import solve_with_progress

    with screen.panel("Review"):
        try:
            found = review(match, solve_with_progress(match.terms), names)
            if found.picks:
                label, scores = expected_scores(found)
                screen.say(f"{label}, from the start to the end:")
                screen.draw(curve_rows(scores, screen.columns))
            show_review(found, screen, curve=False)
        except NotSolved as error:
            screen.say(f"There is no review of this match: {error}.")


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
