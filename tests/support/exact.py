"""A second way to values: explicit trees, and matrix games in rational arithmetic."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from evenodds import FIRST, SECOND, Outcome

Rows = tuple[tuple[Fraction, ...], ...]


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
    """The value of a matrix game, by trying every square part of it that both sides may mix over.

    Shapley and Snow: some part has mixes, made by equal payoffs, that are best in the whole.
    """
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
    system.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for column in range(size + 1):
        row = next((r for r in range(column, size + 1) if system[r][column] != 0), None)
        if row is None:
            return None
        system[column], system[row] = system[row], system[column]
        pivot = system[column][column]
        system[column] = [entry / pivot for entry in system[column]]
        for r in range(size + 1):
            factor = system[r][column]
            if r != column and factor != 0:
                system[r] = [a - factor * b for a, b in zip(system[r], system[column], strict=True)]
    found = [line[-1] for line in system]
    return (found[:-1], found[-1]) if all(share >= 0 for share in found[:-1]) else None
