"""Which of several best mixes is named: by a rule, so that everyone names the same one.

Dresher's procedure: among the mixes that guarantee the value, those that gain most from the other's
mistakes. A mistake is a pick that some best mix wins more against. Raise the least gain over all
mistakes as far as it goes, then the least over those that can still be raised, and so on. What
remains equal is settled by giving the smallest number the greatest probability, then the next.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenodds.solver.programs import Matrix, Vector, maximise

Places = NDArray[np.intp]

EQUAL: Final = 1e-9
"""Closer than this, two figures are the same."""
MORE: Final = 1e-8
"""A gain above this is no rounding, however the conditions magnify it."""
SLACK: Final = 3e-12
"""What a condition gives way, so that rounding does not make it impossible."""


def named_mix(payoff: Matrix, value: float) -> Vector:
    """The named best mix of the row player, who gains the payoff."""
    height, width = payoff.shape
    if height == 1:
        return np.ones(1)
    columns = payoff.T
    least = np.full(width, value)
    open_columns = _raisable(columns, least, np.arange(width))
    while open_columns.size:
        before = open_columns
        least[before] = _least_gain(columns, least, before)
        open_columns = _raisable(columns, least, before)
        if open_columns.size == before.size:
            break  # what is left to gain is rounding
    return _smallest_first(columns, least)


def _raisable(columns: Matrix, least: Vector, among: Places) -> Places:
    """Those columns against which some best mix still wins more than the least."""
    left = among
    found: list[int] = []
    while left.size:
        mix = _best(columns[left].sum(axis=0), columns, least)
        above = columns[left] @ mix - least[left] > MORE
        if not above.any():
            break
        found += left[above].tolist()
        left = left[~above]
    return np.array(sorted(found), np.intp)


def _least_gain(columns: Matrix, least: Vector, among: Places) -> float:
    """How far the least gain over some columns can be raised: a variable of its own, above -1."""
    height = columns.shape[1]
    rows = np.hstack([columns, np.zeros((columns.shape[0], 1))])
    rows[among, -1] = -1.0
    floor = least - SLACK
    floor[among] = -1.0
    both = np.vstack([rows, np.hstack([columns, np.zeros((columns.shape[0], 1))])])
    goal = np.append(np.zeros(height), 1.0)
    found = maximise(goal, both, np.append(floor, least - SLACK), np.append(np.ones(height), 0.0))
    return float(found[-1]) - 1.0


def _smallest_first(columns: Matrix, least: Vector) -> Vector:
    """The mix with the greatest share for the smallest number, then for the next, and so on."""
    height = columns.shape[1]
    rows, floors = columns, least
    mix = np.zeros(height)
    for number in range(height):
        goal = np.zeros(height)
        goal[number] = 1.0
        mix = _best(goal, rows, floors)
        if mix[: number + 1].sum() > 1.0 - EQUAL:
            break
        rows = np.vstack([rows, goal])
        floors = np.append(floors, mix[number])
    return _polished(mix, columns, least)


def _polished(mix: Vector, rows: Matrix, least: Vector) -> Vector:
    """The mix without the slack that its conditions were given: those that bind hold exactly."""
    held = mix > EQUAL
    shares: Vector = np.where(held, mix, 0.0) / mix[held].sum()
    binding = rows @ mix - least < EQUAL
    system = np.vstack([rows[binding][:, held], np.ones(int(held.sum()))])
    missing = np.append(least[binding], 1.0) - system @ shares[held]
    better = shares.copy()
    better[held] += np.linalg.lstsq(system, missing, rcond=None)[0]
    better /= better.sum()
    exact = (rows @ better - least).min() > -1e-12 and better.min() >= 0.0
    return better if exact else shares


def _best(goal: Vector, rows: Matrix, least: Vector) -> Vector:
    """The mix with most of the goal among those that win at least so much against every column."""
    return maximise(goal, rows, least - SLACK, np.ones(rows.shape[1]))
