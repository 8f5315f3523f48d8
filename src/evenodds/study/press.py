"""Pages printed by a process of their own: what is wanted comes in as JSON, the page goes out.

A server lets its studies be made here, so that no pick waits for them.
"""

import json
import sys
from typing import Any, Final, NamedTuple

from evenodds import catalog
from evenodds.home import BadSetting
from evenodds.solver import BadGame, TooLarge
from evenodds.study.folio import folio_of
from evenodds.study.pages.comparison import comparison
from evenodds.study.pages.page import report
from evenodds.study.study import study_of

REFUSED: Final = 1


class Order(NamedTuple):
    """What is to be printed: the study of a game, or without one a comparison of all.

    `home` is the address of the comparison; the study of a game lies below it.
    """

    home: str
    game: str = ""
    rules: dict[str, str] = {}  # noqa: RUF012 - never changed


def printed(order: Order) -> str:
    """The page; `TooLarge` or `BadGame` in one line."""
    if order.game:
        game = catalog.get(order.game)
        return report(*folio_of(game, game.settle_typed(order.rules)), home=order.home)
    studies = [study_of(game, game.rulings()) for game in catalog.list_games().games]
    return comparison(studies, lambda name: f"{order.home}/{name}")


def main() -> None:
    """Print one page, or say in one line why there is none."""
    given: dict[str, Any] = json.load(sys.stdin)
    try:
        page = printed(Order(**given))
    except (BadGame, BadSetting, TooLarge) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(REFUSED)
    sys.stdout.buffer.write(page.encode())


if __name__ == "__main__":
    main()
