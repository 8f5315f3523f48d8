"""A solved game with its transition graph, position values and strategies, built on demand."""

from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.game import LEVELS
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Seat
from evenodds.graph import PositionIndex, TransitionBlock, TransitionGraph, transition_graph_of
from evenodds.kernels import split_range, worker_threads
from evenodds.players.exact import level_policy
from evenodds.policy.shares import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.turn_play import link_shares, turn_graph_of
from evenodds.solver import Progress, Solution, memory_limit, silent, solve_settled
from evenodds.study.position_bounds import check_position_count

CHANCE: Final = "random"
PERFECT: Final = "perfect"
MIDDLE: Final = "level:4"
HIGH: Final = "high"
COPY: Final = "copy"
LEVEL_NAMES: Final = tuple(f"level:{number}" for number in LEVELS)

ROUNDING_TOLERANCE: Final = 1e-9
"""What is smaller than this is rounding."""

StrategyShares = list[Any]
"""For each sheet of the atlas a line for each position, with a place for each number."""


class SolvedGame:
    """What a study asks of a game under some rulings: solved at once, spread out when asked for.

    Raises `TooLarge` or `BadGame` in one line; with `most`, before it is solved, if it has more
    positions than that.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Any,
        progress: Progress = silent,
        solution: Solution | None = None,
        *,
        most: int | None = None,
    ) -> None:
        if most is not None:
            check_position_count(game, rulings, most)
        self.game = game
        self.rulings = rulings
        self.progress = progress
        self.solution = solution or solve_settled(game, rulings, progress=progress)

    @cached_property
    def ground(self) -> PositionIndex:
        """Every position, listed."""
        return PositionIndex(self.game, self.rulings, memory_limit(), self.progress)

    @cached_property
    def atlas(self) -> TransitionGraph:
        """Every position and where each pair of picks leads."""
        return transition_graph_of(self.ground)

    @cached_property
    def values(self) -> Any:
        """What each place, and behind them each end, is worth to the first seat."""
        return self.atlas.values(self.solution.solved)

    @property
    def value(self) -> float:
        """What the start is worth to the first seat."""
        return self.solution.value(self.solution.start)

    @cached_property
    def loops(self) -> bool:
        """Whether play can really come back to a position under these rulings."""
        if not self.game.loops:
            return False
        return any(layer.inner.size for layer in turn_graph_of(self.ground).layers)

    @property
    def ordered(self) -> bool:
        """Whether each sheet leads only to sheets after it, so that one way through them is all."""
        return not self.game.loops

    @cached_property
    def tangled(self) -> bool:
        """Whether most positions lead back to each other, so that good players hardly ever end."""
        return self.loops and any(layer.is_long for layer in turn_graph_of(self.ground).layers)

    @cached_property
    def repetition(self) -> int:
        """After how many times of the same position matches are a draw; 0 where it cannot be told.

        It can be told without the history of a match where play comes back to a position in one way
        only.
        """
        counts = self.loops and turn_graph_of(self.ground).counts_repetitions
        return DEFAULT_REPETITION if counts else 0

    def payoff(self, sheet: TransitionBlock, piece: slice) -> Any:
        """What each pair of picks is worth to the first seat at some positions of a sheet."""
        return self.values[sheet.targets[piece]]

    @cached_property
    def named(self) -> tuple[StrategyShares, StrategyShares]:
        """The named best mixes of both seats."""
        first = self._named(FIRST)
        return first, self._named(SECOND) if self.game.mirror is None else self._mirrored(first)

    def _mirrored(self, shares: StrategyShares) -> StrategyShares:
        """Shares of the first seat as those of the second: what it does in the mirror image."""
        images = self.atlas.images()
        sheets, lines = np.zeros(self.atlas.size, np.int32), np.zeros(self.atlas.size, np.int64)
        for number, sheet in enumerate(self.atlas.blocks):
            sheets[sheet.places] = number
            lines[sheet.places] = np.arange(len(sheet.places))
        found = []
        for sheet in self.atlas.blocks:
            there = images[sheet.places]
            found.append(shares[sheets[there[0]]][lines[there]])
        return found

    @cached_property
    def losses(self) -> tuple[StrategyShares, StrategyShares]:
        """What each number of both seats gives away against the other's named mix."""
        found: tuple[StrategyShares, StrategyShares] = ([], [])
        for sheet, first, second in zip(self.atlas.blocks, *self.named, strict=True):
            sides = [np.empty(first.shape), np.empty(second.shape)]
            for piece in sheet.pieces():
                payoff = self.payoff(sheet, piece)
                worth = self.values[sheet.places[piece], None]
                sides[FIRST][piece] = worth - np.einsum("nij,nj->ni", payoff, second[piece])
                sides[SECOND][piece] = np.einsum("nij,ni->nj", payoff, first[piece]) - worth
            for seat in SEATS:
                found[seat].append(np.maximum(sides[seat], 0.0))
        return found

    def shares(self, way: str, seat: Seat) -> StrategyShares:
        """How a way of playing mixes its numbers in a seat; `copy` has no place here."""
        if way == CHANCE:
            return self.atlas.uniform(seat)
        if way == HIGH:
            return [_last(sheet.numbers(seat)) for sheet in self.atlas.blocks]
        if way == PERFECT:
            return self.named[seat]
        blend = level_policy(self.game, self.solution, LEVELS[LEVEL_NAMES.index(way)])
        sides = zip(self.named[seat], self.losses[seat], strict=True)
        return [blend.shares(named, losses) for named, losses in sides]

    def links(self, first: StrategyShares, second: StrategyShares) -> Any:
        """In a game of turns the share of each link of its web, from the shares on the sheets."""
        web = turn_graph_of(self.ground)
        found = np.zeros(web.targets.size)
        for sheet, one, two in zip(self.atlas.blocks, first, second, strict=True):
            places = web.begins[sheet.places, None] + np.arange(sheet.targets[0].size)
            found[places] = one * two
        return found

    def _named(self, seat: Seat) -> StrategyShares:
        if self.game.simultaneous:
            asked = PolicyShares(self.ground, self.solution, seat)
            return [self._asked(asked, sheet, sheet.numbers(seat)) for sheet in self.atlas.blocks]
        web = turn_graph_of(self.ground)
        links = link_shares(self.ground, web, self.solution, seat)
        return [
            np.ones(numbers.shape)
            if numbers[0, 0] == PASS
            else links[web.begins[sheet.places, None] + np.arange(numbers.shape[1])]
            for sheet in self.atlas.blocks
            for numbers in [sheet.numbers(seat)]
        ]

    def _asked(self, asked: Any, sheet: TransitionBlock, numbers: Any) -> Any:
        keys = self.atlas.keys[sheet.places]
        found = np.empty(numbers.shape)

        def ask(piece: tuple[int, int]) -> None:
            block = asked.block(keys, *piece)
            found[slice(*piece)] = np.take_along_axis(block, numbers[slice(*piece)], axis=1)

        with worker_threads(self.progress) as at_work:
            pieces = split_range(keys.size, BLOCK_POSITIONS)
            for piece, _ in zip(pieces, at_work.pool.map(ask, pieces), strict=True):
                done = int(sheet.places[0]) + piece[1]
                self.progress("naming best mixes", done, self.atlas.size)
        return found


class SolvedGameFactory(Protocol):
    """How a game is spread out under some rulings, where something is not kept."""

    def __call__(
        self, game: AnyGame, rulings: Any, progress: Progress, /, *, most: int | None = None
    ) -> SolvedGame:
        """The game spread out; with `most` it has no more positions than that."""


def _last(numbers: Any) -> Any:
    """All on the highest number."""
    shares = np.zeros(numbers.shape)
    shares[:, -1] = 1.0
    return shares
