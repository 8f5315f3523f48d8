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
    from evenodds.kernels import are_small_games_compiled, kernels_of

    # Mirrored positions count too, so the mirror is taken out.
    whole = game._replace(mirror=None)
    attempts = [(True, max_positions)]
    if not are_small_games_compiled():
        attempts.insert(0, (False, min(max_positions, MAX_INTERPRETED_POSITIONS)))
    for compiled, limit in attempts:
        try:
            PositionEnumerator(whole, rulings, kernels_of(whole, compiled), limit, silent).run()
        except TooLarge:
            if limit == max_positions:
                raise TooLarge(too_many_positions(max_positions)) from None
        else:
            return
