"""Matches in bulk on all cores: how they end, by what, and after how many rounds."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver.compile import playouts_of
from evenodds.solver.listing import crew, pieces_of
from evenodds.solver.playouts import uniform

BATCH: Final = 50_000
"""Matches that a core takes at once."""
LONGEST: Final = 10_000
"""Rounds after which a match is cut off, unless said otherwise."""
SEEDS: Final = 1 << 62

Way = Callable[[Any, int, int, int], int]
"""A way of picking: a rule from position, seat, moves and a random number to a pick."""


class Simulation(NamedTuple):
    """Counts of matches: by outcome, by ending, by length in rounds."""

    first: int
    draw: int
    second: int
    cut_off: int
    """Matches that were still open after the longest length."""
    endings: dict[str, int]
    lengths: dict[int, int]


def simulate(
    game: AnyGame | str,
    first: Way = uniform,
    second: Way = uniform,
    matches: int = 100_000,
    seed: int = 0,
    *,
    longest: int = LONGEST,
    compiled: bool = True,
    **rulings: object,
) -> Simulation:
    """Play matches between two ways of picking and count them.

    The same seed gives the same counts on any number of cores: every match has chance of its own.
    Sampled, not exact: `solve` is exact.
    """
    game = catalog.get(game) if isinstance(game, str) else game
    settled = game.settle(rulings)
    play = playouts_of(game, first, second, compiled)
    kinds = list(type(game.ending(game.start(settled))))

    def batch(piece: tuple[int, int]) -> list[Any]:
        counts = [np.zeros(size, np.int64) for size in (4, max(kinds) + 1, longest + 1)]
        play(settled, seed % SEEDS, *piece, *counts)
        return counts

    with crew() as at_work:
        parts = list(at_work.pool.map(batch, pieces_of(matches, BATCH)))
    outcomes, endings, lengths = (sum(column) for column in zip(*parts, strict=True))
    return Simulation(
        int(outcomes[2]),
        int(outcomes[1]),
        int(outcomes[0]),
        int(outcomes[3]),
        {kind.name: int(endings[kind]) for kind in kinds if endings[kind]},
        {rounds: int(count) for rounds, count in enumerate(lengths) if count},
    )
