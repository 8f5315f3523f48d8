"""A solved game with its transition graph, position values and strategies, built on demand."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from evenodds.claims.study_figures import HIGHEST_POLICY, Odds
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, Settled
from evenodds.engine.graph import Block, Graph
from evenodds.engine.odds import odds_between
from evenodds.engine.positions import Listing
from evenodds.engine.solution import Solution
from evenodds.engine.solve import solve_settled
from evenodds.engine.strategies import SelectedStrategies, StrategyShares, policy_shares
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.system import Progress, silent


class SolvedGame:
    """A game under some rulings: its solution, graph and strategies are built on demand.

    Raises `TooLarge` or `BadGame`; with `max_positions`, before it is solved, if it has more. With
    `index_first` its positions are listed first, and where that takes compiled kernels, these solve
    it too; `compiled` makes them do so for small games, where many are looked at. With `keep` the
    solution is cached; `notes` gets what is to be said of that, such as a full disk.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        progress: Progress = silent,
        *,
        max_positions: int | None = None,
        index_first: bool = False,
        compiled: bool | None = None,
        keep: bool = True,
        notes: list[str] | None = None,
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.progress = progress
        self._keep, self._notes = keep, notes
        if index_first or compiled or max_positions is not None:
            self.listing = Listing(game, rulings, progress, max_positions, compiled=compiled)

    @cached_property
    def solution(self) -> Solution:
        """The solution."""
        return solve_settled(
            self.game,
            self.rulings,
            progress=self.progress,
            keep=self._keep,
            notes=self._notes,
            listing=vars(self).get("listing"),
        )

    @cached_property
    def listing(self) -> Listing:
        """Every reachable position."""
        return Listing(self.game, self.rulings, self.progress)

    @cached_property
    def graph(self) -> Graph:
        """Every position, and the successor of each pair of picks."""
        return Graph(self.listing)

    @cached_property
    def selected(self) -> SelectedStrategies:
        """The best mixes of both seats that `solve` names."""
        return SelectedStrategies(self.graph, self.solution)

    @property
    def values(self) -> Any:
        """The value of each position to the first seat, followed by that of each end."""
        return self.selected.values

    @property
    def value(self) -> float:
        """The value of the start to the first seat, from -1 to 1."""
        return self.solution.value(self.solution.start) * self.scale

    @property
    def scale(self) -> float:
        """What makes values from -1 to 1 of values, which may be points."""
        return 2 / self.solution.span

    def points(self, one: PlayerLike, two: PlayerLike) -> float | None:
        """What a policy gains from another, over both seats; None where no points count."""
        if not self.graph.has_points:
            return None
        ahead, behind = (self.odds(*pair).points or 0.0 for pair in ((one, two), (two, one)))
        return (ahead - behind) / 2

    @cached_property
    def loops(self) -> bool:
        """Whether the graph has a cycle under these rulings; `game.loops` says whether it may."""
        return self.game.loops and self.graph.components.has_cycles

    @cached_property
    def compares_levels(self) -> bool:
        """Whether levels are compared: not where there is no decision.

        Nor where play can come back to a large part of the graph: what takes seconds for a pair
        of players there takes minutes for all of them.
        """
        is_mostly_cyclic = self.loops and self.graph.components.has_large
        return not is_mostly_cyclic and any(self.decisions())

    @cached_property
    def repetition(self) -> int:
        """How often a position may come up before the match is a draw; 0 where it is not counted.

        A position does not hold the history of a match. Repetitions can be counted without it only
        where play comes back to a position in a single way.
        """
        counts = self.loops and self.game.can_repeat and self.graph.components.are_rings
        return DEFAULT_REPETITION if counts else 0

    def decisions(self) -> Iterator[tuple[int, Block, Seat]]:
        """The decisions of each seat, block by block: where it can pick from two numbers, or more.

        The index of the block comes first.
        """
        for index, block in enumerate(self.graph.blocks):
            for seat in SEATS:
                if block.numbers(seat).shape[1] > 1 and block.weights is None:
                    yield index, block, seat

    def payoff(self, block: Block, piece: slice) -> Any:
        """The value of each pair of picks to the first seat, at some positions of a block."""
        return block.worths(self.values, piece)

    def shares(self, policy: PlayerLike, seat: Seat) -> StrategyShares:
        """The pick probabilities of a policy or a named one in a seat."""
        if policy == HIGHEST_POLICY:  # asked for each position, it would take seconds
            numbers = [block.numbers(seat) for block in self.graph.blocks]
            highest = [(lines == lines[:, -1:]).astype(float) for lines in numbers]
            return self.graph.with_draws(highest, seat)
        player = policy_of(self.game, policy, lambda: self.solution)
        assert player is not None, policy
        return policy_shares(self.graph, player, seat)

    def both_shares(self, policy: str) -> tuple[StrategyShares, StrategyShares]:
        """The pick probabilities of a named policy in either seat."""
        return self.shares(policy, FIRST), self.shares(policy, SECOND)

    def odds_between(
        self, first: StrategyShares, second: StrategyShares, repetition: int | None = None
    ) -> Odds:
        """The odds between two strategies.

        With `repetition` a match is drawn when a position comes up so many times, with 0 never;
        None stands for the rule of the game, as far as repetitions can be counted.
        """
        repetition = self.repetition if repetition is None else repetition
        return odds_between(self.graph, first, second, repetition)

    def odds(self, first: PlayerLike, second: PlayerLike, repetition: int | None = None) -> Odds:
        """The odds between two policies, or named ones."""
        return self.odds_between(self.shares(first, FIRST), self.shares(second, SECOND), repetition)

    def score(self, one: PlayerLike, two: PlayerLike) -> float:
        """The score of a policy against another, averaged over both seats."""
        score = self.odds(one, two).score
        if self.game.mirror is not None:  # the rules favour neither seat: one order is enough
            return score
        return (score + 1 - self.odds(two, one).score) / 2
