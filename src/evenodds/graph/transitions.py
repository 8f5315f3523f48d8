"""Transition graph of a game: the successor of every pair of picks, as arrays.

Positions of one depth with the same numbers of legal picks form a block, so that a question about
them is one NumPy expression over rectangular arrays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple
from weakref import proxy

import numpy as np

from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import Outcome, Seat
from evenodds.graph.key_sets import Keys
from evenodds.graph.position_index import KeyTable, PositionIndex
from evenodds.graph.positions import MAX_PICKS
from evenodds.graph.solution_files import SolvedPositions
from evenodds.graph.solver_limits import TooLarge, memory_size
from evenodds.kernels import MIN_LISTED_ITEMS, split_range, worker_threads

PAIRS_PER_BLOCK: Final = 1 << 18
"""Pairs of picks per slice: about what stays in the cache of a core."""
BYTES_PER_PAIR: Final = 4
"""Bytes of a target (int32)."""


class MatchEnd(NamedTuple):
    """One way in which matches end: who has won, and the name of the ending."""

    outcome: Outcome
    ending: str


@dataclass(frozen=True, eq=False)
class TransitionBlock:
    """Positions of one depth with the same numbers of legal picks: a row for each."""

    places: Any
    firsts: Any
    """A row for each position: the picks of the first seat in order, or PASS alone."""
    seconds: Any
    targets: Any
    """The target of each pair of picks; ends are numbered after all places."""

    def numbers(self, seat: Seat) -> Any:
        """A row for each position: the picks of a seat."""
        return (self.firsts, self.seconds)[seat]

    def pieces(self) -> Iterator[slice]:
        """The rows in slices that fit the cache."""
        _, height, width = self.targets.shape
        step = max(1, PAIRS_PER_BLOCK // (height * width))
        for begin in range(0, len(self.places), step):
            yield slice(begin, begin + step)


class TransitionGraph:
    """All open positions of a game, with both mirror images, in blocks.

    In games without loops a block leads only to blocks after it.
    """

    def __init__(self, index: PositionIndex) -> None:
        # Not a reference that counts: the index holds its graph, and both are to be freed at once.
        self.index: PositionIndex = proxy(index)
        self.keys, self.depths = _ordered(index)
        self.blocks: list[TransitionBlock] = []
        self.ends: list[MatchEnd] = []
        """How matches end. Their figures follow those of all places in an array."""
        self._build(index.memory // 2)

    @property
    def size(self) -> int:
        """How many positions there are."""
        return int(self.keys.size)

    def outcomes(self) -> Any:
        """The value of each end for the first seat."""
        return np.array([float(end.outcome) for end in self.ends])

    def uniform(self, seat: Seat) -> list[Any]:
        """The shares of a seat that picks at random, block by block."""
        numbers = [block.numbers(seat) for block in self.blocks]
        return [np.full(lines.shape, 1 / lines.shape[1]) for lines in numbers]

    def values(self, solved: SolvedPositions) -> Any:
        """The values of all places, then of all ends, for the first seat."""
        found = self.solver_output(solved)
        worth = found if self.index.game.simultaneous else np.sign(found)
        return np.concatenate([worth, self.outcomes()])

    def solver_output(self, solved: SolvedPositions) -> Any:
        """For each place what the solver found: its value, or in games of turns its code."""
        found = np.zeros(self.size)
        self._fill("fill_values", self.keys, self.index.value_table(solved), found)
        return found

    def images(self) -> Any:
        """For each place that of its mirror image, in a symmetric game."""
        found = np.zeros(self.size, np.int64)
        self._fill("fill_images", self.keys, tuple(self.index.key_table(self.keys)), found)
        return found

    def _fill(self, kernel: str, keys: Keys, *rest: Any) -> None:
        """Run a kernel over some positions on all cores."""
        index = self.index
        run = getattr(index.kernels.transitions, kernel)
        with worker_threads() as threads:
            pieces = split_range(keys.size, min_parallel=MIN_LISTED_ITEMS)
            work = threads.map(
                lambda piece: run(index.rulings, index.layout, keys, *piece, *rest), pieces
            )
            for piece, _ in zip(pieces, work, strict=True):
                self.index.progress("linking positions", piece[1], keys.size)

    def _build(self, memory: int) -> None:
        """Group positions by depth and numbers of picks, and compute all targets."""
        moves = self._moves()
        counts = [_set_sizes(sets) for sets in moves]
        cells = int((counts[0] * counts[1]).sum())
        if cells * BYTES_PER_PAIR > memory:
            raise TooLarge(
                f"{cells:,} pairs of picks to follow need {memory_size(cells * BYTES_PER_PAIR)}; "
                f"the memory limit (EVENODDS_MEMORY_MB) of {memory_size(memory)} "
                f"allows {memory // BYTES_PER_PAIR:,}"
            )
        # By depth first, so that blocks are in topological order where there are no loops; equal
        # numbers of picks make a block rectangular. The sort is stable: places stay ascending, and
        # the graph is the same on every run. Counts are below MAX_PICKS, as PASS stands alone, so
        # that two kinds never share a number.
        kinds = (self.depths * MAX_PICKS + counts[0]) * MAX_PICKS + counts[1]
        order = np.argsort(kinds, kind="stable")
        cuts = np.flatnonzero(np.diff(kinds[order])) + 1
        # Ends are numbered only when all blocks are known: which ones occur depends on all targets.
        occurring = np.zeros(3 * max(self._ending_kinds) + 4, bool)
        tables = self._successor_tables()
        depth = -1
        for places in np.split(order, cuts):
            if self.depths[places[0]] > depth:
                depth, table = int(self.depths[places[0]]), next(tables)
            self.blocks.append(self._block(places, moves, table, occurring))
        self._number_ends(np.flatnonzero(occurring))

    def _successor_tables(self) -> Iterator[KeyTable]:
        """For each depth a hash table of the positions that may follow one there.

        Where no position has several depths these are the next ones: a small table stays in the
        cache of a core.
        """
        layers = self.index.layers
        if sum(layer.size for layer in layers) == self.size and self.index.game.simultaneous:
            begins = np.searchsorted(self.depths, np.arange(1, len(layers) + 2))
            for begin, end in pairwise(begins.tolist()):
                places = np.arange(begin, end, dtype=np.int32)
                yield self.index.key_table(self.keys[begin:end], places)
        else:
            yield from repeat(self.index.key_table(self.keys))

    @property
    def _ending_kinds(self) -> Any:
        """The endings of the game, an enumeration."""
        game = self.index.game
        return type(game.ending(game.start(self.index.rulings)))

    def _moves(self) -> tuple[Any, Any]:
        """The legal picks of both seats at every place, as bit sets."""
        firsts, seconds = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        self._fill("fill_moves", self.keys, firsts, seconds)
        return firsts, seconds

    def _block(self, places: Any, moves: Any, table: Any, occurring: Any) -> TransitionBlock:
        firsts, seconds = (self._members(sets[places]) for sets in moves)
        targets = np.zeros((places.size, firsts.shape[1], seconds.shape[1]), np.int32)
        picks = (firsts, seconds)
        self._fill("fill_targets", self.keys[places], picks, tuple(table), targets, occurring)
        return TransitionBlock(places, firsts, seconds, targets)

    def _members(self, sets: Any) -> Any:
        """The members of bit sets of equal size: a row for each."""
        members = np.empty((sets.size, int(sets[0]).bit_count()), np.int64)
        filled = np.zeros(sets.size, np.int64)
        for number in range(int(sets.max()).bit_length()):
            rows = np.flatnonzero(sets >> number & 1)
            members[rows, filled[rows]] = number
            filled[rows] += 1
        return members

    def _number_ends(self, codes: Any) -> None:
        """Number the ends that occur, and replace the codes of `fill_targets` by their numbers."""
        if not codes.size:
            name = self.index.game.name
            raise BadGame(f"{name} never ends under these rulings: no line of play comes to an end")
        numbers = np.zeros(codes[-1] + 1, np.int32)
        numbers[codes] = self.size + np.arange(codes.size)
        for code in codes.tolist():
            ending, outcome = divmod(code - 1, 3)
            self.ends.append(MatchEnd(Outcome(outcome - 1), self._ending_kinds(ending).name))
        for block in self.blocks:
            for piece in block.pieces():
                targets = block.targets[piece]
                ends = targets < 0
                targets[ends] = numbers[-targets[ends]]


def transition_graph_of(index: PositionIndex) -> TransitionGraph:
    """The transition graph of an index, built once."""
    if index.transition_graph is None:
        index.transition_graph = TransitionGraph(index)
    graph: TransitionGraph = index.transition_graph
    return graph


def _ordered(index: PositionIndex) -> tuple[Keys, Any]:
    """Each position once with its depth, in order of depth.

    Lines of play of different length may lead to a position. Its depth is the longest, so that it
    comes after all its predecessors.
    """
    keys = np.concatenate(index.layers[::-1])
    depths = np.repeat(
        np.arange(len(index.layers))[::-1], [layer.size for layer in index.layers[::-1]]
    )
    keys, firsts = np.unique(keys, return_index=True)
    order = np.argsort(depths[firsts], kind="stable")
    return keys[order], depths[firsts][order]


def _set_sizes(sets: Any) -> Any:
    """The size of each bit set."""
    counts = np.zeros(sets.size, np.int64)
    for bit in range(int(sets.max()).bit_length()):
        counts += sets >> bit & 1
    return counts
