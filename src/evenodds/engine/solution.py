"""Solution of a game: values, payoff matrices and optimal mixes of its positions."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import mul
from typing import Any, Final, NamedTuple
from weakref import proxy

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.terms import check_seat
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    PASS,
    SEATS,
    Outcome,
    Pair,
    Seat,
    Settled,
    State,
    other,
)
from evenodds.engine.decided_positions import MAX_DECIDED_POSITIONS, MAX_LOST_VALUE, DecidedPlay
from evenodds.engine.mix_selection import is_only_mix, selected_mix
from evenodds.engine.position_keys import MISFIT, flatten, packing
from evenodds.engine.simplex import make_workspace, solve_game
from evenodds.engine.solution_files import SolvedPositions
from evenodds.figures import VALUE_TOLERANCE, counted
from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

Mix = dict[int, float]
Payoffs = tuple[tuple[float, ...], ...]
Position = tuple[Any, ...]
"""A position of any game, as its rules or `State` have it."""


ROUNDING: Final = 2.0**-50
"""What sums of points may be off by, as a share of what is at stake."""


class UnreachablePosition(EvenOddsError, LookupError):
    """A position that cannot be reached under these rulings."""


class PayoffMatrix(NamedTuple):
    """The payoff of each pair of picks for the first seat: a row for each pick of the first."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    payoff: Payoffs


def payoff_rows(matrix: PayoffMatrix, seat: Seat) -> dict[int, tuple[float, ...]]:
    """For each pick of a seat its own payoff against each pick of the other."""
    if seat == FIRST:
        return dict(zip(matrix.first, matrix.payoff, strict=True))
    columns = zip(*matrix.payoff, strict=True)
    rows = (tuple(-worth for worth in column) for column in columns)
    return dict(zip(matrix.second, rows, strict=True))


def saddle_point(matrix: PayoffMatrix) -> tuple[int, int] | None:
    """The smallest picks of a pure equilibrium, if there is one."""
    if not matrix.payoff:
        return None
    row_minima = [min(row) for row in matrix.payoff]
    column_maxima = [max(column) for column in zip(*matrix.payoff, strict=True)]
    low, high = max(row_minima), min(column_maxima)
    if low < high - VALUE_TOLERANCE:
        return None
    firsts = zip(matrix.first, row_minima, strict=True)
    seconds = zip(matrix.second, column_maxima, strict=True)
    return (
        next(pick for pick, worst in firsts if worst >= low - VALUE_TOLERANCE),
        next(pick for pick, best in seconds if best <= high + VALUE_TOLERANCE),
    )


