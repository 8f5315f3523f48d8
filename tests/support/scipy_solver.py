"""Values and selected mixes a second way, by SciPy's linear programs."""

from typing import Any

import numpy as np

TIGHT: Any = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
SAME = 1e-7
SLACKS = (1e-11, 1e-10, 1e-9)
"""How much a bound may give way: what one program found is the bound of the next, to the letter."""


def linear_program(*given: Any, **more: Any) -> Any:
    """SciPy's answer to one; workers that never ask are spared the import."""
    from scipy.optimize import linprog

    return linprog(*given, **more)


def scipy_value(payoff: Any) -> float:
    """The value of a matrix game by somebody else's solver."""
    height, width = payoff.shape
    found = linear_program(
        np.append(np.zeros(height), -1.0),
        A_ub=np.hstack([-payoff.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[np.append(np.ones(height), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * height + [(None, None)],
    )
    assert found.fun is not None
    return -float(found.fun)


def best_mix(payoff: Any, goal: Any, least: Any, floor: Any | None = None) -> Any:
    """The mix with most of a goal that wins at least so much against each column.

    With `floor` also a number of its own, last in goal and answer, that no marked gain is below.
    """
    height, width = payoff.shape
    extra = np.zeros((width, 1)) if floor is None else np.where(floor, 1.0, 0.0)[:, None]
    bound = np.where(extra[:, 0] == 1.0, 0.0, -least)
    below = np.hstack([-payoff.T, extra])
    both = np.vstack([below, np.hstack([-payoff.T, np.zeros((width, 1))])])
    for slack in SLACKS:
        found = linear_program(
            -np.append(goal, 0.0 if floor is None else 1.0),
            A_ub=both,
            b_ub=np.append(bound, -least) + slack,
            A_eq=[np.append(np.ones(height), 0.0)],
            b_eq=[1.0],
            bounds=[(0, 1)] * height + [(-2, 2)],
            options=TIGHT,
        )
        if found.x is not None:
            return found.x
    raise AssertionError("the linear program finds nothing, though there is a best mix")


def dresher(payoff: Any, value: float) -> Any:
    """The mix that the written rule names: mistakes first, then the smallest numbers."""
    height, width = payoff.shape
    least = np.full(width, value)
    mistakes = raisable(payoff, least, np.ones(width, bool))
    while mistakes.any():
        found = best_mix(payoff, np.zeros(height), least, mistakes)
        least = np.where(mistakes, found[-1], least)
        mistakes = raisable(payoff, least, mistakes)
    shares = np.zeros(0)
    for number in range(height):
        wins = np.hstack([payoff, np.eye(height)[:, : shares.size]])
        goal = np.eye(height)[number]
        shares = np.append(shares, best_mix(wins, goal, np.append(least, shares))[number])
    return shares


def raisable(payoff: Any, least: Any, among: Any) -> Any:
    """The columns among some that a mix still wins more against than the least, one by one."""
    return np.array(
        [
            bool(among[j])
            and (best_mix(payoff, payoff[:, j], least)[:-1] @ payoff[:, j] > least[j] + SAME)
            for j in range(payoff.shape[1])
        ]
    )
