"""The open positions of a game under some rulings, as layers of keys."""

from typing import Final

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import validate
from evenodds.core.vocabulary import Settled
from evenodds.engine.compile import GameKernels, kernels_of
from evenodds.engine.limits import TooLarge, memory_limit, refuse_unsolvable, too_many_positions
from evenodds.engine.positions import BYTES_PER_POSITION, PositionEnumerator, PositionLayers
from evenodds.system import Progress

MAX_INTERPRETED_POSITIONS: Final = 3_000
"""Positions up to which interpreting is faster than compiling."""


class Listing:
    """The open positions of a game in layers, by number of rounds; both of two mirror images.

    Raises `TooLarge` as soon as there are more than `max_positions`, or than fit into memory. They
    are listed by compiled kernels or by interpreted ones, with `compiled` None by the faster.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        progress: Progress,
        max_positions: int | None = None,
        memory: int | None = None,
        compiled: bool | None = None,
    ) -> None:
        refuse_unsolvable(game)
        validate(game, rulings)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        self.memory = memory_limit() if memory is None else memory
        fitting = self.memory // BYTES_PER_POSITION
        most = fitting if max_positions is None else min(fitting, max_positions)
        try:
            found, self.is_compiled = _list_positions(game, rulings, most, progress, compiled)
        except TooLarge:
            if most == max_positions:
                raise TooLarge(too_many_positions(most)) from None
            raise
        self.layout, self.layers = found
        self.kernels: GameKernels = kernels_of(game, self.is_compiled)


def _list_positions(
    game: AnyGame, rulings: Settled, most: int, progress: Progress, compiled: bool | None
) -> tuple[PositionLayers, bool]:
    """All open positions, and whether that took compiled kernels: None takes what is faster."""
    unmirrored = game._replace(mirror=None)  # lists both images
    if not compiled:
        limit = most if compiled is False else min(most, MAX_INTERPRETED_POSITIONS)
        kernels = kernels_of(game, False)
        try:
            return PositionEnumerator(unmirrored, rulings, kernels, limit, progress).run(), False
        except TooLarge:
            if limit == most:
                raise
    kernels = kernels_of(game, True)
    return PositionEnumerator(unmirrored, rulings, kernels, most, progress).run(), True
