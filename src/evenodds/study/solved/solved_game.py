"""A solved game with its transition graph, position values and strategies, built on demand."""

from functools import cached_property
from typing import Any

import numpy as np

from evenodds.claims.study_data import HIGHEST_POLICY, LEVEL_NAMES, PERFECT_POLICY, RANDOM_POLICY
from evenodds.core.catalog import AnyGame
from evenodds.core.ladder import LEVELS
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat
from evenodds.graph import (
    PositionIndex,
    TransitionBlock,
    TransitionGraph,
    memory_limit,
    transition_graph_of,
)
from evenodds.kernels import compile_small_games, split_range, worker_threads
from evenodds.players.exact import level_policy
from evenodds.policy import BLOCK_POSITIONS, PolicyShares, link_shares, turn_graph_of
from evenodds.solver import Solution, solve_settled
from evenodds.study.solved.position_bounds import check_position_count
from evenodds.system.progress import Progress, silent

StrategyShares = list[Any]
"""Pick probabilities: for each block of the graph an array of positions by legal numbers."""


class SolvedGame:
    """A game under some rulings: solved at once; its graph and strategies are built on demand.

    Raises `TooLarge` or `BadGame`; with `max_positions`, before it is solved, if it has more. With
    `index_first` its positions are listed first, and where that takes compiled kernels, these solve
    it too, and all later rulings of this process.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Any,
        progress: Progress = silent,
        solution: Solution | None = None,
        *,
        max_positions: int | None = None,
        index_first: bool = False,
    ) -> None:
        if max_positions is not None:
            check_position_count(game, rulings, max_positions)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        if index_first and self.position_index.is_compiled:
            compile_small_games()
        self.solution = solution or solve_settled(game, rulings, progress=progress)

    @cached_property
    def position_index(self) -> PositionIndex:
        """The index of every reachable position."""
        return PositionIndex(self.game, self.rulings, memory_limit(), self.progress)

    @cached_property
    def graph(self) -> TransitionGraph:
        """Every position, and the successor of each pair of picks."""
        return transition_graph_of(self.position_index)

    @cached_property
    def values(self) -> Any:
        """The value of each position to the first seat, followed by that of each end."""
        return self.graph.values(self.solution.solved)

    @property
    def value(self) -> float:
        """The value of the start to the first seat."""
        return self.solution.value(self.solution.start)

    @cached_property
    def loops(self) -> bool:
        """Whether the graph has a cycle under these rulings; `game.loops` says whether it may."""
        if not self.game.loops:
            return False
        return any(layer.inner.size for layer in turn_graph_of(self.position_index).layers)

    @property
    def topologically_ordered(self) -> bool:
        """Whether each block leads only to later blocks, so that one pass over them suffices."""
        return not self.game.loops

    @cached_property
    def mostly_cyclic(self) -> bool:
        """Whether a large part of the graph is one cycle, so that good players hardly ever end.

        Matches between levels take too many rounds there to be computed.
        """
        return self.loops and any(
            layer.is_large for layer in turn_graph_of(self.position_index).layers
        )

    @cached_property
    def repetition(self) -> int:
        """How often a position may come up before the match is a draw; 0 where it is not counted.

        A position does not hold the history of a match. Repetitions can be counted without it only
        where play comes back to a position in a single way.
        """
        counts = self.loops and turn_graph_of(self.position_index).counts_repetitions
        return DEFAULT_REPETITION if counts else 0

    def payoff(self, block: TransitionBlock, piece: slice) -> Any:
        """The value of each pair of picks to the first seat, at some positions of a block."""
        return self.values[block.targets[piece]]

    @cached_property
    def equilibrium(self) -> tuple[StrategyShares, StrategyShares]:
        """The selected equilibrium: the best mixes of both seats that `solve` names."""
        first = self._equilibrium_shares(FIRST)
        if self.game.mirror is None:
            return first, self._equilibrium_shares(SECOND)
        return first, self._mirrored(first)

    def _mirrored(self, shares: StrategyShares) -> StrategyShares:
        # In a symmetric game the second seat plays what the first does in the mirror image. The
        # image of a block lies within one block, so the block of its first position will do.
        images = self.graph.images()
        blocks, rows = np.zeros(self.graph.size, np.int32), np.zeros(self.graph.size, np.int64)
        for number, block in enumerate(self.graph.blocks):
            blocks[block.places] = number
            rows[block.places] = np.arange(len(block.places))
        found = []
        for block in self.graph.blocks:
            there = images[block.places]
            found.append(shares[blocks[there[0]]][rows[there]])
        return found

    @cached_property
    def losses(self) -> tuple[StrategyShares, StrategyShares]:
        """What each number of both seats loses against the other's equilibrium mix."""
        found: tuple[StrategyShares, StrategyShares] = ([], [])
        for block, first, second in zip(self.graph.blocks, *self.equilibrium, strict=True):
            sides = [np.empty(first.shape), np.empty(second.shape)]
            for piece in block.pieces():
                payoff = self.payoff(block, piece)
                worth = self.values[block.places[piece], None]
                sides[FIRST][piece] = worth - np.einsum("nij,nj->ni", payoff, second[piece])
                sides[SECOND][piece] = np.einsum("nij,ni->nj", payoff, first[piece]) - worth
            for seat in SEATS:
                found[seat].append(np.maximum(sides[seat], 0.0))  # rounding may go below zero
        return found

    def shares(self, policy: str, seat: Seat) -> StrategyShares:
        """The pick probabilities of a named policy in a seat.

        `copy` is not among them: it depends on the last pick, which a position does not hold.
        """
        if policy == RANDOM_POLICY:
            return self.graph.uniform(seat)
        if policy == HIGHEST_POLICY:
            return [_highest(block.numbers(seat)) for block in self.graph.blocks]
        if policy == PERFECT_POLICY:
            return self.equilibrium[seat]
        level = level_policy(self.game, self.solution, LEVELS[LEVEL_NAMES.index(policy)])
        sides = zip(self.equilibrium[seat], self.losses[seat], strict=True)
        return [level.shares(shares, losses) for shares, losses in sides]

    def links(self, first: StrategyShares, second: StrategyShares) -> Any:
        """The probability of each link of the turn graph, from the pick probabilities by block."""
        turn_graph = turn_graph_of(self.position_index)
        found = np.zeros(turn_graph.targets.size)
        for block, one, two in zip(self.graph.blocks, first, second, strict=True):
            places = turn_graph.begins[block.places, None] + np.arange(block.targets[0].size)
            found[places] = one * two
        return found

    def _equilibrium_shares(self, seat: Seat) -> StrategyShares:
        if self.game.simultaneous:
            policy_shares = PolicyShares(self.position_index, self.solution, seat)
            return [
                self._evaluate(policy_shares, block, block.numbers(seat))
                for block in self.graph.blocks
            ]
        turn_graph = turn_graph_of(self.position_index)
        links = link_shares(self.position_index, turn_graph, self.solution, seat)
        return [
            np.ones(numbers.shape)
            if numbers[0, 0] == PASS
            else links[turn_graph.begins[block.places, None] + np.arange(numbers.shape[1])]
            for block in self.graph.blocks
            for numbers in [block.numbers(seat)]
        ]

    def _evaluate(self, policy_shares: Any, block: TransitionBlock, numbers: Any) -> Any:
        keys = self.graph.keys[block.places]
        found = np.empty(numbers.shape)

        def ask(piece: tuple[int, int]) -> None:
            rows = policy_shares.block(keys, *piece)
            found[slice(*piece)] = np.take_along_axis(rows, numbers[slice(*piece)], axis=1)

        with worker_threads(self.progress) as at_work:
            pieces = split_range(keys.size, BLOCK_POSITIONS)
            for piece, _ in zip(pieces, at_work.map(ask, pieces), strict=True):
                done = int(block.places[0]) + piece[1]
                self.progress("naming best mixes", done, self.graph.size)
        return found


def _highest(numbers: Any) -> Any:

    shares = np.zeros(numbers.shape)
    shares[:, -1] = 1.0
    return shares
