"""Reports as panels: the rules and the study of a game, the review of a match."""

from evenodds.app.dialogs.dialog import DialogScreen
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.words import Names
from evenodds.solver import NotSolved


def fill_rules(game: AnyGame, screen: DialogScreen) -> None:
    """Fill a panel with the rule book of a game."""
    from evenodds.render.rulebook import rulebook_page

    with screen.panel("Rules"):
        screen.show_page(rulebook_page(game))


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
    from evenodds.terminal.reports.review import show_review
    from evenodds.terminal.solving import solve_with_progress

    with screen.panel("Review"):
        try:
            solution = solve_with_progress(match.terms)
            show_review(review(match, solution, names), screen)
        except NotSolved as error:
            screen.say(f"There is no review of this match: {error}.")
