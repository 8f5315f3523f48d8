"""Worker task that renders one study page for the server."""

from contextlib import suppress
from typing import Any, NoReturn

from evenodds.core import catalog
from evenodds.core.rule_checks import BadGame
from evenodds.graph import TooLarge
from evenodds.study.game_building import SolvedGameFactory, build_solved_game
from evenodds.study.pages.comparison import comparison_page
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.study import study_of
from evenodds.system.environment import BadSetting
from evenodds.workers.task import TASK_PROGRESS, TaskResult


class NotCached(Exception):
    """Something is not cached and would have to be solved."""


def render_page(home: str, game: str, rules: dict[str, str], cached_only: bool) -> TaskResult:
    """The study of a game, or without one the comparison of all.

    `home` is the address of the comparison; the study of a game lies below it. With `cached_only`
    the result is None where something would have to be solved.
    """
    build: SolvedGameFactory = refuse_to_solve if cached_only else build_solved_game
    progress = TASK_PROGRESS.get()
    try:
        if game:
            found = catalog.get(game)
            report = study_report_of(found, found.settle_typed(rules), progress, build)
            return TaskResult(render_report(*report, home=home))
        studies = []
        for each in catalog.list_games():
            with suppress(BadGame, TooLarge):  # the others are compared all the same
                studies.append(study_of(each, each.rulings(), progress, build))
        return TaskResult(comparison_page(studies, lambda name: f"{home}/{name}"))
    except NotCached:
        return TaskResult(None)
    except (BadGame, BadSetting, TooLarge) as error:
        return TaskResult(None, str(error), permanent=True)


def refuse_to_solve(*_: Any, max_positions: int | None = None) -> NoReturn:
    """Builds nothing: the factory of pages from cached data only."""
    raise NotCached
