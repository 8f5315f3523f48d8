"""A second way to values: whole histories, and matrix games in rational arithmetic."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, Final

from evenodds import FIRST, SECOND, Outcome
from tests.support.play import is_open, pairs

Rows = tuple[tuple[Fraction, ...], ...]
Policy = Callable[[Any, int], Mapping[int, Any]]
REPEATED: Final = "repetition"


def by_lot(game: Any) -> Policy:
    def policy(state: Any, seat: int) -> dict[int, Fraction]:
        picks = game.picks(state, seat)
        return dict.fromkeys(picks, Fraction(1, len(picks)))

    return policy


def by_history(game: Any, start: Any, times: int, end: Any, judge: Any) -> Any:
    """What a match is worth that is over, too, when a position comes up `times` times, if any."""

    @cache
    def worth(state: Any, seen: frozenset[tuple[Any, int]]) -> Any:
        if not is_open(game, state):
            return end(Outcome(game.outcome(state)))
        if times:
            counts = dict(seen)
            counts[state] = counts.get(state, 0) + 1
            if counts[state] == times:
                return end(REPEATED)
            seen = frozenset(counts.items())
        return judge(state, lambda pair: worth(game.step(state, pair), seen))

    return worth(start, frozenset())


def odds_by_history(game: Any, start: Any, times: int) -> Counter[Any]:
    """How matches between random picks end: by an outcome, or by repetition."""

    def mean(state: Any, after: Any) -> Counter[Any]:
        total: Counter[Any] = Counter()
        every = list(pairs(game, state))
        for pair in every:
            for end, share in after(pair).items():
                total[end] += share / len(every)
        return total

    return Counter(by_history(game, start, times, lambda end: {end: Fraction(1)}, mean))


def response_by_history(game: Any, start: Any, seat: int, other: Policy, times: int = 0) -> Any:
    """What the best picks of a seat win against a policy; a repetition is a draw."""
    side = 1 if seat == FIRST else -1

    def best(state: Any, after: Any) -> Any:
        answers = other(state, 1 - seat).items()
        return max(
            sum(
                share * after((own, pick) if seat == FIRST else (pick, own))
                for pick, share in answers
            )
            for own in game.picks(state, seat)
        )

    return by_history(
        game, start, times, lambda end: Fraction(0 if end == REPEATED else side * int(end)), best
    )


def rational_values(game: Any, rulings: Any) -> dict[Any, Fraction]:
    """The value of every reachable open position of a game without loops, exactly."""
    values: dict[Any, Fraction] = {}

    def value(state: Any) -> Fraction:
        outcome = game.outcome(state)
        if outcome != Outcome.ONGOING:
            return Fraction(int(outcome))
        if state not in values:
            first, second = game.picks(state, FIRST), game.picks(state, SECOND)
            values[state] = matrix_value(
                tuple(tuple(value(game.step(state, (a, b))) for b in second) for a in first)
            )
        return values[state]

    value(game.start(rulings))
    return values


@cache
def matrix_value(rows: Rows) -> Fraction:
    """The value of a matrix game by every square part of it (Shapley and Snow)."""
    saddle = max(map(min, rows))
    if saddle == min(map(max, zip(*rows, strict=True))):
        return saddle
    height, width = len(rows), len(rows[0])
    for size in range(2, min(height, width) + 1):
        for some_rows in combinations(range(height), size):
            for some_columns in combinations(range(width), size):
                found = _equalised(rows, some_rows, some_columns)
                if found is not None:
                    return found
    raise AssertionError("every matrix game has a value")


def _equalised(rows: Rows, some: tuple[int, ...], others: tuple[int, ...]) -> Fraction | None:
    """The value if mixing over these parts alone is best for both sides."""
    part = [[rows[i][j] for j in others] for i in some]
    mine = _levelling([list(column) for column in zip(*part, strict=True)])
    theirs = _levelling(part)
    if mine is None or theirs is None:
        return None
    mix, value = mine
    other, _ = theirs
    columns = zip(*rows, strict=True)
    holds = all(
        sum(p * column[i] for p, i in zip(mix, some, strict=True)) >= value for column in columns
    )
    gives = all(
        sum(q * row[j] for q, j in zip(other, others, strict=True)) <= value for row in rows
    )
    return value if holds and gives else None


def _levelling(lines: list[list[Fraction]]) -> tuple[list[Fraction], Fraction] | None:
    """The mix against which every line yields the same, and what it yields, if there is one."""
    size = len(lines)
    system = [[*line, Fraction(-1), Fraction(0)] for line in lines]
    found = eliminated([*system, [Fraction(1)] * size + [Fraction(0), Fraction(1)]])
    return (found[:-1], found[-1]) if found and min(found[:-1]) >= 0 else None


def eliminated(system: list[list[Fraction]]) -> list[Fraction] | None:
    """The one solution of linear equations, whose right sides stand last; None without one."""
    rows = list(system)
    for column in range(len(rows)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(column, [entry / pivot[column] for entry in pivot])
        for at, row in enumerate(rows):
            if at != column and row[column]:
                rows[at] = [a - row[column] * b for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]
