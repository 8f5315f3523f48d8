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
    from evenodds.graph import MAX_INTERPRETED_POSITIONS, PositionEnumerator  # needs the solver
    from evenodds.kernels import kernels_of

    # Mirrored positions count too, so the mirror is taken out. Small games are enumerated without
    # compiling their rules, which would take longer than the enumeration.
    whole = game._replace(mirror=None)
    try:
        PositionEnumerator(
            whole,
            rulings,
            kernels_of(whole, compiled=False),
            min(max_positions, MAX_INTERPRETED_POSITIONS),
            silent,
        ).run()
    except TooLarge:
        if max_positions <= MAX_INTERPRETED_POSITIONS:
            raise TooLarge(too_many_positions(max_positions)) from None
        try:
            PositionEnumerator(whole, rulings, kernels_of(whole), max_positions, silent).run()
        except TooLarge:
            raise TooLarge(too_many_positions(max_positions)) from None
