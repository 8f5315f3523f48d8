"""Probability mass over positions between two strategies, pushed round by round.

Masses are shares of all matches: how many stand at each place. They are pushed along every pair of
picks; nothing is drawn by lot.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from evenodds.graph import TransitionBlock, TransitionGraph
from evenodds.kernels import mass_flow_kernel

COMPILED_MIN_PAIRS: Final = 200_000
"""Pairs of picks from which on compiled loops are worth their compilation."""
OPEN_SHARE_TOLERANCE: Final = 1e-14
"""Of all matches, so few that no figure shows them."""
MAX_SHOWN_ROUNDS: Final = 30
"""Rounds that are told one by one."""
MAX_FOLLOWED_ROUNDS: Final = 4000
"""Rounds after which matches that are still open are no longer followed one by one."""


def push_masses(
    graph: TransitionGraph, block: TransitionBlock, mass: Any, first: Any, second: Any
) -> Any:
    """Where the matches at the places of a sheet are one round later: at each place, at each end.

    The ends stand behind the places.
    """
    here = mass[block.places]
    size = graph.size + len(graph.ends)
    moved = np.zeros(size)
    if block.targets.size > COMPILED_MIN_PAIRS:
        mass_flow_kernel()(here, first, second, block.targets, moved)
        return moved
    for piece in block.pieces():
        part = here[piece, None] * first[piece]
        weights = part[:, :, None] * second[piece][:, None, :]
        moved += np.bincount(block.targets[piece].ravel(), weights.ravel(), size)
    return moved


def visit_counts(graph: TransitionGraph, first: Any, second: Any) -> Any:
    """How many matches come to each place, and behind them to each end; in games without loops."""
    mass = np.zeros(graph.size + len(graph.ends))
    mass[0] = 1.0
    for place, block in enumerate(graph.blocks):
        if mass[block.places].any():
            mass += push_masses(graph, block, mass, first[place], second[place])
    return mass


def masses_by_round(graph: TransitionGraph, first: Any, second: Any) -> Iterator[Any]:
    """The masses after each round, those that ended in that round behind; the start is the first.

    It goes on until hardly a match is open, or they have become too long.
    """
    mass = np.zeros(graph.size + len(graph.ends))
    mass[0] = 1.0
    for _ in range(MAX_FOLLOWED_ROUNDS):
        yield mass
        if mass[: graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            return
        moved = np.zeros(mass.size)
        for place, block in enumerate(graph.blocks):
            if mass[block.places].any():
                moved += push_masses(graph, block, mass, first[place], second[place])
        mass = moved
