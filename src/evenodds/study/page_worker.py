"""Worker process that renders one study page: request as JSON on stdin, HTML on stdout.

The server renders its studies in such processes: a study takes seconds of CPU, which would delay
picks, and a memory limit can be set for a process only.
"""

import json
import sys
from typing import Any, NoReturn

from evenodds.core import catalog
from evenodds.core.validation import BadGame
from evenodds.graph import TooLarge
from evenodds.study.page_request import EXIT_NO_MEMORY, EXIT_NOT_CACHED, EXIT_REFUSED, PageRequest
from evenodds.study.pages.comparison import comparison_page
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.solved.game_building import SolvedGameFactory, build_solved_game
from evenodds.study.study import study_of
from evenodds.system.environment import BadSetting


def render_page(request: PageRequest) -> str:
    """The page; raises `TooLarge`, `BadGame`, or `NotCached` where nothing may be solved."""
    build: SolvedGameFactory = refuse_to_solve if request.kept else build_solved_game
    if request.game:
        game = catalog.get(request.game)
        rulings = game.settle_typed(request.rules)
        return render_report(*study_report_of(game, rulings, build=build), home=request.home)
    games = catalog.list_games()
    studies = [study_of(game, game.rulings(), build=build) for game in games]
    return comparison_page(studies, lambda name: f"{request.home}/{name}")


class NotCached(Exception):
    """Something is not cached and would have to be solved."""


def refuse_to_solve(*_: Any, max_positions: int | None = None) -> NoReturn:
    """Builds nothing: the factory of requests for cached pages only."""
    raise NotCached


def limit_memory(megabytes: int) -> None:
    """Limit the data of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, hard))


def main() -> None:
    """Write the page to stdout, or a reason to stderr with an exit code."""
    request = PageRequest(**json.load(sys.stdin))
    if request.most_mb:
        limit_memory(request.most_mb)
    try:
        page = render_page(request)
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
