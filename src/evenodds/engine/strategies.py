"""The strategy of a policy: how likely a seat picks each number, at every position of the graph."""

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, Final, TypeVar

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat, Settled, other
from evenodds.engine.compile import shared_kernel
from evenodds.engine.decided_positions import MAX_LOST_VALUE, fill_decided
from evenodds.engine.game_functions import kernel
from evenodds.engine.graph import Block, Graph
from evenodds.engine.mix_selection import select_mix, spread_mix
from evenodds.engine.policies import (
    Policy,
    SoftmaxPolicy,
    Uniform,
    check_policy,
    mix_of,
    solution_of,
)
from evenodds.engine.positions import Listing
from evenodds.engine.random_streams import PICK_RANDOM_BITS
from evenodds.engine.simplex import guarantees, make_workspace, solve_game
from evenodds.engine.solution import Solution
from evenodds.engine.threads import WorkerThreads, split_range
from evenodds.figures import VALUE_TOLERANCE
from evenodds.system import silent

BLOCK_POSITIONS: Final = 1_000
"""Positions whose mixes a thread selects before it takes the next."""
CUMULATIVE_TOTAL: Final = 1 << PICK_RANDOM_BITS
SHARE_SUM_TOLERANCE: Final = 1e-8
"""A cumulative share this near to 1 is 1: rounding must not leave a gap above the last pick."""

Answer = TypeVar("Answer", bound=Callable[..., Any])
StrategyShares = Sequence[Any]
"""For each block of a graph a row for each position, with a column for each pick of the seat."""


class SharesOnDemand(Sequence[Any]):
    """The strategy of a policy that has to be asked position by position."""

    def __init__(self, graph: Graph, policy: Policy, seat: Seat) -> None:
        self._graph, self._policy, self._seat = graph, policy, seat

    def __len__(self) -> int:
        return len(self._graph.blocks)

    def __getitem__(self, number: Any) -> Any:
        return self.where(number, np.ones(len(self._graph.blocks[number].places), bool))

    def where(self, number: int, asked: Any) -> Any:
        """The shares in a block at some positions; 0 at others, for which nobody is asked."""
        graph, block = self._graph, self._graph.blocks[number]
        numbers = block.numbers(self._seat)
        shares = np.zeros(numbers.shape)
        if block.weights is not None:
            return block.draws(self._seat)
        for row in np.flatnonzero(asked):
            mix = mix_of(graph.game, self._policy, graph.state(block.places[row]), self._seat)
            shares[row] = [mix.get(pick, 0.0) for pick in numbers[row].tolist()]
        return shares


def shares_where(strategy: StrategyShares, number: int, reached: Any) -> Any:
    """The shares in a block, where only some positions matter."""
    if isinstance(strategy, SharesOnDemand):
        return strategy.where(number, reached)
    return strategy[number]


def policy_shares(graph: Graph, policy: Policy, seat: Seat) -> StrategyShares:
    """The strategy of a policy in a seat; `BadPolicy` where it is none for this game."""
    check_policy(graph.game, graph.rulings, policy)
    if isinstance(policy, Uniform):
        return graph.uniform(seat)
    solution = solution_of(policy)
    if solution is None:
        return SharesOnDemand(graph, policy, seat)
    selected = SelectedStrategies(graph, solution)
    if not isinstance(policy, SoftmaxPolicy):
        return selected.mixes(seat)
    sides = zip(selected.mixes(seat), selected.losses(seat), strict=True)
    return graph.with_draws([policy.shares(mixes, losses) for mixes, losses in sides], seat)


def mix_tables(game: AnyGame, rulings: Settled, sides: Sequence[Policy | None]) -> tuple[Any, ...]:
    """For the policy of each seat a table for `pick_by_table`; 0 for None.

    A layout, a hash table from keys to rows, and the rows: the cumulative mix of each position in
    31 bits.
    """
    if all(side is None for side in sides):
        return 0, 0
    graph = Graph(Listing(game, rulings, silent))
    table = (graph.layout, *graph.key_table())
    return tuple(
        0 if side is None else (*table, _cumulative_mixes(graph, side, seat))
        for seat, side in zip(SEATS, sides, strict=True)
    )


