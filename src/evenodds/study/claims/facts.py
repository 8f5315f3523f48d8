"""The facts that claims are checked against: figures of a study, and lines of play."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.claims.claim import AS_RULED, Replay, Rules, Through, Ties, Use
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.core.match import Match
from evenodds.core.notation import BadNotation, play_line, write_round
from evenodds.core.rulings import BadRuling, as_data
from evenodds.core.terms import DEFAULT_REPETITION, agree
from evenodds.core.vocabulary import SEATS, Outcome, Pair
from evenodds.study.claims.shortest_lines import ShortestLines
from evenodds.study.metrics.choice import find_idle_matrices, seat_payoffs
from evenodds.study.metrics.score_values import field_offset, position_fields
from evenodds.study.metrics.solved_game import SolvedGame
from evenodds.study.study import Study
from evenodds.system.tolerance import VALUE_TOLERANCE

NAMES: Final = ("first", "second")
"""What the seats are called."""


class SolvedFacts:
    """Facts of one game under some rulings; the game is spread out when something needs it."""

    def __init__(
        self,
        game: AnyGame,
        rulings: Any,
        study: Study,
        build: Callable[[], SolvedGame],
        thresholds: Thresholds = DEFAULT_THRESHOLDS,
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.study = study
        self.simultaneous = game.simultaneous
        self.thresholds = thresholds
        self._build = build

    @cached_property
    def solved(self) -> SolvedGame:
        """The game spread out."""
        return self._build()

    @cached_property
    def _routes(self) -> ShortestLines:
        return ShortestLines(self.solved)

    def line_to(
        self,
        outcome: Outcome | None = None,
        ending: str = "",
        *,
        after: str = "",
        through: Through | None = None,
    ) -> str:
        """The shortest line of play to such an end; nothing where there is none."""
        match = self._match()
        play_line(match, after)
        marked = None if through is None else through(self._fields)
        return _written(self._routes.to_end(outcome, ending, match.history, marked))

    @cached_property
    def _fields(self) -> dict[str, Any]:
        """The fields of all open positions, those of a pair with their seat."""
        start = self.game.start(self.rulings)
        figures = position_fields(self.solved)
        found = {}
        for name in type(start)._fields[1:]:
            column = field_offset(start, name)
            if isinstance(getattr(start, name), tuple):
                found[f"{name} first"] = figures[:, column]
                found[f"{name} second"] = figures[:, column + 1]
            else:
                found[name] = figures[:, column]
        return found

    def round_trip(self) -> str:
        """A line on which a position comes up so often that it is a draw; nothing if none can."""
        return _written(self._routes.round_trip(DEFAULT_REPETITION)) if self.game.loops else ""

    def ties(self) -> Ties:
        """What equal picks cost."""
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
                if cost.size and cost.max() > most + VALUE_TOLERANCE:
                    most = float(cost.max())
                    at = np.unravel_index(int(cost.argmax()), cost.shape)
                    place, number = int(block.places[piece][at[0]]), int(first[at[0], at[1]])
                    worst = (place, number, float(worth[at[0]]), float(payoff[at]))
        if not costly:
            return Ties(count, 0, 0.5, 0.5, "")
        place, number, before, after = worst
        if after > before:  # it is the second seat that loses by it
            before, after = -before, -after
        line_there = [*self._routes.to_place(place), (number, number)]
        return Ties(count, costly, 0.5 + before / 2, 0.5 + after / 2, _written(line_there))

    def replay(self, line: str, rules: Rules = AS_RULED, *, usual: bool = False) -> Replay:
        """A line of play under these rulings or the usual ones, with what is ruled for it alone."""
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

    def uses_by(self, field: str) -> dict[int, dict[int, Use]]:
        """How numbers do, by the figure in a field of the state; of a pair, that of who decides."""
        solved, fields = self.solved, self._fields
        found: dict[int, dict[int, Use]] = {}
        for seat in SEATS:
            own = fields[field] if field in fields else fields[f"{field} {NAMES[seat]}"]
            for place, block in enumerate(solved.graph.blocks):
                for piece in block.pieces():
                    matters = ~find_idle_matrices(seat_payoffs(solved, block, piece, seat))
                    figures = own[block.places[piece]][matters]
                    numbers = block.numbers(seat)[piece][matters]
                    sound = solved.losses[seat][place][piece][matters] <= VALUE_TOLERANCE
                    _add(found, figures, numbers, sound)
        return found

    def _match(self, rules: Rules = AS_RULED, *, usual: bool = False) -> Match:
        """A match under these rulings, or the usual ones, but for what is ruled otherwise."""
        rulings = self.game.rulings() if usual else self.rulings
        return Match(agree(self.game, as_data(rulings) | dict(rules)))


def _add(found: dict[int, dict[int, Use]], figures: Any, numbers: Any, sound: Any) -> None:
    """Count numbers by the figure of each line."""
    for figure in np.unique(figures).tolist():
        here = figures == figure
        opened = np.bincount(numbers[here].ravel(), minlength=64)
        right = np.bincount(numbers[here][sound[here]], minlength=64)
        uses = found.setdefault(figure, {})
        for number in np.flatnonzero(opened).tolist():
            before = uses.get(number, Use(0, 0))
            uses[number] = Use(before.open + int(opened[number]), before.sound + int(right[number]))


def _written(picks: list[Pair]) -> str:
    """Picks as a line in notation."""
    return " ".join(write_round(pair) for pair in picks)
