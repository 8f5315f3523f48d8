"""The facts that claims are checked against: figures of a study, and lines of play."""

from functools import cached_property
from typing import Any, Final

import numpy as np

from evenodds.claims.claim import (
    NO_CHANGES,
    OptimalityCounts,
    PositionFilter,
    Replay,
    Rules,
    TieCosts,
)
from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.notation import BadNotation, play_line, write_round
from evenodds.core.rulings import BadRuling, as_data
from evenodds.core.terms import DEFAULT_REPETITION, agree
from evenodds.core.vocabulary import SEATS, Outcome, Pair, Settled
from evenodds.figures import VALUE_TOLERANCE
from evenodds.study.metrics.choice import find_idle_matrices, seat_payoffs
from evenodds.study.metrics.score_values import position_fields
from evenodds.study.shortest_lines import ShortestLines
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import Solve

NAMES: Final = ("first", "second")
"""What the seats are called."""


class SolvedFacts:
    """Facts of one game under some rulings; the solved game is built when a claim needs it."""

    def __init__(self, game: AnyGame, rulings: Settled, study: Study, solve: Solve) -> None:
        self.game = game
        self.rulings = rulings
        self.study = study
        self.simultaneous = game.simultaneous
        self._solve = solve

    @cached_property
    def solved(self) -> SolvedGame:
        """The solved game."""
        return self._solve()

    @cached_property
    def _routes(self) -> ShortestLines:
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
        match = self._match()
        play_line(match, after)
        marked = None if through is None else through(self._fields)
        return _line_notation(self._routes.to_end(outcome, ending, match.history, marked))

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return position_fields(self.solved)

    def round_trip(self) -> str:
        """A line on which a position comes up often enough for a draw; empty if there is none."""
        picks = self._routes.round_trip(DEFAULT_REPETITION) if self.game.loops else []
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

    def replay(self, line: str, rules: Rules = NO_CHANGES, *, usual: bool = False) -> Replay:
        """Replay a line under these rulings or the default ones, changed by `rules`."""
        try:
            match = self._match(rules, usual=usual)
        except BadRuling as error:
            return Replay((), Outcome.ONGOING, str(error))
        refused = ""
        try:
            play_line(match, line)
        except BadNotation as error:
            refused = error.problem
        outcome = match.result.outcome if match.result else Outcome.ONGOING
        return Replay(tuple(match.states), outcome, refused)

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

    def _match(self, rules: Rules = NO_CHANGES, *, usual: bool = False) -> Match:
        rulings = self.game.rulings() if usual else self.rulings
        return Match(agree(self.game, as_data(rulings) | dict(rules)))


def _line_notation(picks: list[Pair]) -> str:
    return " ".join(write_round(pair) for pair in picks)