class Solution:
    """Exact values of every reachable position of a game under some rulings.

    Values are for the first seat: 1 a win, 0 a draw, -1 a loss; endless play is a draw. In games
    about points they are the points still to come.
    """

    def __init__(self, game: AnyGame, rulings: Settled, solved: SolvedPositions) -> None:
        self.game, self.rulings, self.solved = game, rulings, solved
        self.positions = solved.positions
        """Open reachable positions."""
        self.gap = float(solved.gap) + (ROUNDING * solved.stake if game.reward else 0.0)
        """Bound on the error of every value: the sum of the gaps of all layers."""
        self.span = 2.0 * solved.stake
        """How far apart the results of matches may lie: 2 for win and loss. Whatever is measured in
        values, as how careless a level is, is measured by it."""
        self.start: State = game.start(rulings)
        """The first position."""
        self._pack = packing(self.start).pack
        # Views give Python's own numbers, whichever kind of buffer the solver has made.
        self._keys, self._values = memoryview(solved.keys), memoryview(solved.values)
        self._picks = memoryview(b"" if solved.picks is None else solved.picks)
        self._last_matrix: tuple[Position, PayoffMatrix] | None = None
        """The last position and its matrix: callers ask for it several times in a row."""
        is_plain = game.simultaneous and not (game.chance or game.reward or game.loops)
        self.plays_decided = is_plain and self.positions <= MAX_DECIDED_POSITIONS
        """Whether decided positions where both pick at once have picks of their own."""
        # No cycle: large tables are to be freed at once.
        self._decided_play = [DecidedPlay(proxy(self), seat) for seat in SEATS]

    def __len__(self) -> int:
        """How many positions there are."""
        return self.positions

    def __iter__(self) -> Iterator[State]:
        """Every open position, the start first, both of mirror images; of those alike one."""
        unpack, mirror = packing(self.start).unpack, self.game.mirror
        canonical = self.game.representative or (lambda same: same)
        start = canonical(self.start)
        yield start
        for key in self._keys:
            state: State = unpack(key, self.rulings, self.solved.layout)
            if state != start:
                yield state
            if mirror is not None and (image := canonical(mirror(state))) not in (state, start):
                yield image

    def __contains__(self, state: Position) -> bool:
        """Whether this is one of them."""
        try:
            self._check(state)
            self._find(state)
        except UnreachablePosition:
            return False
        return True

    def __repr__(self) -> str:
        """The game with the rulings that differ from the book's, and the value of the start."""
        book, value = ruling_texts(self.game.rulings()), f"{self.value(self.start):.4g}"
        given = [f"{k}={v}" for k, v in ruling_texts(self.rulings).items() if book[k] != v]
        name = " ".join([self.game.name, *given])
        return f"<Solution of {name}: {counted(self.positions, 'positions')}, value {value}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (self.game, self.rulings, self.solved.copied())  # views cannot be pickled

    @property
    def unknown(self) -> str:
        """Why no best pick is known, where the bounds on values did not meet; else empty."""
        if self.gap <= VALUE_TOLERANCE * self.span:
            return ""
        return f"{self.game.name}: values are known only to within {self.gap:.2g}, best picks not"

    def value(self, state: Position, seat: Seat = FIRST) -> float:
        """The value of a position for a seat, by default the first."""
        check_seat(seat)
        self._check(state)
        return self._worth(state) if seat == FIRST else -self._worth(state)

    def _worth(self, state: Position) -> float:
        """The first seat's, without checks, for positions that come from the rules."""
        outcome = self.game.outcome(state)
        if outcome != Outcome.ONGOING:
            return float(outcome)
        place, sign = self._find(state)
        worth = self._values[place]
        value = (worth > 0) - (worth < 0) if self.game.is_combinatorial else worth
        return float(sign * value) + 0.0  # no minus zero

    def distance(self, state: Position) -> int | None:
        """Picks to the end under best play in a game of turns; None in draws and other games."""
        self.value(state)
        if not self.game.is_combinatorial:
            return None
        if self.game.outcome(state) != Outcome.ONGOING:
            return 0
        return abs(self._values[self._find(state)[0]]) or None

    def matrix(self, state: Position) -> PayoffMatrix:
        """The payoff of each pair of picks; a seat with nothing to decide picks PASS."""
        seen = self._last_matrix
        if seen is None or seen[0] is not state:
            self.value(state)
            self._last_matrix = seen = (state, self._payoff_matrix(state))
        return seen[1]

    def _payoff_matrix(self, state: Position) -> PayoffMatrix:
        if self.game.outcome(state) != Outcome.ONGOING:
            return PayoffMatrix((), (), ())
        first, second = (self.game.picks(state, seat) for seat in SEATS)
        payoff = tuple(tuple(self._after(state, (one, two)) for two in second) for one in first)
        return PayoffMatrix(first, second, payoff)

    def _after(self, state: Position, picks: Pair) -> float:
        """What a step is worth to the first seat: its points, and what follows."""
        points = self.game.reward(state, picks) if self.game.reward else 0
        return points + self._worth(self.game.step(state, picks))

    def mix(self, state: Position, seat: Seat) -> Mix:
        """The selected optimal mix of a seat; empty where it has nothing to decide.

        In lost positions one pick: the one with the best chances against somebody who picks at
        random; in won ones the one that wins soonest against them (`decided_positions`). In games
        of turns one pick, too: the shortest win, or the pick that wins most often against an
        opponent who errs (`winning_picks`); with loops and chance one that earns the value. In
        others the punishing mix.
        """
        if not self._is_asked(state, seat):
            return {}
        if self._picks:
            return {self._picks[self._find(state)[0]]: 1.0}
        if abs(self._worth(state)) >= -MAX_LOST_VALUE and self.plays_decided:
            pick = self._decided_play[seat].pick(state)
            if pick is not None:
                return {pick: 1.0}
        return self.punishing_mix(state, seat)

    def punishing_mix(self, state: Position, seat: Seat) -> Mix:
        """The optimal mix in a simultaneous game that `mix_selection` names.

        Mistakes of the other seat are measured against it: it gains from each of them.
        """
        if not self._is_asked(state, seat):
            return {}
        rows = payoff_rows(self.matrix(state), seat)
        shares = _selected_or_any_optimal(tuple(rows.values()), self.game.loops)
        return {pick: float(share) for pick, share in zip(rows, shares, strict=True) if share > 0}

    def is_only_mix(self, state: Position, seat: Seat) -> bool:
        """Whether the selected mix of a seat is its only optimal one."""
        mix = self.mix(state, seat)
        if not mix:
            return True
        rows = payoff_rows(self.matrix(state), seat)
        return is_only_mix(tuple(rows.values()), [mix.get(pick, 0.0) for pick in rows])

    def pick_values(self, state: Position, seat: Seat) -> dict[int, float]:
        """What each pick of a seat wins for it against the punishing mix of the other.

        A pick that belongs to some optimal mix yields the value, any other at most that.
        """
        if not self._is_asked(state, seat):
            return {}
        replies = self.punishing_mix(state, other(seat)) or {PASS: 1.0}
        mix = [replies.get(number, 0.0) for number in self.game.picks(state, other(seat))]
        rows = payoff_rows(self.matrix(state), seat)
        return {pick: sum(map(mul, payoffs, mix)) for pick, payoffs in rows.items()}

    def _is_asked(self, state: Position, seat: Seat) -> bool:
        """Whether a seat has something to decide at a position; raises for an unreachable one.

        `BadGame` where it has, and what is best is not known.
        """
        check_seat(seat)
        self.value(state)
        over = self.game.outcome(state) != Outcome.ONGOING
        if over or self.game.legal(state, seat) == NOTHING:
            return False
        if self.unknown:
            raise BadGame(self.unknown)
        return True

    def _check(self, state: Position) -> None:
        """Raise for anything but a position of this game under these rulings."""
        if type(state) is not type(self.start) or not all(map(_is_whole, flatten(state[1:]))):
            raise UnreachablePosition(
                f"{shorten(repr(state))} is not a position of {self.game.name}"
            )
        if state.rulings != self.rulings:
            raise UnreachablePosition("this position belongs to other rulings")

    def _find(self, state: Position) -> tuple[int, int]:
        """The place of a position or one that is alike among the keys, and the sign to apply."""
        canonical = self.game.representative or (lambda same: same)
        key = self._pack(canonical(state), self.solved.layout)
        sign = 1
        if self.game.mirror is not None:
            image = self._pack(canonical(self.game.mirror(state)), self.solved.layout)
            if image < key:
                key, sign = image, -1
        place = bisect_left(self._keys, key)
        if key == MISFIT or place == len(self._keys) or self._keys[place] != key:
            raise UnreachablePosition(f"no line of play leads to {state}")
        return place, sign


def _is_whole(value: object) -> bool:
    return hasattr(type(value), "__index__")  # Python's own or another's, such as NumPy's


def _selected_or_any_optimal(payoff: Sequence[Sequence[float]], loops: bool = False) -> list[float]:
    """The selected mix of the row player; if rounding made it fall short, that of the simplex."""
    mix = selected_mix(payoff, loops)
    height, width = len(payoff), len(payoff[0])
    work = make_workspace(height, width)
    lower, _ = solve_game(work, payoff, height, width)
    worst = min(sum(map(mul, mix, column)) for column in zip(*payoff, strict=True))
    return mix if worst >= lower - VALUE_TOLERANCE else work.row_mix
