"""The study of a game, as a panel."""

from evenodds.app.dialogs.dialog import DialogScreen
from evenodds.app.dialogs.messages import Post
from evenodds.core.catalog import AnyGame
from evenodds.study.report import study_report_of
from evenodds.terminal.reports.study import show_verdict


def fill_study(game: AnyGame, post: Post) -> None:
    """Fill a panel with the verdict of the study of a game."""
    report = study_report_of(game, game.rulings())
    screen = DialogScreen(post)
    with screen.panel("Study"):
        show_verdict(report, screen)
