"""Cumulative distributions of policies, from which playouts sample picks."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import Seat
from evenodds.graph import Keys, PositionIndex
from evenodds.kernels import PICK_RANDOM_BITS
from evenodds.policy.pick_probabilities import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.policies import Policy
from evenodds.policy.turn_play import link_shares, turn_graph_of

CUMULATIVE_TOTAL: Final = 1 << PICK_RANDOM_BITS
SHARE_SUM_TOLERANCE: Final = 1e-8
"""A cumulative share this near to 1 is 1: rounding must not leave a gap above the last pick."""


def cumulative_mixes(index: PositionIndex, policy: Policy, seat: Seat) -> Any:
    """For each position the cumulative mix of a policy in 31 bits, from which `playouts` samples.

    A layout, a hash table from keys to rows, and the rows.
    """
    keys, blocks = _shares(index, policy, seat)
    parts = [_cumulative(block) for block in blocks]
    sums = np.full((keys.size, max(part.shape[1] for part in parts)), CUMULATIVE_TOTAL)
    begin = 0
    for part in parts:
        sums[begin : begin + len(part), : part.shape[1]] = part
        begin += len(part)
    return (index.layout, *index.key_table(keys), sums)


def _shares(index: PositionIndex, policy: Policy, seat: Seat) -> tuple[Keys, Iterator[Any]]:
    """Positions, and their shares in blocks, with a column for each number."""
    if not index.game.simultaneous:
        graph = turn_graph_of(index)
        shares = np.zeros((graph.keys.size, int(graph.picks.max()) + 1))
        shares[graph.sources, graph.picks] = link_shares(index, graph, policy, seat)
        return graph.keys, iter([shares])
    keys = np.unique(np.concatenate(index.layers))
    asked = PolicyShares(index, policy, seat)
    cuts = range(0, keys.size, BLOCK_POSITIONS)
    return keys, (asked.block(keys, cut, min(keys.size, cut + BLOCK_POSITIONS)) for cut in cuts)


def _cumulative(shares: Any) -> Any:
    """Cumulative shares along each row, up to the last number that has any."""
    used = np.flatnonzero(shares.any(axis=0))
    sums = shares[:, : used[-1] + 1 if used.size else 1].cumsum(axis=1)
    return np.where(
        sums > 1 - SHARE_SUM_TOLERANCE, CUMULATIVE_TOTAL, np.rint(sums * CUMULATIVE_TOTAL)
    ).astype(np.int64)