def _cumulative_mixes(graph: Graph, policy: Policy, seat: Seat) -> Any:
    highest = max(int(block.numbers(seat).max()) for block in graph.blocks)
    found = np.zeros((graph.size, highest + 1), np.int64)
    for block, rows in rows_by_number(graph, policy_shares(graph, policy, seat), seat):
        sums = rows.cumsum(axis=1)
        is_whole = sums > 1 - SHARE_SUM_TOLERANCE
        found[block.places] = np.where(is_whole, CUMULATIVE_TOTAL, np.rint(sums * CUMULATIVE_TOTAL))
    return found


def rows_by_number(
    graph: Graph, strategy: StrategyShares, seat: Seat
) -> Iterator[tuple[Block, Any]]:
    """The blocks, each with a row of shares for each position and a column for each number."""
    highest = max(int(block.numbers(seat).max()) for block in graph.blocks)
    for block, shares in zip(graph.blocks, strategy, strict=True):
        rows = np.zeros((len(shares), highest + 1))
        np.put_along_axis(rows, block.numbers(seat), shares, axis=1)
        yield block, rows


def mean_over_replies(figures: Any, theirs: Any, seat: Seat) -> Any:
    """For each pick of a seat the mean of the figures of its pairs, by the other's mixes."""
    return np.einsum("nij,nj->ni" if seat == FIRST else "nij,ni->nj", figures, theirs)


def _once(find: Answer) -> Answer:
    """A question to the strategies of a solution that is answered once for each graph."""

    @wraps(find)
    def ask(self: "SelectedStrategies", *seat: Seat) -> Any:
        kept, key = self.graph.policy_cache, (self.solution, find.__name__, *seat)
        if key not in kept:
            kept[key] = find(self, *seat)
        return kept[key]

    return ask  # type: ignore[return-value]


