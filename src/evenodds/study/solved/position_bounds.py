"""Upper bound on the positions of a ruling, checked before it is solved."""

from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.graph import TooLarge
from evenodds.system.progress import silent


def too_many_positions(max_positions: int) -> str:
    """The reason why a ruling is left out."""
    return f"more than {max_positions:,} positions"


def check_position_count(game: AnyGame, rulings: Any, max_positions: int) -> None:
    """Raises `TooLarge` for a ruling with more positions, as soon as enumeration finds them."""
    from evenodds.graph import list_positions  # needs the solver

    try:
        list_positions(game, rulings, max_positions, silent)
    except TooLarge:
        raise TooLarge(too_many_positions(max_positions)) from None
