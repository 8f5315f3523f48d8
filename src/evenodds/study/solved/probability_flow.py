"""Probability mass over positions between two strategies, pushed round by round.

A mass is the share of all matches at a position. Masses are pushed along every pair of picks;
nothing is sampled. In arrays the ends stand behind the positions.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from evenodds.graph import TransitionBlock, TransitionGraph
from evenodds.kernels import mass_flow_kernel

COMPILED_MIN_PAIRS: Final = 200_000
"""Pairs of picks from which the compiled kernel is worth its compilation."""
OPEN_SHARE_TOLERANCE: Final = 1e-14
"""A share of open matches so small that no figure shows it."""
MAX_FOLLOWED_ROUNDS: Final = 4000
"""Rounds after which open matches are no longer followed."""


def push_masses(
    graph: TransitionGraph, block: TransitionBlock, mass: Any, first: Any, second: Any
) -> Any:
    """The masses of a block one round later, at every position and end."""
    mass_here = mass[block.places]
    size = graph.size + len(graph.ends)
    arrived = np.zeros(size)
    if block.targets.size > COMPILED_MIN_PAIRS:
        mass_flow_kernel()(mass_here, first, second, block.targets, arrived)
        return arrived
    for piece in block.pieces():
        row_mass = mass_here[piece, None] * first[piece]
        weights = row_mass[:, :, None] * second[piece][:, None, :]
        arrived += np.bincount(block.targets[piece].ravel(), weights.ravel(), size)
    return arrived


def visit_counts(graph: TransitionGraph, first: Any, second: Any) -> Any:
    """The share of matches that reach each position and end, in games without loops."""
    mass = np.zeros(graph.size + len(graph.ends))
    mass[0] = 1.0
    for index, block in enumerate(graph.blocks):
        if mass[block.places].any():
            mass += push_masses(graph, block, mass, first[index], second[index])
    return mass


def masses_by_round(graph: TransitionGraph, first: Any, second: Any) -> Iterator[Any]:
    """The masses after each round, beginning with the start; ends hold those of that round only.

    Stops when hardly a match is open, or after `MAX_FOLLOWED_ROUNDS`.
    """
    mass = np.zeros(graph.size + len(graph.ends))
    mass[0] = 1.0
    for _ in range(MAX_FOLLOWED_ROUNDS):
        yield mass
        if mass[: graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            return
        arrived = np.zeros(mass.size)
        for index, block in enumerate(graph.blocks):
            if mass[block.places].any():
                arrived += push_masses(graph, block, mass, first[index], second[index])
        mass = arrived
