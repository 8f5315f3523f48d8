"""The facts that claims are checked against: figures of a study, and lines of play."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from evenodds.claims.claim import Facts, OptimalityCounts, PositionFilter, TieCosts
from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.notation import play_line, write_round
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, agree
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, SEATS, SECOND, Outcome, Pair, Settled
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.metrics.choice import find_idle_matrices, seat_payoffs
from evenodds.study.named_odds import Solve
from evenodds.study.solved_game import SolvedGame


def solved_facts(game: AnyGame, rulings: Settled, study: Study, solve: Solve) -> Facts:
    """Facts of a game under some rulings; it is solved when a claim needs it."""
    found = _SolvedFacts(game, rulings, solve)
    queries = found.line_to, found.round_trip, found.ties, found.optimality_by
    return Facts(game, rulings, study, *queries)


class _SolvedFacts:
    """What `Facts` ask of the solved game, which say what each is."""

    def __init__(self, game: AnyGame, rulings: Settled, solve: Solve) -> None:
        self._game = game
        self._rulings = rulings
        self._solve = solve

    @cached_property
    def solved(self) -> SolvedGame:
        return self._solve()

    @cached_property
    def _routes(self) -> "_ShortestLines":
        return _ShortestLines(self.solved)

    def line_to(
        self,
        outcome: Outcome | None = None,
        ending: str = "",
        *,
        after: str = "",
        through: PositionFilter | None = None,
    ) -> str:
        match = Match(agree(self._game, as_data(self._rulings)))
        play_line(match, after)
        marked = None if through is None else through(self._fields)
        return _line_notation(self._routes.to_end(outcome, ending, match.history, marked))

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return self.solved.graph.fields()

    def round_trip(self) -> str:
        picks = self._routes.round_trip(DEFAULT_REPETITION) if self._game.loops else []
        return _line_notation(picks)

    def ties(self) -> TieCosts:
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
        before, after = (0.5 + solved.scale * worth / 2 for worth in (before, after))
        return TieCosts(count, costly, before, after, _line_notation(line))

    def optimality_by(self, field: str) -> dict[int, dict[int, OptimalityCounts]]:
        solved, fields = self.solved, self._fields
        counts: dict[int, Any] = {}
        for seat in SEATS:
            own = fields[field] if field in fields else fields[f"{field} {SEAT_NAMES[seat]}"]
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


class _ShortestLines:
    """Shortest lines of play in the transition graph of a solved game."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved = solved
        self._known: dict[tuple[int, ...], tuple[Any, Any]] = {}

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
        place = 0
        for pair in after:
            place = dict(self._links(place))[pair]
        at_goals, distances = self._distances_to(goals)
        picks = list(after)
        if marked is not None:
            # First to a marked position: each starts with the distance that it has left.
            at_marked = np.full(distances.size, np.inf)
            at_marked[: marked.size][marked] = distances[: marked.size][marked]
            to_marked = self._relax(at_marked)
            if not np.isfinite(to_marked[place]):
                return []
            more, place = self._follow(place, to_marked, at_marked)
            picks += more
        found = np.isfinite(distances[place])
        return picks + self._follow(place, distances, at_goals)[0] if found else []

    def to_position(self, goal: int) -> list[Pair]:
        at_goal, distances = self._distances_to([goal])
        return self._follow(0, distances, at_goal)[0]

    def round_trip(self, times: int) -> list[Pair]:
        """The picks to the position on a cycle that is nearest to the start, and round the cycle.

        The position comes up `times` times in all. Empty where the graph has no cycle.
        """
        if not self.solved.loops:
            return []
        graph = self.solved.graph
        on_cycles = np.flatnonzero(graph.components.cyclic)
        goal = int(on_cycles[graph.depths[on_cycles].argmin()])
        at_goal, distances = self._distances_to([goal])
        first, place = self._nearest(goal, distances)
        back, _ = self._follow(place, distances, at_goal)
        return self.to_position(goal) + [first, *back] * (times - 1)

    def _distances_to(self, goals: list[int]) -> tuple[Any, Any]:
        """0 at some positions or ends and infinite elsewhere; and the distance to the nearest."""
        key, graph = tuple(goals), self.solved.graph
        if key not in self._known:
            at_goals = np.full(graph.size + len(graph.ends), np.inf)
            at_goals[goals] = 0.0
            self._known[key] = at_goals, self._relax(at_goals)
        return self._known[key]

    def _relax(self, given: Any) -> Any:
        """The least number of rounds from each position to one with a given distance, and that."""
        # In topological order one pass from the ends suffices; with cycles, passes are repeated
        # until nothing changes (Bellman-Ford).
        distances, before = given.copy(), None
        while before is None or (self.solved.game.loops and (before != distances).any()):
            before = distances.copy()
            for block in reversed(self.solved.graph.blocks):
                for piece in block.pieces():
                    places = block.places[piece]
                    nearest = distances[block.targets[piece]].min(axis=(1, 2)) + 1
                    distances[places] = np.minimum(distances[places], nearest)
        return distances

    def _follow(self, place: int, distances: Any, given: Any) -> tuple[list[Pair], int]:
        """The picks of a shortest line to a position with a given distance, and that position."""
        picks: list[Pair] = []
        while distances[place] < given[place]:
            pair, place = self._nearest(place, distances)
            picks.append(pair)
        return picks, place

    def _nearest(self, place: int, distances: Any) -> tuple[Pair, int]:
        """The first of the links with the least distance left."""
        return min(self._links(place), key=lambda link: float(distances[link[1]]))

    def _links(self, place: int) -> Iterator[tuple[Pair, int]]:
        """Each pair of picks at a position, and where it leads."""
        graph, game = self.solved.graph, self.solved.game
        state = graph.state(place)
        pairs = product(game.picks(state, FIRST), game.picks(state, SECOND))
        targets = graph.targets[graph.begins[place] : graph.begins[place + 1]].tolist()
        return zip(pairs, targets, strict=True)
