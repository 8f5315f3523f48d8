"""The strategy of a policy: its shares at every position, block by block of the graph."""

from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import FIRST, PASS, Seat, other
from evenodds.engine.block_loops import fill_selected_mixes
from evenodds.engine.compile import shared_kernel
from evenodds.engine.graph import Block, Graph
from evenodds.engine.lost_positions import CHANCE_DIGITS, MAX_LOST_VALUE
from evenodds.engine.policies import Policy, Uniform, check_policy, mix_of, solution_of
from evenodds.engine.simplex import as_arrays, make_dictionary
from evenodds.engine.softmax import SoftmaxPolicy
from evenodds.engine.solution import Solution
from evenodds.engine.strategy_shares import SharesOnDemand, StrategyShares
from evenodds.engine.threads import split_range, worker_threads

BLOCK_POSITIONS: Final = 1_000
"""Positions whose mixes a thread selects before it takes the next."""


def policy_shares(graph: Graph, policy: Policy, seat: Seat) -> StrategyShares:
    """The strategy of a policy in a seat; `BadPolicy` where it is none for this game."""
    check_policy(graph.game, graph.rulings, policy)
    if isinstance(policy, Uniform):
        return graph.uniform(seat)
    solution = solution_of(policy)
    if solution is None:
        return SharesOnDemand(graph, seat, lambda state: mix_of(graph.game, policy, state, seat))
    equilibrium = Equilibrium(graph, solution)
    if not isinstance(policy, SoftmaxPolicy):
        return equilibrium.mixes(seat)
    sides = zip(equilibrium.mixes(seat), equilibrium.losses(seat), strict=True)
    return [policy.shares(mixes, losses) for mixes, losses in sides]


class Equilibrium:
    """The selected equilibrium of a solved game at every position, computed when it is needed."""

    def __init__(self, graph: Graph, solution: Solution) -> None:
        self.graph = graph
        self.solution = solution
        kept = graph.policy_cache.setdefault(solution, ([], {}, {}, {}))
        values: list[Any]
        shares: list[dict[Seat, StrategyShares]]
        values, *shares = kept
        self._mixes, self._punishing_mixes, self._losses = shares
        if not values:
            values.append(graph.values(solution.solved))
        self.values = values[0]
        """The value of each position to the first seat, followed by that of each end."""

    def mixes(self, seat: Seat) -> StrategyShares:
        """The best mixes of a seat that `Solution.mix` names."""
        if seat not in self._mixes:
            if not self.graph.game.simultaneous:
                self._mixes[seat] = self.graph.block_shares(self._selected_links(), seat)
            elif self.graph.game.mirror is not None and other(seat) in self._mixes:
                self._mixes[seat] = self._mirrored(self._mixes[other(seat)])
            elif self.solution.plays_for_chances:
                self._mixes[seat] = self._with_best_chances(seat)
            else:
                self._mixes[seat] = self.punishing_mixes(seat)
        return self._mixes[seat]

    def punishing_mixes(self, seat: Seat) -> StrategyShares:
        """The mixes of a seat against which mistakes of the other are measured."""
        if not self.graph.game.simultaneous:
            return self.mixes(seat)
        found = self._punishing_mixes
        if seat not in found:
            if self.graph.game.mirror is not None and other(seat) in found:
                found[seat] = self._mirrored(found[other(seat)])
            else:
                found[seat] = [self._selected_mixes(block, seat) for block in self.graph.blocks]
        return found[seat]

    def losses(self, seat: Seat) -> StrategyShares:
        """What each pick of a seat loses against the other's punishing mix."""
        if seat not in self._losses:
            side = 1 if seat == FIRST else -1
            subscripts = "nij,nj->ni" if seat == FIRST else "nij,ni->nj"
            found = [np.empty(block.numbers(seat).shape) for block in self.graph.blocks]
            theirs = self.punishing_mixes(other(seat))
            for losses, block, mixes in zip(found, self.graph.blocks, theirs, strict=True):
                for piece in block.pieces():
                    payoff = self.values[block.targets[piece]]
                    worth = self.values[block.places[piece], None]
                    yields = np.einsum(subscripts, payoff, mixes[piece])
                    # Rounding may go below zero.
                    losses[piece] = np.maximum(side * (worth - yields), 0.0)
            self._losses[seat] = found
        return self._losses[seat]

    def _mirrored(self, shares: StrategyShares) -> StrategyShares:
        # In a symmetric game a seat plays what the other does in the mirror image. The
        # image of a block lies within one block, so the block of its first position will do.
        graph, images = self.graph, self.graph.images()
        blocks, rows = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int64)
        for number, block in enumerate(graph.blocks):
            blocks[block.places] = number
            rows[block.places] = np.arange(len(block.places))
        found = []
        for block in graph.blocks:
            there = images[block.places]
            found.append(shares[blocks[there[0]]][rows[there]])
        return found

    def _selected_links(self) -> Any:
        """The shares of links in a game of turns: 1 for the pick of each position."""
        solved = self.solution.solved
        numbers = np.frombuffer(solved.picks, np.uint8).astype(np.int16)
        picks = self.graph.solver_output(solved._replace(values=numbers))
        return (self.graph.picks == picks[self.graph.sources]).astype(float)

    def _with_best_chances(self, seat: Seat) -> StrategyShares:
        """The punishing mixes, with the best chance in lost positions (`solver.lost_positions`)."""
        side = 1 if seat == FIRST else -1
        # What the seat expects if the other picks any number alike, from the last block back.
        scores = side * self.values
        found: list[Any] = []
        blocks = zip(self.graph.blocks, self.punishing_mixes(seat), strict=True)
        for block, mixes in reversed(list(blocks)):
            is_lost = scores[block.places] <= MAX_LOST_VALUE
            mixes = mixes.copy() if is_lost.any() else mixes
            for piece in block.pieces():
                chances = scores[block.targets[piece]].mean(axis=2 if seat == FIRST else 1)
                lost = np.flatnonzero(is_lost[piece])
                mixes[piece][lost] = 0.0
                mixes[piece][lost, chances[lost].round(CHANCE_DIGITS).argmax(axis=1)] = 1.0
                scores[block.places[piece]] = (mixes[piece] * chances).sum(axis=1)
            found.append(mixes)
        return found[::-1]

    def _selected_mixes(self, block: Block, seat: Seat) -> Any:
        """The selected mixes in a block where both pick at once, on all cores."""
        graph, found = self.graph, np.empty(block.numbers(seat).shape)
        fill = shared_kernel(fill_selected_mixes, graph.is_compiled)
        size = max(block.targets.shape[1:])

        def select(piece: tuple[int, int]) -> None:
            program = as_arrays(make_dictionary(size, size))
            workspace = (np.zeros((size, size)), program, np.zeros(size))
            row, end = piece
            while row < end:
                row = fill(
                    self.values, block.places, block.targets, row, end, seat, workspace, found
                )
                if row < end:  # rounding spoilt the mix: ask the solution
                    state = graph.state(block.places[row])
                    mix = self.solution.punishing_mix(state, seat) or {PASS: 1.0}
                    found[row] = [mix.get(number, 0.0) for number in block.numbers(seat)[row]]
                    row += 1

        with worker_threads() as threads:
            pieces = split_range(len(found), BLOCK_POSITIONS)
            for piece, _ in zip(pieces, threads.map(select, pieces), strict=True):
                done = int(block.places[0]) + piece[1]
                graph.progress("naming best mixes", done, graph.size)
        return found
