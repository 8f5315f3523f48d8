"""Index of a game's open positions: layers of keys, and hash tables for kernels."""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.validation import validate
from evenodds.graph.positions import (
    BYTES_PER_POSITION,
    Keys,
    Lister,
    PositionLayers,
    TooLarge,
    empty_key_set,
    key_set_slots,
    memory_limit,
    refuse_unsolvable,
)
from evenodds.graph.solved_positions import SolvedPositions
from evenodds.kernels.compile import GameKernels, kernels_of
from evenodds.kernels.keys import Layout, packing
from evenodds.kernels.threads import Progress, silent

MAX_INTERPRETED_POSITIONS: Final = 3_000
"""Positions up to which compiling takes longer than going through them as they stand."""


class KeyTable(NamedTuple):
    """Keys in places that `kernels.find` finds, and a figure beside each."""

    keys: Keys
    figures: Any


def position_index_of(
    game: AnyGame | str, rulings: dict[str, object], progress: Progress | None
) -> "PositionIndex":
    """The ground of a game; `BadRuling`, `TooLarge` or `BadGame` in one line."""
    game = catalog.get(game)
    return PositionIndex(game, game.settle(rulings), memory_limit(), progress or silent)


class PositionIndex:
    """Every open position of a game under some rulings, in layers, both mirror images listed."""

    def __init__(self, game: AnyGame, rulings: Any, memory: int, progress: Progress) -> None:
        refuse_unsolvable(game)
        validate(game, rulings)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        try:
            self._list(compiled=False, most=MAX_INTERPRETED_POSITIONS)
        except TooLarge:
            self._list(compiled=True, most=memory // BYTES_PER_POSITION)
        self.layout = self.listing.layout
        self._unpack = packing(game.start(rulings)).unpack
        self._kept: tuple[SolvedPositions, tuple[Layout, Keys, Any]] | None = None
        self.judged: dict[Any, Any] = {}
        """What policies remember: of blocks of positions, each with the layer it belongs to, or in
        games of turns of all links."""
        self.room = memory // 4
        """Bytes that may still be remembered."""
        self.memory = memory
        self.atlas: Any = None
        """Where each pair of picks leads, once `atlas` has followed them."""
        self.web: Any = None
        """In games of turns the links between positions, once `turns` has woven them."""

    def _list(self, compiled: bool, most: int) -> None:
        whole = self.game._replace(mirror=None)
        self.loops: GameKernels = kernels_of(self.game, compiled)
        lister = Lister(whole, self.rulings, kernels_of(whole, compiled), most, self.progress)
        self.listing: PositionLayers = lister.run()

    @property
    def layers(self) -> list[Keys]:
        """The open positions by the rounds that lead to them; the last layer is empty."""
        return self.listing.layers

    def state(self, key: int) -> Any:
        """The position of a key."""
        return self._unpack(int(key), self.rulings, self.layout)

    def table(self, keys: Keys, figures: Any = None) -> KeyTable:
        """A table of some keys, with the figure of each beside it: its place, unless given."""
        figures = np.arange(keys.size, dtype=np.int32) if figures is None else figures
        held = empty_key_set(key_set_slots(keys.size))
        self.loops.admit(held, keys, np.empty_like(keys))
        beside = np.zeros(held.size, figures.dtype)
        self.loops.store(held, beside, keys, figures)
        return KeyTable(held, beside)

    def kept(self, solved: SolvedPositions) -> tuple[Layout, Keys, Any]:
        """The values of a solved game as loops look them up."""
        if self._kept is None or self._kept[0] is not solved:
            table = self.table(solved.keys, solved.values)
            self._kept = (solved, (solved.layout, *table))
        return self._kept[1]
