"""The solver for large games: compiled loops over packed positions, on all cores."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import BadGame, GameValidator, game_fault
from evenodds.graph.positions import (
    BYTES_PER_POSITION,
    MAX_PICKS,
    Keys,
    Lister,
    PositionLayers,
    empty_key_set,
    key_set_slots,
)
from evenodds.graph.solved_positions import SolvedPositions, sorted_by_key
from evenodds.kernels.compile import GameKernels, kernels_of
from evenodds.kernels.keys import packing
from evenodds.kernels.solve import EMPTY, UNSOLVED
from evenodds.kernels.threads import Progress, split_range, worker_threads
from evenodds.matrix.simplex import make_simplex_workspace

MAX_PICKS_TO_END: Final = 32_767
"""The most picks to the end that a code of 16 bits tells."""


def solve_compiled(
    game: AnyGame, rulings: Any, memory: int, progress: Progress, loops: GameKernels | None = None
) -> SolvedPositions:
    """List and solve every position within a limit of memory in bytes."""
    loops = loops or kernels_of(game)
    listing = Lister(game, rulings, loops, memory // BYTES_PER_POSITION, progress).run()
    if game.mirror is not None:
        _check_mirror(game, rulings, listing, loops, progress)
    if game.simultaneous:
        return _solve_rounds(rulings, listing, loops, progress)
    return _solve_turns(rulings, listing, loops, progress)


def _check_mirror(
    game: AnyGame, rulings: Any, listing: PositionLayers, loops: GameKernels, progress: Progress
) -> None:
    """Hold every position against its mirror image, all picks followed; `BadGame` with a false one.

    Only one of two images is solved, so a false mirror would make a false value look certain.
    """
    done, total = 0, sum(layer.size for layer in listing.layers)
    with worker_threads(progress) as at_work:
        for layer in listing.layers:
            pieces = split_range(layer.size)
            ends = at_work.pool.map(
                lambda piece, layer=layer: loops.find_unmirrored(
                    rulings, listing.layout, layer, *piece
                ),
                pieces,
            )
            for (begin, end), found in zip(pieces, ends, strict=True):
                if found < end:
                    state = packing(game.start(rulings)).unpack(
                        int(layer[found]), rulings, listing.layout
                    )
                    GameValidator(game, rulings).look(state)  # says what is wrong
                    raise game_fault(game, "mirror", state, "does not hold once it is compiled")
                done += end - begin
                progress("checking mirror images of positions", done, total)


def _solve_rounds(
    rulings: Any, listing: PositionLayers, loops: GameKernels, progress: Progress
) -> SolvedPositions:
    """From the last layer back, which are used up: each position a matrix game of solved ones."""
    total = sum(layer.size for layer in listing.layers)
    done = positions = 0
    gap = 0.0
    with worker_threads(progress) as at_work:
        rooms = [make_simplex_workspace(MAX_PICKS) for _ in range(at_work.size)]
        keys, values = _table(listing, loops)
        while listing.layers:
            layer = listing.layers.pop()
            worths = np.empty(layer.size)

            def solve(
                piece: tuple[int, int], layer: Keys = layer, worths: Any = worths
            ) -> tuple[float, int]:
                room = rooms.pop()
                found: tuple[float, int] = loops.solve_layer(
                    rulings, listing.layout, layer, *piece, keys, values, worths, room
                )
                rooms.append(room)
                return found

            widest = 0.0
            pieces = split_range(layer.size)
            for piece, found in zip(pieces, at_work.pool.map(solve, pieces), strict=True):
                widest = max(widest, found[0])
                positions += found[1]
                done += piece[1] - piece[0]
                progress("solving positions", done, total)
            loops.store(keys, values, layer, worths)
            gap += widest
    held = keys >= 0
    return sorted_by_key(listing.layout, keys[held], values[held], positions, gap)


def _solve_turns(
    rulings: Any, listing: PositionLayers, loops: GameKernels, progress: Progress
) -> SolvedPositions:
    """Wins and losses by the number of picks to the end; what is never settled is a draw."""
    listed = np.sort(np.concatenate(listing.layers))
    listing.layers.clear()
    keys = empty_key_set(key_set_slots(listed.size))
    codes = np.zeros(keys.size, np.int16)
    now = settled = 0
    with worker_threads(progress) as at_work:
        loops.admit(keys, listed, listed)  # each is new, and stays where it is
        fresh = 1
        while fresh:
            now += 1
            if now > MAX_PICKS_TO_END:
                raise BadGame(
                    f"best play takes more than {MAX_PICKS_TO_END:,} picks, which is not kept"
                )
            sweeps = at_work.pool.map(
                lambda piece, now=now: loops.sweep(
                    rulings, listing.layout, listed, *piece, keys, codes, now
                ),
                split_range(listed.size),
            )
            fresh = sum(sweeps)
            settled += fresh
            progress("solving positions", settled, listed.size)
    found = np.empty(listed.size, np.int16)
    loops.collect(keys, codes, listed, found)
    return SolvedPositions(listing.layout, listed, found, listed.size, 0.0)


def _table(listing: PositionLayers, loops: GameKernels) -> tuple[Keys, NDArray[np.float64]]:
    """One table of all positions, each key beside its value."""
    count = sum(layer.size for layer in listing.layers)
    cells = np.full((key_set_slots(count), 2), UNSOLVED)
    keys = cells.view(np.int64)[:, 0]
    keys[:] = EMPTY
    for layer in listing.layers:
        loops.admit(keys, layer, np.empty_like(layer))
    return keys, cells[:, 1]
