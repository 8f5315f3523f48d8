"""The facts that claims are checked against: figures of a study, and lines of play."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from evenodds.claims.claim import Facts, OptimalityCounts, PositionFilter, TieCosts
from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.notation import play_line, write_round
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, agree
from evenodds.core.vocabulary import SEATS, Outcome, Pair, Settled
from evenodds.engine.graph import Block
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.metrics.choice import find_idle_matrices, seat_payoffs
from evenodds.study.metrics.score_values import position_fields
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import Solve

NAMES: Final = ("first", "second")
"""What the seats are called."""


def solved_facts(game: AnyGame, rulings: Settled, study: Study, solve: Solve) -> Facts:
    """Facts of a game under some rulings; it is solved when a claim needs it."""
    found = _SolvedFacts(game, rulings, solve)
    queries = found.line_to, found.round_trip, found.ties, found.optimality_by
    return Facts(game, rulings, study, *queries)


class _SolvedFacts:
    """What `Facts` ask of the solved game."""

    def __init__(self, game: AnyGame, rulings: Settled, solve: Solve) -> None:
        self._game = game
        self._rulings = rulings
        self._solve = solve

    @cached_property
    def solved(self) -> SolvedGame:
        """The solved game."""
        return self._solve()

    @cached_property
    def _routes(self) -> "ShortestLines":
        return ShortestLines(self.solved)

    def line_to(
        self,
        outcome: Outcome | None = None,
        ending: str = "",
        *,
        after: str = "",
        through: PositionFilter | None = None,
    ) -> str:
        """The shortest line of play to such an end; empty where there is none."""
        match = Match(agree(self._game, as_data(self._rulings)))
        play_line(match, after)
        marked = None if through is None else through(self._fields)
        return _line_notation(self._routes.to_end(outcome, ending, match.history, marked))

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return position_fields(self.solved)

    def round_trip(self) -> str:
        """A line on which a position comes up often enough for a draw; empty if there is none."""
        picks = self._routes.round_trip(DEFAULT_REPETITION) if self._game.loops else []
        return _line_notation(picks)

    def ties(self) -> TieCosts:
        """How many pairs of equal picks there are, how many cost something, and the worst."""
        solved = self.solved
        count = costly = 0
        most, worst = 0.0, (0, 0, 0.0, 0.0)
        for block in solved.graph.blocks:
            for piece in block.pieces():
                first, second = (block.numbers(seat)[piece] for seat in SEATS)
                equal = first[:, :, None] == second[:, None, :]
                worth = solved.values[block.places[piece]]
                payoff = solved.payoff(block, piece)
                cost = np.abs(payoff - worth[:, None, None]) * equal
                count += int(equal.sum())
                costly += int((cost > VALUE_TOLERANCE).sum())
                # With the tolerance the first of equally bad pairs stays, whatever the rounding.
                if cost.size and cost.max() > most + VALUE_TOLERANCE:
                    most = float(cost.max())
                    at = np.unravel_index(int(cost.argmax()), cost.shape)
                    position, number = int(block.places[piece][at[0]]), int(first[at[0], at[1]])
                    worst = (position, number, float(worth[at[0]]), float(payoff[at]))
        if not costly:
            return TieCosts(count, 0, 0.5, 0.5, "")
        position, number, before, after = worst
        if after > before:  # the second seat loses by it: show its score
            before, after = -before, -after
        line = [*self._routes.to_position(position), (number, number)]
        return TieCosts(count, costly, 0.5 + before / 2, 0.5 + after / 2, _line_notation(line))

    def optimality_by(self, field: str) -> dict[int, dict[int, OptimalityCounts]]:
        """How often each number is optimal, by the value of a state field."""
        solved, fields = self.solved, self._fields
        counts: dict[int, Any] = {}
        for seat in SEATS:
            own = fields[field] if field in fields else fields[f"{field} {NAMES[seat]}"]
            for index, block in enumerate(solved.graph.blocks):
                for piece in block.pieces():
                    matters = ~find_idle_matrices(seat_payoffs(solved, block, piece, seat))
                    figures = own[block.places[piece]][matters]
                    numbers = block.numbers(seat)[piece][matters]
                    sound = solved.selected.losses(seat)[index][piece][matters] <= VALUE_TOLERANCE
                    for figure in np.unique(figures).tolist():
                        here = figures == figure
                        opened, right = counts.setdefault(figure, np.zeros((2, 64), np.int64))
                        opened += np.bincount(numbers[here].ravel(), minlength=64)
                        right += np.bincount(numbers[here][sound[here]], minlength=64)
        return {
            figure: {
                int(number): OptimalityCounts(int(opened[number]), int(right[number]))
                for number in np.flatnonzero(opened)
            }
            for figure, (opened, right) in counts.items()
        }


def _line_notation(picks: list[Pair]) -> str:
    return " ".join(write_round(pair) for pair in picks)


class ShortestLines:
    """Shortest lines of play in the transition graph of a solved game."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved = solved
        self._known: dict[tuple[int, ...], Any] = {}

    def to_end(
        self, outcome: Outcome | None, ending: str, after: Sequence[Pair], marked: Any = None
    ) -> list[Pair]:
        """The picks to the nearest such end that begin with `after`; empty where there are none.

        With `marked` the line passes through a marked position.
        """
        graph = self.solved.graph
        goals = [
            graph.size + place
            for place, end in enumerate(graph.ends)
            if outcome in (None, end.outcome) and ending in ("", end.ending)
        ]
        position = self._position_after(after)
        distances = self._distances(goals)
        if marked is None:
            found = np.isfinite(distances[position])
            return [*after, *self._follow(position, distances)] if found else []
        # Two searches: from the marked positions to the end, then from anywhere to a marked one,
        # which starts with the distance it has left.
        marked_distances = np.full(distances.size, np.inf)
        marked_distances[: marked.size][marked] = distances[: marked.size][marked]
        to_marked = self._relax(marked_distances)
        if not np.isfinite(to_marked[position]):
            return []
        picks: list[Pair] = []
        while to_marked[position] < marked_distances[position]:
            pair, position = _nearest(*self._block_and_row(position), to_marked)
            picks.append(pair)
        return [*after, *picks, *self._follow(position, distances)]

    def to_position(self, place: int) -> list[Pair]:
        """The picks to a position."""
        return self._follow(0, self._distances([place]))

    def round_trip(self, times: int) -> list[Pair]:
        """The picks to a position near the start, and round a cycle through it.

        The position comes up `times` times in all. Empty where the graph has no cycle.
        """
        if not self.solved.loops:
            return []
        for goal in self._cycle_positions():
            distances = self._distances([goal])
            first, position = _nearest(*self._block_and_row(goal), distances)
            if np.isfinite(distances[position]):
                return [
                    *self._follow(0, distances),
                    *[first, *self._follow(position, distances)] * (times - 1),
                ]
        return []

    def _cycle_positions(self) -> list[int]:
        """Positions on a cycle, the nearest to the start first."""
        found = np.flatnonzero(self.solved.graph.components.cyclic)
        order = np.argsort(self.solved.graph.depths[found], kind="stable")
        return [int(place) for place in found[order]]

    def _distances(self, goals: list[int]) -> Any:
        """The least number of rounds from every position to one of some positions or ends."""
        found = self._known.get(tuple(goals))
        if found is None:
            graph = self.solved.graph
            start_distances = np.full(graph.size + len(graph.ends), np.inf)
            start_distances[goals] = 0.0
            found = self._known[tuple(goals)] = self._relax(start_distances)
        return found

    def _relax(self, start_distances: Any) -> Any:
        """The shortest distances to the positions that have one at the start."""
        # In topological order one pass from the ends suffices; with cycles, passes are repeated
        # until nothing changes (Bellman-Ford).
        graph = self.solved.graph
        distances = start_distances.copy()
        before = None
        while before is None or (
            not self.solved.topologically_ordered and (before != distances).any()
        ):
            before = distances.copy()
            for block in reversed(graph.blocks):
                for piece in block.pieces():
                    places = block.places[piece]
                    nearest = distances[block.targets[piece]].min(axis=(1, 2)) + 1
                    distances[places] = np.minimum(distances[places], nearest)
        return distances

    def _follow(self, position: int, distances: Any) -> list[Pair]:
        """The picks of a shortest line from a position on."""
        picks: list[Pair] = []
        while distances[position] > 0:
            pair, position = _nearest(*self._block_and_row(position), distances)
            picks.append(pair)
        return picks

    def _position_after(self, picks: Sequence[Pair]) -> int:
        """The position after some picks."""
        position = 0
        for first, second in picks:
            block, row = self._block_and_row(position)
            one = int(np.flatnonzero(block.firsts[row] == first)[0])
            two = int(np.flatnonzero(block.seconds[row] == second)[0])
            position = int(block.targets[row, one, two])
        return position

    def _block_and_row(self, place: int) -> tuple[Block, int]:
        """The block of a position, and its row there."""
        for block in self.solved.graph.blocks:
            lines = np.flatnonzero(block.places == place)
            if lines.size:
                return block, int(lines[0])
        raise AssertionError("a position in no block")


def _nearest(block: Block, row: int, distances: Any) -> tuple[Pair, int]:
    """The pair of picks with the least distance left, and its successor."""
    nearest = distances[block.targets[row]]
    one, two = np.unravel_index(int(nearest.argmin()), nearest.shape)
    pair = (int(block.firsts[row, one]), int(block.seconds[row, two]))
    return pair, int(block.targets[row, one, two])
