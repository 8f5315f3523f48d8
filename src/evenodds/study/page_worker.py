"""Worker process that renders one study page: request as JSON on stdin, HTML on stdout.

A server lets its studies be made here, so that no pick waits for them.
"""

import json
import sys
from typing import Any

from evenodds.core import catalog
from evenodds.solver import BadGame, TooLarge
from evenodds.study.metrics.solved_game import SolvedGame, SolvedGameFactory
from evenodds.study.page_request import EXIT_NO_MEMORY, EXIT_NOT_CACHED, EXIT_REFUSED, PageRequest
from evenodds.study.pages.comparison import comparison_page
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.study import study_of
from evenodds.system.environment import BadSetting


def render_page(order: PageRequest) -> str:
    """The page; `TooLarge` or `BadGame` in one line, `NotCached` where it may not be solved."""
    build: SolvedGameFactory = refuse_to_solve if order.kept else SolvedGame
    if order.game:
        game = catalog.get(order.game)
        rulings = game.settle_typed(order.rules)
        return render_report(*study_report_of(game, rulings, build=build), home=order.home)
    games = catalog.list_games().games
    studies = [study_of(game, game.rulings(), build=build) for game in games]
    return comparison_page(studies, lambda name: f"{order.home}/{name}")


class NotCached(Exception):
    """Something must be solved first."""


def refuse_to_solve(*_: Any, most: int | None = None) -> SolvedGame:
    """Nothing is spread out here."""
    raise NotCached


def limit_memory(megabytes: int) -> None:
    """Let this process take no more for its data, where the system can hold it to that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, hard))


def main() -> None:
    """Print one page, or say in one line why there is none."""
    order = PageRequest(**json.load(sys.stdin))
    if order.most_mb:
        limit_memory(order.most_mb)
    try:
        page = render_page(order)
    except (BadGame, BadSetting, TooLarge) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(EXIT_REFUSED)
    except MemoryError:
        sys.exit(EXIT_NO_MEMORY)
    except NotCached:
        sys.exit(EXIT_NOT_CACHED)
    sys.stdout.buffer.write(page.encode())


if __name__ == "__main__":
    main()
