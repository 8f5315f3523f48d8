"""Index of a game's open positions: layers of keys, and hash tables for kernels."""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.validation import validate
from evenodds.core.vocabulary import Settled
from evenodds.graph.key_sets import Keys, empty_key_set, key_set_slots
from evenodds.graph.positions import BYTES_PER_POSITION, PositionEnumerator, PositionLayers
from evenodds.graph.solution_files import SolvedPositions
from evenodds.graph.solver_limits import (
    TooLarge,
    memory_limit,
    refuse_unsolvable,
    too_many_positions,
)
from evenodds.kernels import (
    GameKernels,
    Layout,
    are_small_games_compiled,
    kernels_of,
    packing,
)
from evenodds.system.progress import Progress, silent

MAX_INTERPRETED_POSITIONS: Final = 3_000
"""Positions up to which interpreting is faster than compiling."""


class KeyTable(NamedTuple):
    """A hash table for `kernels.key_tables.find`: keys by slot, and a figure for each slot."""

    keys: Keys
    figures: Any


def position_index_of(
    game: GameLike, rulings: dict[str, object], progress: Progress | None
) -> "PositionIndex":
    """The position index of a game; `BadRuling`, `TooLarge` or `BadGame` in one line."""
    return PositionIndex(*catalog.settle(game, rulings), memory_limit(), progress or silent)


def list_positions(
    game: AnyGame,
    rulings: Settled,
    max_positions: int,
    progress: Progress,
) -> tuple[PositionLayers, bool]:
    """All open positions, both of two mirror images, and whether that took compiled kernels.

    Raises `TooLarge` as soon as there are more than `max_positions`.
    """
    unmirrored = game._replace(mirror=None)  # lists both images
    if not are_small_games_compiled():
        limit = min(max_positions, MAX_INTERPRETED_POSITIONS)
        kernels = kernels_of(game, False)
        try:
            return PositionEnumerator(unmirrored, rulings, kernels, limit, progress).run(), False
        except TooLarge:
            if limit == max_positions:
                raise
    kernels = kernels_of(game, True)
    return PositionEnumerator(unmirrored, rulings, kernels, max_positions, progress).run(), True


class PositionIndex:
    """The open positions of a game under some rulings in layers; both of two mirror images.

    Raises `TooLarge` as soon as there are more than `max_positions`, or than fit into memory.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        memory: int,
        progress: Progress,
        max_positions: int | None = None,
    ) -> None:
        refuse_unsolvable(game)
        validate(game, rulings)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        fitting = memory // BYTES_PER_POSITION
        most = fitting if max_positions is None else min(fitting, max_positions)
        try:
            self.listing, self.is_compiled = list_positions(game, rulings, most, progress)
        except TooLarge:
            if most == max_positions:
                raise TooLarge(too_many_positions(most)) from None
            raise
        self.kernels: GameKernels = kernels_of(game, self.is_compiled)
        self.layout = self.listing.layout
        self._unpack = packing(game.start(rulings)).unpack
        self._value_table: tuple[SolvedPositions, tuple[Layout, Keys, Any]] | None = None
        self.policy_cache: dict[Any, Any] = {}
        """What policies share on this index: the strategies of solutions."""
        self.memory = memory
        self.transition_graph: Any = None
        """Set by `transition_graph_of` when it is first needed."""
        self.turn_graph: Any = None
        """Set by `turn_graph_of` when it is first needed."""

    @property
    def layers(self) -> list[Keys]:
        """The open positions by number of rounds; the last layer is empty."""
        return self.listing.layers

    def state(self, key: int) -> Any:
        """The position of a key."""
        return self._unpack(int(key), self.rulings, self.layout)

    def key_table(self, keys: Keys, figures: Any = None) -> KeyTable:
        """A hash table from keys to figures, by default to their indices."""
        figures = np.arange(keys.size, dtype=np.int32) if figures is None else figures
        slots = empty_key_set(key_set_slots(keys.size))
        self.kernels.insert_all(slots, keys, np.empty_like(keys))
        slot_figures = np.zeros(slots.size, figures.dtype)
        self.kernels.write_values(slots, slot_figures, keys, figures)
        return KeyTable(slots, slot_figures)

    def value_table(self, solved: SolvedPositions) -> tuple[Layout, Keys, Any]:
        """The values of a solved game as a hash table for kernels; the last one is cached."""
        if self._value_table is None or self._value_table[0] is not solved:
            # Codes of turns as floats, too: kernels are compiled for one type.
            table = self.key_table(np.asarray(solved.keys), np.asarray(solved.values, np.float64))
            self._value_table = (solved, (solved.layout, *table))
        return self._value_table[1]
