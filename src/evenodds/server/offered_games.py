"""The games that a server offers: all whose rules are valid.

A game of a package may be wrong in any way, and must take nothing down but itself.
"""

from functools import cache

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import agree
from evenodds.render.narration import goal_of
from evenodds.server.logs import LOG


@cache
def offered_games() -> tuple[AnyGame, ...]:
    """The games that can be opened as their books have them; others are logged, once."""
    return tuple(filter(is_valid, catalog.list_games()))


def is_valid(game: AnyGame) -> bool:
    """Whether a game can be opened; why not is logged."""
    try:
        agree(game)
        goal_of(game)
    except Exception as error:  # the game of a package may raise anything
        LOG.error("a game is refused", extra={"game": game.name, "why": str(error)})
        return False
    return True
