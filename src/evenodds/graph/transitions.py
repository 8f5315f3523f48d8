"""Transition graph of a game: the successor of every pair of picks, as arrays.

Positions with as many numbers to choose from lie together on a sheet, so that what is asked of all
of them is one calculation over a block of numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.validation import BadGame
from evenodds.core.vocabulary import Outcome, Seat
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import MAX_PICKS, Keys, TooLarge
from evenodds.graph.solved_positions import SolvedPositions
from evenodds.kernels.threads import split_range, worker_threads

PAIRS_PER_BLOCK: Final = 1 << 18
"""Pairs of picks that are looked at together: a block that stays in the cache of a core."""
BYTES_PER_PAIR: Final = 4
"""Bytes in which it is kept where a pair of picks leads."""


class MatchEnd(NamedTuple):
    """One way in which matches end: who has won, and the name of the ending."""

    outcome: Outcome
    ending: str


@dataclass(frozen=True, eq=False)
class TransitionBlock:
    """Positions of one depth in which each seat has so many numbers: lines of a block."""

    places: Any
    firsts: Any
    """A line for each position: the numbers of the first seat in order, or PASS alone."""
    seconds: Any
    targets: Any
    """For each pair of picks the place it leads to; ends stand behind all places."""

    def numbers(self, seat: Seat) -> Any:
        """A line for each position: the numbers of a seat."""
        return (self.firsts, self.seconds)[seat]

    def pieces(self) -> Iterator[slice]:
        """The lines in pieces that stay in the cache."""
        _, height, width = self.targets.shape
        step = max(1, PAIRS_PER_BLOCK // (height * width))
        for begin in range(0, len(self.places), step):
            yield slice(begin, begin + step)


class TransitionGraph:
    """All open positions of a game, both mirror images, on sheets.

    In games without loops a sheet leads only to sheets after it.
    """

    def __init__(self, ground: PositionIndex) -> None:
        self.ground = ground
        self.keys, self.depths = _ordered(ground)
        self.blocks: list[TransitionBlock] = []
        self.ends: list[MatchEnd] = []
        """How matches end. They stand behind the places in a list of figures."""
        self._draw(ground.memory // 2)

    @property
    def size(self) -> int:
        """How many positions there are."""
        return int(self.keys.size)

    def outcomes(self) -> Any:
        """What each end is worth to the first seat."""
        return np.array([float(end.outcome) for end in self.ends])

    def uniform(self, seat: Seat) -> list[Any]:
        """The shares of a seat that picks at random, sheet by sheet."""
        numbers = [sheet.numbers(seat) for sheet in self.blocks]
        return [np.full(lines.shape, 1 / lines.shape[1]) for lines in numbers]

    def values(self, solved: SolvedPositions) -> Any:
        """What each place, and behind them each end, is worth to the first seat."""
        found = np.zeros(self.size)
        self._fill("fill_values", self.keys, self.ground.kept(solved), found)
        worth = found if self.ground.game.simultaneous else np.sign(found)
        return np.concatenate([worth, self.outcomes()])

    def images(self) -> Any:
        """For each place that of its mirror image, in a game that has them."""
        found = np.zeros(self.size, np.int64)
        self._fill("fill_images", self.keys, tuple(self.ground.table(self.keys)), found)
        return found

    def _fill(self, loop: str, keys: Keys, *rest: Any) -> None:
        """Run a loop over some positions on all cores."""
        ground = self.ground
        run = getattr(ground.loops.links, loop)
        with worker_threads(ground.progress) as at_work:
            pieces = split_range(keys.size)
            work = at_work.pool.map(
                lambda piece: run(ground.rulings, ground.layout, keys, *piece, *rest), pieces
            )
            for piece, _ in zip(pieces, work, strict=True):
                self.ground.progress("linking positions", piece[1], keys.size)

    def _draw(self, memory: int) -> None:
        """Sort the positions by how many numbers each seat has, and follow every pair of picks."""
        moves = self._moves()
        counts = [_counted(sets) for sets in moves]
        cells = int((counts[0] * counts[1]).sum())
        if cells * BYTES_PER_PAIR > memory:
            raise TooLarge(
                f"{cells:,} pairs of picks to follow; the memory limit (EVENODDS_MEMORY_MB) "
                f"allows {memory // BYTES_PER_PAIR:,}"
            )
        kinds = (self.depths * MAX_PICKS + counts[0]) * MAX_PICKS + counts[1]
        order = np.argsort(kinds, kind="stable")
        cuts = np.flatnonzero(np.diff(kinds[order])) + 1
        table = self.ground.table(self.keys)
        codes: set[int] = set()
        for places in np.split(order, cuts):
            sheet = self._sheet(places, moves, table)
            codes.update(np.unique(sheet.targets[sheet.targets < 0]).tolist())
            self.blocks.append(sheet)
        self._name_ends(sorted(codes, reverse=True))

    def _moves(self) -> tuple[Any, Any]:
        """The numbers of both seats at every place, as sets."""
        firsts, seconds = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        self._fill("fill_moves", self.keys, firsts, seconds)
        return firsts, seconds

    def _sheet(self, places: Any, moves: Any, table: Any) -> TransitionBlock:
        firsts, seconds = (_spelled(sets[places]) for sets in moves)
        targets = np.zeros((places.size, firsts.shape[1], seconds.shape[1]), np.int32)
        self._fill("fill_targets", self.keys[places], (firsts, seconds), tuple(table), targets)
        return TransitionBlock(places, firsts, seconds, targets)

    def _name_ends(self, codes: list[int]) -> None:
        """Give the ends that there are their places behind all others."""
        kinds = type(self.ground.game.ending(self.ground.game.start(self.ground.rulings)))
        if not codes:
            name = self.ground.game.name
            raise BadGame(f"{name} never ends under these rulings: no line of play comes to an end")
        places = np.zeros(1 - min(codes), np.int32)
        for place, code in enumerate(codes):
            ending, outcome = divmod(-code - 1, 3)
            self.ends.append(MatchEnd(Outcome(outcome - 1), kinds(ending).name))
            places[-code] = self.size + place
        for sheet in self.blocks:
            over = sheet.targets < 0
            sheet.targets[over] = places[-sheet.targets[over]]


def transition_graph_of(ground: PositionIndex) -> TransitionGraph:
    """The atlas of a ground, drawn once."""
    if ground.atlas is None:
        ground.atlas = TransitionGraph(ground)
    atlas: TransitionGraph = ground.atlas
    return atlas


def _ordered(ground: PositionIndex) -> tuple[Keys, Any]:
    """Each position once with the number of rounds that lead to it, in that order.

    Rounds of different number may lead to a position. The most of them put it after all positions
    that lead there.
    """
    keys = np.concatenate(ground.layers[::-1])
    depths = np.repeat(
        np.arange(len(ground.layers))[::-1], [layer.size for layer in ground.layers[::-1]]
    )
    keys, firsts = np.unique(keys, return_index=True)
    order = np.argsort(depths[firsts], kind="stable")
    return keys[order], depths[firsts][order]


def _counted(sets: Any) -> Any:
    """How many numbers are in each set."""
    counts = np.zeros(sets.size, np.int64)
    for bit in range(MAX_PICKS):
        counts += sets >> bit & 1
    return counts


def _spelled(sets: Any) -> Any:
    """Sets of as many numbers each, spelled out: a line for each."""
    bits = (sets[:, None] >> np.arange(MAX_PICKS)) & 1
    return np.nonzero(bits)[1].reshape(sets.size, -1)
