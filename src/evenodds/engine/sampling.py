"""Cumulative distributions of policies, from which playouts sample picks."""

from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import Seat
from evenodds.engine.graph import Graph
from evenodds.engine.policies import Policy
from evenodds.engine.random_streams import PICK_RANDOM_BITS
from evenodds.engine.strategies import policy_shares

CUMULATIVE_TOTAL: Final = 1 << PICK_RANDOM_BITS
SHARE_SUM_TOLERANCE: Final = 1e-8
"""A cumulative share this near to 1 is 1: rounding must not leave a gap above the last pick."""


def cumulative_mixes(graph: Graph, policy: Policy, seat: Seat) -> Any:
    """For each position the cumulative mix of a policy in 31 bits, from which `playouts` samples.

    A layout, a hash table from keys to rows, and the rows.
    """
    highest = max(int(block.numbers(seat).max()) for block in graph.blocks)
    sums = np.zeros((graph.size, highest + 1), np.int64)
    strategy = policy_shares(graph, policy, seat)
    for block, shares in zip(graph.blocks, strategy, strict=True):
        rows = np.zeros((len(shares), highest + 1))
        np.put_along_axis(rows, block.numbers(seat), shares, axis=1)
        sums[block.places] = _cumulative(rows)
    return (graph.layout, *graph.key_table(), sums)


def _cumulative(shares: Any) -> Any:
    """Cumulative shares along each row."""
    sums = shares.cumsum(axis=1)
    return np.where(
        sums > 1 - SHARE_SUM_TOLERANCE, CUMULATIVE_TOTAL, np.rint(sums * CUMULATIVE_TOTAL)
    )