class SelectedStrategies:
    """What both seats play in a solved game, position by position; computed when it is needed.

    In a symmetric game the second seat plays what the first does in the mirror image.
    """

    def __init__(self, graph: Graph, solution: Solution) -> None:
        self.graph, self.solution = graph, solution

    @property
    @_once
    def values(self) -> Any:
        """The value of each position to the first seat, followed by that of each end."""
        found = self.graph.solver_output(self.solution.solved)
        worth = np.sign(found) if self.graph.game.is_combinatorial else found
        return np.concatenate([worth, self.graph.outcomes])

    @_once
    def mixes(self, seat: Seat) -> StrategyShares:
        """The best mixes of a seat that `Solution.mix` names."""
        if self.solution.solved.picks is not None:
            return self._selected_picks(seat)
        if not self.solution.plays_decided:
            return self.punishing_mixes(seat)
        if self.graph.game.mirror is not None and seat == SECOND:
            return self._mirrored(self.mixes(FIRST))
        return self._with_decided(seat)

    @_once
    def punishing_mixes(self, seat: Seat) -> StrategyShares:
        """The mixes of a seat against which mistakes of the other are measured."""
        if self.solution.unknown:
            raise BadGame(self.solution.unknown)
        if self.solution.solved.picks is not None:
            return self.mixes(seat)
        if self.graph.game.mirror is not None and seat == SECOND:
            return self._mirrored(self.punishing_mixes(FIRST))
        return [self._selected_mixes(block, seat) for block in self.graph.blocks]

    @_once
    def losses(self, seat: Seat) -> StrategyShares:
        """What each pick of a seat loses against the other's punishing mix."""
        values, side = self.values, 1 if seat == FIRST else -1
        found = [np.empty(block.numbers(seat).shape) for block in self.graph.blocks]
        theirs = self.punishing_mixes(other(seat))
        for losses, block, mixes in zip(found, self.graph.blocks, theirs, strict=True):
            for piece in block.pieces():
                yields = mean_over_replies(block.worths(values, piece), mixes[piece], seat)
                worth = values[block.places[piece], None]
                losses[piece] = np.maximum(side * (worth - yields), 0.0)  # less is rounding
            if block.weights is not None:
                losses[:] = 0.0
        return found

    def _mirrored(self, shares: StrategyShares) -> StrategyShares:
        # The image of a block lies within one block, so the block of its first position will do.
        graph, images = self.graph, self.graph.images()
        blocks, rows = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int64)
        for number, block in enumerate(graph.blocks):
            blocks[block.places] = number
            rows[block.places] = np.arange(len(block.places))
        there = [images[block.places] for block in graph.blocks]
        found = [shares[blocks[places[0]]][rows[places]] for places in there]
        return graph.with_draws(found, SECOND)

    def _selected_picks(self, seat: Seat) -> StrategyShares:
        """The strategy of a seat in a game of turns: one pick at each position."""
        solved = self.solution.solved
        chosen = np.frombuffer(solved.picks, np.uint8).astype(np.int16)
        picks = self.graph.solver_output(solved._replace(values=chosen))
        sides = [(block.numbers(seat), picks[block.places, None]) for block in self.graph.blocks]
        found = [np.where(numbers == PASS, 1.0, numbers == pick) for numbers, pick in sides]
        return self.graph.with_draws(found, seat)

    def _with_decided(self, seat: Seat) -> StrategyShares:
        """The punishing mixes, with single picks in decided positions (`decided_positions`)."""
        worths, found = (1 if seat == FIRST else -1) * self.values, []
        scores = np.where(worths >= -MAX_LOST_VALUE, 0.0, worths)
        fill = shared_kernel(fill_decided, self.graph.is_compiled)
        blocks = zip(self.graph.blocks, self.punishing_mixes(seat), strict=True)
        for block, mixes in reversed(list(blocks)):
            found.append(mixes.copy())
            fill(worths, block.places, block.targets, seat, scores, found[-1])
        return found[::-1]

    def _selected_mixes(self, block: Block, seat: Seat) -> Any:
        """The selected mixes in a block where both pick at once, on all cores."""
        if block.weights is not None:
            return block.draws(seat)
        graph, values, numbers = self.graph, self.values, block.numbers(seat)
        found = np.empty(numbers.shape)
        fill = shared_kernel(fill_selected_mixes, graph.is_compiled)
        size = max(block.targets.shape[1:])
        points = np.empty((0, 0, 0)) if block.rewards is None else block.rewards
        links = block.targets, points, graph.game.loops
        given = values, block.places, links, seat, found

        def select(piece: tuple[int, int]) -> None:
            fill(*piece, *given, make_workspace(size, size, np.array))

        with WorkerThreads() as threads:
            pieces = split_range(len(found), BLOCK_POSITIONS)
            for piece, _ in zip(pieces, threads.map(select, pieces), strict=True):
                done = int(block.places[0]) + piece[1]
                graph.progress("naming best mixes", done, graph.size)
        return found


@kernel
def fill_selected_mixes(
    begin: int, end: int, values: Any, places: Any, links: Any, seat: int, shares: Any, work: Any
) -> None:
    """The selected mixes of a seat in rows of a block; `values` are those of all places.

    `links` are the targets of pairs, their points or none, and whether play may come back.
    """
    targets, points, loops = links
    height, width = targets.shape[1 + seat], targets.shape[2 - seat]
    side = 1.0 - 2.0 * seat
    for row in range(begin, end):
        for i in range(height):
            for j in range(width):
                one, two = (i, j) if seat == 0 else (j, i)
                worth = values[targets[row, one, two]]
                if len(points) > 0:
                    worth += points[row, one, two]
                work.payoff[i][j] = side * worth
        if loops:
            spread_mix(work, work.payoff, height, width, work.row_mix)
        else:
            select_mix(work, work.payoff, height, width, work.row_mix)
        least, _ = guarantees(work, work.payoff, height, width)
        if least < side * values[places[row]] - VALUE_TOLERANCE:  # rounding spoilt the mix
            solve_game(work, work.payoff, height, width)
        for i in range(height):
            shares[row, i] = work.row_mix[i]
