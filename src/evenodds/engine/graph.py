"""The graph of a game: its open positions, then the ends of matches, and the links between them.

Positions and ends have one numbering. A position has a link for each pair of picks, in the order of
the first seat's, then of the second's; a seat that is not to move picks PASS. Positions are ordered
by depth, and within one by their numbers of picks, so that those alike form a block, and a question
about them is one NumPy expression over rectangular arrays.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.core.rule_checks import BadGame, TooLarge, figure_fault
from evenodds.core.vocabulary import FIRST, NOTHING, Outcome, Seat
from evenodds.engine.components import Components, Unrolled, sources_of
from evenodds.engine.game_functions import MAX_PICKS
from evenodds.engine.key_tables import Keys, KeyTable, key_table
from evenodds.engine.position_keys import fields_of, packing
from evenodds.engine.positions import Listing
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.threads import MIN_LISTED_ITEMS, WorkerThreads, split_range
from evenodds.engine.transitions import fill_images, fill_links, fill_moves, fill_values
from evenodds.system import Progress, silent
from evenodds.system.environment import memory_size

PAIRS_PER_BLOCK: Final = 1 << 18
"""Pairs of picks per slice: about what stays in the cache of a core."""
CHANCE: Final = 2
"""Who moves where neither seat does."""
BYTES_PER_PAIR: Final = 4
"""Bytes of a target (int32)."""


class MatchEnd(NamedTuple):
    """One way in which matches end: who has won, and the name of the ending."""

    outcome: Outcome
    ending: str


@dataclass(frozen=True, eq=False)
class Block:
    """Positions of one depth with the same numbers of legal picks: a row for each."""

    places: Any
    firsts: Any
    """A row for each position: the picks of the first seat in order, or PASS alone."""
    seconds: Any
    targets: Any
    """The target of each pair of picks: a view of the links of these positions."""
    rewards: Any
    """The points of each pair, in games about points; else None."""
    weights: Any
    """The share of each number that may be drawn, where chance is to move; else None."""

    def numbers(self, seat: Seat) -> Any:
        """A row for each position: the picks of a seat."""
        return (self.firsts, self.seconds)[seat]

    def draws(self, seat: Seat) -> Any:
        """Where chance is to move, the shares of what a step takes for a seat; else None."""
        if self.weights is None or seat == FIRST:
            return self.weights
        return np.ones(self.seconds.shape)

    def worths(self, values: Any, rows: Any) -> Any:
        """What each pair is worth at some positions, by the values of all places."""
        found = values[self.targets[rows]]
        return found if self.rewards is None else found + self.rewards[rows]

    def pieces(self) -> Iterator[slice]:
        """The rows in slices that fit the cache."""
        _, height, width = self.targets.shape
        step = max(1, PAIRS_PER_BLOCK // (height * width))
        for begin in range(0, len(self.places), step):
            yield slice(begin, begin + step)


def graph_of(game: GameLike, progress: Progress | None) -> "Graph":
    """The graph of a game; `BadRuling`, `TooLarge` or `BadGame` in one line."""
    return Graph(Listing(*catalog.settle(game, {}), progress or silent))


class LinkGraph:
    """Positions, the ends behind them, and the links between all these."""

    def __init__(self, begins: Any, targets: Any, ends: list[MatchEnd], compiled: bool) -> None:
        self.begins, self.targets, self.ends = begins, targets, ends
        self.size, self.is_compiled = begins.size - 1, compiled

    @cached_property
    def sources(self) -> Any:
        """The position of each link."""
        return sources_of(self.begins)

    @cached_property
    def components(self) -> Components:
        """Where play can come back to a position."""
        return Components(self.begins, self.targets, len(self.ends), self.is_compiled)


class Graph(LinkGraph):
    """All open positions of a game, with both mirror images, and all links.

    In games without loops a block leads only to blocks after it.
    """

    def __init__(self, listing: Listing) -> None:
        self.game, self.rulings, self.layout = listing.game, listing.rulings, listing.layout
        self.kernels, self.is_compiled = listing.kernels, listing.is_compiled
        self.progress = listing.progress
        self.policy_cache: dict[Any, Any] = {}
        """What policies share on this graph: the strategies of solutions."""
        self._unrolled: dict[int, Unrolled] = {}
        self._unpack = packing(self.game.start(self.rulings)).unpack
        self.keys, self.depths = _ordered(listing.layers)
        self.size = int(self.keys.size)
        self._sort(listing.memory // 2)
        self.blocks = self._blocks()
        self.ends: list[MatchEnd] = []
        """How matches end. Their figures follow those of all places in an array."""
        self._link()

    @property
    def has_points(self) -> bool:
        """Whether a match is about points under these rulings."""
        return bool(self.game.reward and self.rewards.any())

    def state(self, place: int) -> Any:
        """A position."""
        return self._unpack(int(self.keys[place]), self.rulings, self.layout)

    @cached_property
    def outcomes(self) -> Any:
        """The value of each end for the first seat."""
        return np.array([float(end.outcome) for end in self.ends])

    def fields(self) -> dict[str, Any]:
        """Each field of the states of all positions as an array, and of a pair as two.

        These are called `scores first` and `scores second`.
        """
        start = self.game.start(self.rulings)
        names = []
        for name, value in zip(start._fields[1:], start[1:], strict=True):
            count = len(fields_of((None, value)))
            seats = ("first", "second") if count == 2 else range(1, count + 1)
            names += [name] if count == 1 else [f"{name} {seat}" for seat in seats]
        # A key packs the fields of a state into bits, the last one lowest; so it is unpacked
        # backwards.
        layout, keys = self.layout, self.keys.copy()
        columns = {}
        for name, low, width in zip(
            names[::-1], layout.lows[::-1], layout.widths[::-1], strict=True
        ):
            columns[name] = (keys & ((1 << width) - 1)) + low
            keys >>= width
        return dict(reversed(columns.items()))

    def uniform(self, seat: Seat) -> list[Any]:
        """The shares of a seat that picks at random, block by block."""
        numbers = [block.numbers(seat) for block in self.blocks]
        return self.with_draws([np.full(each.shape, 1 / each.shape[1]) for each in numbers], seat)

    def with_draws(self, shares: list[Any], seat: Seat) -> list[Any]:
        """The shares of a seat, and where chance is to move those of the numbers in its place."""
        if self.game.chance is None:
            return shares
        drawn = [block.draws(seat) for block in self.blocks]
        return [own if no is None else no for own, no in zip(shares, drawn, strict=True)]

    def solver_output(self, solved: SolvedPositions) -> Any:
        """For each place what the solver found: its value, or in games of turns its code."""
        # Codes of turns as floats, too: kernels are compiled for one type.
        figures, found = np.asarray(solved.values, np.float64), np.zeros(self.size)
        table = key_table(self.kernels, np.asarray(solved.keys))
        self._fill(fill_values, (solved.layout, table, figures), found)
        return found

    def images(self) -> Any:
        """For each place that of its mirror image, in a symmetric game."""
        found = np.zeros(self.size, np.int64)
        self._fill(fill_images, self.key_table(), found)
        return found

    def key_table(self) -> tuple[KeyTable, Any]:
        """A table of the keys of positions, and the places of these in their order."""
        order = np.argsort(self.keys)
        return key_table(self.kernels, self.keys[order]), order.astype(np.int32)

    # Games of turns: a link for each pick of the seat to move.

    @cached_property
    def movers(self) -> Any:
        """The seat to move at each position; chance is none."""
        return np.where(self.is_drawn, CHANCE, (self._moves[FIRST] == NOTHING).astype(int))

    @cached_property
    def picks(self) -> Any:
        """The pick of each link."""
        parts = [(block.firsts + block.seconds).ravel() for block in self.blocks]
        return np.concatenate(parts).astype(np.int8)

    def link_shares(self, first: Any, second: Any) -> Any:
        """The probability of each link between two strategies."""
        sides = zip(first, second, strict=True)
        return np.concatenate([(one[:, :, None] * two[:, None, :]).ravel() for one, two in sides])

    def unrolled(self, times: int) -> Unrolled:
        """The graph without cycles, where play that comes to a position so many times is drawn."""
        if times not in self._unrolled:
            self._unrolled[times] = self.components.unrolled(times)
        return self._unrolled[times]

    # How it is built.

    def _fill(self, kernel: Callable[..., Any], *rest: Any) -> None:
        """Run a kernel over all positions on all cores."""
        run = self.kernels(kernel)
        with WorkerThreads() as threads:
            pieces = split_range(self.size, min_parallel=MIN_LISTED_ITEMS)
            work = threads.map(
                lambda piece: run(self.rulings, self.layout, self.keys, *piece, *rest), pieces
            )
            for piece, _ in zip(pieces, work, strict=True):
                self.progress("linking positions", piece[1], self.size)

    def _sort(self, memory: int) -> None:
        """Order positions by depth and numbers of picks."""
        moves, drawn = np.zeros((2, self.size), np.int64), np.zeros(self.size, bool)
        self._fill(fill_moves, moves, drawn)
        counts = np.bitwise_count(moves).astype(np.int64)
        # By depth first, so that blocks are in topological order where there are no loops. The sort
        # is stable: the graph is the same on every run. PASS, which stands alone, counts as none.
        first, second = counts - (moves == NOTHING)
        kinds = (self.depths * MAX_PICKS + first) * MAX_PICKS + second
        kinds = 2 * kinds + drawn  # no block is of chance and of a seat
        order = np.argsort(kinds, kind="stable")
        self.keys, self.depths = self.keys[order], self.depths[order]
        self._moves, self.is_drawn = moves[:, order], drawn[order]
        cuts = np.flatnonzero(np.diff(kinds[order])) + 1
        self._bounds = [0, *cuts.tolist(), self.size]
        cells = (counts[0] * counts[1])[order]
        self.begins = np.concatenate([[0], np.cumsum(cells)])
        """The first link of each position, and the number of links."""
        links = int(self.begins[-1])
        if links * BYTES_PER_PAIR > memory:
            raise TooLarge(
                f"{links:,} pairs of picks to follow need {memory_size(links * BYTES_PER_PAIR)}; "
                f"the memory limit (EVENODDS_MEMORY_MB) of {memory_size(memory)} "
                f"allows {memory // BYTES_PER_PAIR:,}"
            )
        self.targets = np.zeros(links, np.int32)
        """Of each link a position, or an end: these are numbered after all positions."""
        self.rewards = np.zeros(links if self.game.reward else 0)
        """The points of each link, in games about points."""
        self.weights = np.zeros(links if self.game.chance else 0)
        """The share of each link where chance is to move, in games with chance; 0 elsewhere."""

    def _blocks(self) -> list[Block]:
        places, found = np.arange(self.size), []
        for begin, end in pairwise(self._bounds):
            firsts, seconds = (_members(sets[begin:end]) for sets in self._moves)
            links = slice(self.begins[begin], self.begins[end])
            shape = (end - begin, firsts.shape[1], seconds.shape[1])
            block = Block(
                places[begin:end],
                firsts,
                seconds,
                self.targets[links].reshape(shape),
                self.rewards[links].reshape(shape) if self.game.reward else None,
                self.weights[links].reshape(shape[:2]) if self.is_drawn[begin] else None,
            )
            found.append(block)
        return found

    def _link(self) -> None:
        """Fill in all links, and number the ends."""
        # Ends are numbered only when all links are known: which ones occur depends on all targets.
        kinds: Any = type(self.game.ending(self.game.start(self.rulings)))
        occurring = np.zeros(3 * max(kinds) + 4, bool)
        links = self.begins, self.targets, self.rewards, self.weights
        self._fill(fill_links, self.key_table(), links, occurring)
        if (faulty := np.isnan(self.weights)).any():
            raise figure_fault(self.game, self.state(self.sources[faulty.argmax()]))
        codes = np.flatnonzero(occurring)
        if not codes.size:
            name = self.game.name
            raise BadGame(f"{name} never ends under these rulings: no line of play comes to an end")
        numbers = np.zeros(codes[-1] + 1, np.int32)
        numbers[codes] = self.size + np.arange(codes.size)
        for code in codes.tolist():
            ending, outcome = divmod(code - 1, 3)
            self.ends.append(MatchEnd(Outcome(outcome - 1), kinds(ending).name))
        for block in self.blocks:
            for piece in block.pieces():
                targets = block.targets[piece]
                ends = targets < 0
                targets[ends] = numbers[-targets[ends]]


def _ordered(layers: list[Keys]) -> tuple[Keys, Any]:
    """Each position once with its depth, in order of depth.

    Lines of play of different length may lead to a position. Its depth is the longest, so that it
    comes after all its predecessors.
    """
    keys = np.concatenate(layers[::-1])
    depths = np.repeat(np.arange(len(layers))[::-1], [layer.size for layer in layers[::-1]])
    keys, firsts = np.unique(keys, return_index=True)
    order = np.argsort(depths[firsts], kind="stable")
    return keys[order], depths[firsts][order]


def _members(sets: Any) -> Any:
    """The members of bit sets of equal size: a row for each."""
    members = np.empty((sets.size, int(sets[0]).bit_count()), np.int64)
    filled = np.zeros(sets.size, np.int64)
    for number in range(int(sets.max()).bit_length()):
        rows = np.flatnonzero(sets >> number & 1)
        members[rows, filled[rows]] = number
        filled[rows] += 1
    return members
