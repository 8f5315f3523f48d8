"""Which of several best picks a game of turns is played with: the one that wins most often.

In a won position it is the shortest win. In a lost one it is the pick with the best chances: with
the highest expected score, a draw counting half, if the opponent picks any number alike for the
rest of the match while these picks are played; endless play is a draw. In any other it is, among
the picks that keep the value, the one with the highest expected score against a model opponent who
errs now and then. Ties go to the plain choice: the pick after which the most replies lose (in a
lost position the longest loss), then the smallest number.

The model opponent errs once in 16 picks: then it picks any number alike. Otherwise it makes the
plain choice half of the time, and any pick that keeps the value the other half.

A pick that the opponent can take back, in `factors` a copy of their number, is worth a draw at
most: two who play by this rule would otherwise wait for each other until the position is a draw.

Sums in a fixed order, compared after rounding: every machine names the same pick. The loops are in
`kernels.turns`: compiled over the arrays of a large game, or else interpreted over lists.
"""

import importlib.util
import zlib
from base64 import b64decode, b64encode
from contextlib import suppress
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.engine.interpreted import END_OUTCOMES, StateGraph
from evenodds.engine.link_graph import LinkGraph, PickWorkspace
from evenodds.engine.pick_kernels import fill_winning_picks
from evenodds.engine.position_keys import packing
from evenodds.engine.solution_files import (
    SOLVER_CODE,
    SolvedPositions,
    load_result,
    save_result,
)
from evenodds.system.cache_folder import CacheKind
from evenodds.system.progress import Progress

if TYPE_CHECKING:
    from evenodds.engine.graph import Graph
    from evenodds.engine.listing import Listing

MAX_WINNING_POSITIONS: Final = 60_000
"""Positions up to which these picks are found; larger games are played by the plain choice."""
MAX_INTERPRETED_PICKS: Final = 20_000
"""Positions up to which interpreting these loops takes less time than compiling them."""

CHOICES_KIND: Final = CacheKind("choices", "choices between best picks", SOLVER_CODE)


def choices_of(
    game: AnyGame,
    rulings: Any,
    solved: SolvedPositions,
    progress: Progress,
    keep: bool,
    listing: "Listing | None" = None,
) -> bytes | None:
    """The winning picks of a solved game, from the cache or found and, if asked, cached.

    None where both pick at once, and in games that are too large. An index of the positions that
    took compiled kernels lets these find the picks, too.
    """
    if game.simultaneous or game.mirror is not None or solved.positions > MAX_WINNING_POSITIONS:
        return None
    key = (game, rulings, CHOICES_KIND)
    with suppress(TypeError, ValueError, zlib.error):  # not in the cache, or damaged
        found = zlib.decompress(b64decode(load_result(*key), validate=True))
        if len(found) == len(solved.keys):
            return found
    if listing is not None and listing.is_compiled:
        from evenodds.engine.graph import Graph  # needs NumPy

        found = winning_picks_in(Graph(listing), solved)
    else:
        found = winning_picks(game, rulings, solved, progress)
    if keep:
        save_result(b64encode(zlib.compress(found, 9)).decode(), *key)
    return found


def winning_picks(
    game: AnyGame, rulings: Any, solved: SolvedPositions, progress: Progress
) -> bytes:
    """The pick at every position of a solved game of turns, in the order of its keys."""
    is_compiled = solved.positions > MAX_INTERPRETED_PICKS and importlib.util.find_spec("numba")
    listed = StateGraph(game, rulings, inf, progress)
    states, count = listed.states, len(listed.states)
    pack = packing(states[0]).pack
    keys = [pack(state, solved.layout) for state in states]
    by_key = sorted(range(count), key=keys.__getitem__)
    codes = [0] * count
    for place, code in zip(by_key, memoryview(solved.values), strict=True):
        codes[place] = code
    sides = listed.sides()
    picks = [game.picks(state, side < 0) for state, side in zip(states, sides, strict=True)]
    graph = LinkGraph(
        listed.begins,
        listed.targets,
        list(chain.from_iterable(picks)),
        sides,
        [*((code > 0) - (code < 0) for code in codes), *map(int, END_OUTCOMES)],
        [*map(abs, codes), 0, 0, 0],
    )
    if is_compiled:
        return _chosen_by_kernel(graph)[by_key].tobytes()  # type: ignore[no-any-return]
    links, chosen = len(graph.targets), [0] * count
    work = PickWorkspace(
        [0] * (count + 3),
        [0.0] * links,
        [False] * links,
        [False] * links,
        [0.0] * (count + 3),
        *([0] * count for _ in range(4)),
    )
    fill_winning_picks(graph, work, chosen)
    return bytes(chosen[place] for place in by_key)


def winning_picks_in(graph: "Graph", solved: SolvedPositions) -> bytes:
    """The same by compiled kernels, over the graph of a game."""
    import numpy as np

    codes, at_ends = graph.solver_output(solved).astype(np.int64), np.zeros(len(graph.ends), int)
    links = LinkGraph(
        graph.begins,
        graph.targets,
        graph.picks,
        1 - 2 * graph.movers.astype(np.int64),
        np.append(np.sign(codes), graph.outcomes.astype(np.int64)),
        np.append(np.abs(codes), at_ends),
    )
    numbers = np.arange(graph.size, dtype=np.int64)
    order = graph.solver_output(solved._replace(values=numbers)).astype(np.int64)
    found = np.zeros(graph.size, np.uint8)
    found[order] = _chosen_by_kernel(links)
    return found.tobytes()


def _chosen_by_kernel(graph: LinkGraph) -> Any:
    """The pick at every position of a graph, by the compiled kernel."""
    import numpy as np

    from evenodds.engine.compile import shared_kernel
    from evenodds.engine.link_graph import pick_workspace

    types = (np.int64, np.int64, np.int8, np.int64, np.int64, np.int64)
    arrays = LinkGraph(*map(np.asarray, graph, types))
    chosen = np.zeros(len(arrays.sides), np.uint8)
    count = len(arrays.sides)
    work = pick_workspace(count, len(arrays.values) - count, len(arrays.targets))
    shared_kernel(fill_winning_picks)(arrays, work, chosen)
    return chosen
