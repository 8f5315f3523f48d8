"""Cumulative distributions of policies, from which playouts sample picks."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import Seat
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import Keys
from evenodds.kernels.rng import PICK_RANDOM_BITS
from evenodds.policy.policies import Policy
from evenodds.policy.shares import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.turn_play import link_shares, turn_graph_of

CUMULATIVE_TOTAL: Final = 1 << PICK_RANDOM_BITS
SHARE_SUM_TOLERANCE: Final = 1e-8
"""Shares that add up to one but for this are all there is."""


def cumulative_mixes(ground: PositionIndex, policy: Policy, seat: Seat) -> Any:
    """For each position the shares of a policy added up, in 31 bits, as `playouts` draws from them.

    A layout, a table from keys to places, and a line for each place.
    """
    keys, blocks = _shares(ground, policy, seat)
    parts = [_added_up(block) for block in blocks]
    sums = np.full((keys.size, max(part.shape[1] for part in parts)), CUMULATIVE_TOTAL)
    begin = 0
    for part in parts:
        sums[begin : begin + len(part), : part.shape[1]] = part
        begin += len(part)
    return (ground.layout, *ground.table(keys), sums)


def _shares(ground: PositionIndex, policy: Policy, seat: Seat) -> tuple[Keys, Iterator[Any]]:
    """Positions, and block by block the shares there, a place for each number."""
    if not ground.game.simultaneous:
        web = turn_graph_of(ground)
        shares = np.zeros((web.keys.size, int(web.picks.max()) + 1))
        shares[web.sources, web.picks] = link_shares(ground, web, policy, seat)
        return web.keys, iter([shares])
    keys = np.unique(np.concatenate(ground.layers))
    asked = PolicyShares(ground, policy, seat)
    cuts = range(0, keys.size, BLOCK_POSITIONS)
    return keys, (asked.block(keys, cut, min(keys.size, cut + BLOCK_POSITIONS)) for cut in cuts)


def _added_up(shares: Any) -> Any:
    """Shares added up along each line, all of them at the last number that has any."""
    used = np.flatnonzero(shares.any(axis=0))
    sums = shares[:, : used[-1] + 1 if used.size else 1].cumsum(axis=1)
    return np.where(
        sums > 1 - SHARE_SUM_TOLERANCE, CUMULATIVE_TOTAL, np.rint(sums * CUMULATIVE_TOTAL)
    ).astype(np.int64)
