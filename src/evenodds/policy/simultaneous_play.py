"""Odds and best responses in simultaneous games, layer by layer."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import SEATS, Seat, other
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import Keys
from evenodds.kernels.threads import WorkerThreads, worker_threads
from evenodds.policy.policies import Policy
from evenodds.policy.shares import BLOCK_POSITIONS, PolicyShares

SLICES_PER_LAYER: Final = 2
"""Parts in which a layer is summed up, the same on any number of cores: so are the last bits."""

Work = Callable[[int, int, int], None]
"""What is done to the positions from one place to another, in one of the slices."""


def simultaneous_flow(ground: PositionIndex, first: Policy, second: Policy) -> tuple[Any, float]:
    """The odds of each outcome from a win of the second seat on, and the mean number of rounds."""
    shares = [
        PolicyShares(ground, policy, seat)
        for policy, seat in zip((first, second), SEATS, strict=True)
    ]
    ends = np.zeros((SLICES_PER_LAYER, 3))
    mass = np.ones(1)
    rounds = 0.0
    walk = _Walk(ground, "following positions")
    with worker_threads(ground.progress) as at_work:
        for layer, following in zip(ground.layers, ground.layers[1:], strict=False):
            rounds += mass.sum()
            keys, places = ground.table(following)
            onward = np.zeros((SLICES_PER_LAYER, following.size))

            def push(
                piece: int,
                begin: int,
                end: int,
                layer: Keys = layer,
                mass: Any = mass,
                table: Any = (keys, places),
                onward: Any = onward,
            ) -> None:
                if not mass[begin:end].any():
                    return
                blocks = tuple(side.block(layer, begin, end) for side in shares)
                where = (ground.rulings, ground.layout, layer, begin, end)
                over = np.zeros(3)  # summed up in small parts, which keeps rounding small
                ground.loops.flows.push(*where, mass, blocks, (*table, onward[piece]), over)
                ends[piece] += over

            walk.over(at_work, layer.size, push)
            mass = onward.sum(axis=0)
    return ends.sum(axis=0), float(rounds)


def simultaneous_response(
    ground: PositionIndex, policy: Policy, seat: Seat
) -> tuple[float, list[Any]]:
    """What a seat gains at most against a policy, and for each layer its best picks."""
    shares = PolicyShares(ground, policy, other(seat))
    picks: list[Any] = []
    worths = following = np.zeros(0)
    ahead: Keys = np.zeros(0, np.int64)
    walk = _Walk(ground, "judging positions")
    with worker_threads(ground.progress) as at_work:
        for layer in reversed(ground.layers):
            keys, places = ground.table(ahead)
            worths, best = np.zeros(layer.size), np.zeros(layer.size, np.int8)

            def answer(
                piece: int,
                begin: int,
                end: int,
                layer: Keys = layer,
                table: Any = (keys, places, following),
                worths: Any = worths,
                best: Any = best,
            ) -> None:
                block = shares.block(layer, begin, end)
                where = (ground.rulings, ground.layout, layer, begin, end)
                ground.loops.flows.respond(*where, seat, block, table, worths, best)

            walk.over(at_work, layer.size, answer)
            picks.append(best)
            following, ahead = worths, layer
    return float(worths[0]), picks[::-1]


class _Walk:
    """A walk over all positions, layer by layer on all cores, that tells how far it is."""

    def __init__(self, ground: PositionIndex, name: str) -> None:
        self.name = name
        self.progress = ground.progress
        self.total = sum(layer.size for layer in ground.layers)
        self.done = [0] * SLICES_PER_LAYER

    def over(self, at_work: WorkerThreads, count: int, work: Work) -> None:
        """Do the work for a layer of `count` positions, block by block."""

        def one_slice(piece: int) -> None:
            begin, end = count * piece // SLICES_PER_LAYER, count * (piece + 1) // SLICES_PER_LAYER
            while begin < end and not at_work.stopped:
                stop = min(end, begin + BLOCK_POSITIONS)
                work(piece, begin, stop)
                self.done[piece] += stop - begin
                begin = stop
                if piece == 0:
                    self.progress(self.name, sum(self.done), self.total)

        list(at_work.pool.map(one_slice, range(SLICES_PER_LAYER)))
