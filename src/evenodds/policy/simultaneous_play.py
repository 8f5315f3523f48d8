"""Odds and best responses in simultaneous games, layer by layer."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import SEATS, Seat, other
from evenodds.graph import Keys, PositionIndex
from evenodds.kernels import WorkerThreads, worker_threads
from evenodds.policy.pick_probabilities import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.policies import Policy

SLICES_PER_LAYER: Final = 2
"""Parts of a layer that are summed separately; fixed, so that results are the same to the last
bit on any number of cores."""

Work = Callable[[int, int, int], None]
"""A function of a slice and a range of positions in it."""


def simultaneous_flow(index: PositionIndex, first: Policy, second: Policy) -> tuple[Any, float]:
    """The probabilities of outcomes -1, 0 and 1, and the mean number of rounds."""
    shares = [
        PolicyShares(index, policy, seat)
        for policy, seat in zip((first, second), SEATS, strict=True)
    ]
    ends = np.zeros((SLICES_PER_LAYER, 3))
    mass = np.ones(1)
    rounds = 0.0
    layer_pass = _LayerPass(index, "following positions")
    with worker_threads(index.progress) as threads:
        for layer, following in zip(index.layers, index.layers[1:], strict=False):
            rounds += mass.sum()
            keys, places = index.key_table(following)
            next_mass = np.zeros((SLICES_PER_LAYER, following.size))

            def push(
                piece: int,
                begin: int,
                end: int,
                layer: Keys = layer,
                mass: Any = mass,
                table: Any = (keys, places),
                next_mass: Any = next_mass,
            ) -> None:
                if not mass[begin:end].any():
                    return
                blocks = tuple(side.block(layer, begin, end) for side in shares)
                where = (index.rulings, index.layout, layer, begin, end)
                over = np.zeros(3)  # summed in small parts, which keeps rounding small
                index.kernels.policy_play.push_mass(
                    *where, mass, blocks, (*table, next_mass[piece]), over
                )
                ends[piece] += over

            layer_pass.run(threads, layer.size, push)
            mass = next_mass.sum(axis=0)
    return ends.sum(axis=0), float(rounds)


def simultaneous_response(
    index: PositionIndex, policy: Policy, seat: Seat
) -> tuple[float, list[Any]]:
    """The value of the best response of a seat to a policy, and its picks by layer."""
    shares = PolicyShares(index, policy, other(seat))
    picks: list[Any] = []
    worths = following = np.zeros(0)
    ahead: Keys = np.zeros(0, np.int64)
    layer_pass = _LayerPass(index, "judging positions")
    with worker_threads(index.progress) as threads:
        for layer in reversed(index.layers):
            keys, places = index.key_table(ahead)
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
                where = (index.rulings, index.layout, layer, begin, end)
                index.kernels.policy_play.fill_best_responses(
                    *where, seat, block, table, worths, best
                )

            layer_pass.run(threads, layer.size, answer)
            picks.append(best)
            following, ahead = worths, layer
    return float(worths[0]), picks[::-1]


class _LayerPass:
    """A pass over all positions, layer by layer on all cores, with progress reports."""

    def __init__(self, index: PositionIndex, name: str) -> None:
        self.name = name
        self.progress = index.progress
        self.total = sum(layer.size for layer in index.layers)
        self.done = [0] * SLICES_PER_LAYER

    def run(self, threads: WorkerThreads, count: int, work: Work) -> None:
        """Do the work for a layer of `count` positions, block by block.

        Each slice belongs to one thread, so that its sums need no lock; the first one reports.
        """

        def one_slice(piece: int) -> None:
            begin, end = count * piece // SLICES_PER_LAYER, count * (piece + 1) // SLICES_PER_LAYER
            while begin < end and not threads.stopped:
                stop = min(end, begin + BLOCK_POSITIONS)
                work(piece, begin, stop)
                self.done[piece] += stop - begin
                begin = stop
                if piece == 0:
                    self.progress(self.name, sum(self.done), self.total)

        list(threads.map(one_slice, range(SLICES_PER_LAYER)))
