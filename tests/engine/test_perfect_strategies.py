"""Several perfect strategies: where there are, and that figures say whose they are."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, Solution
from tests.support.commands import evenodds_here as command
from tests.support.play import SEATS
from tests.support.scipy_solver import linear_program
from tests.support.studies import PERFECT_STRATEGY_NOTE, render_report, study_of


def least(costs: Any, payoff: Any, value: float) -> float:
    """The least that a mix of rows costs which holds the value."""
    found = linear_program(
        costs,
        A_ub=-payoff.T,
        b_ub=np.full(payoff.shape[1], 1e-10 - value),
        A_eq=np.ones((1, len(payoff))),
        b_eq=[1.0],
    )
    assert found.fun is not None, found.message
    return float(found.fun)


@pytest.mark.long
def test_whether_a_mix_is_the_only_one() -> None:
    solution = evenodds.solve(evenodds.game("margin", numbers=3))
    game = solution.game
    for picks in ([], [(1, 2)], [(1, 1)], [(3, 1)], [(2, 2)]):
        state = solution.start
        for pair in picks:
            state = game.step(state, pair)
        for seat in SEATS:
            assert solution.is_only_mix(state, seat) == only_by_programs(solution, state, seat)
    assert solution.is_only_mix(solution.start, FIRST)
    circle = evenodds.solve(evenodds.game("circle", numbers=6))
    assert not circle.is_only_mix(circle.start, FIRST)
    assert circle.is_only_mix(circle.start, SECOND), "it has nothing to decide"


def only_by_programs(solution: Solution, state: Any, seat: int) -> bool:
    matrix = solution.matrix(state)
    payoff = np.array(matrix.payoff) if seat == FIRST else -np.array(matrix.payoff).T
    value = solution.value(state) * (1 if seat == FIRST else -1)
    bounds = [
        side * least(side * cost, payoff, value) for cost in np.eye(len(payoff)) for side in (1, -1)
    ]
    return bool(np.allclose(bounds[::2], bounds[1::2], atol=1e-6))


@pytest.mark.long
def test_a_page_says_whose_strategy_its_figures_are_of() -> None:
    page = render_report(study_of(*evenodds.game("margin"))).replace("\N{NO-BREAK SPACE}", " ")
    note = PERFECT_STRATEGY_NOTE.replace("'", "&#39;")
    assert f"Nothing is sampled. {note}" in page
    assert note not in render_report(study_of(*evenodds.game("circle")))


@pytest.mark.long
def test_commands_say_whose_strategy_figures_are_of(home: Path) -> None:
    assert PERFECT_STRATEGY_NOTE.endswith(
        "with the computer's strategy; other perfect strategies may score differently."
    )
    for asked, said in (
        ("odds margin perfect uniform", True),
        ("odds margin uniform perfect", True),
        ("odds margin perfect perfect", True),
        ("odds margin uniform uniform", False),
        ("odds factors perfect uniform --rule target=12", True),
        ("odds circle perfect perfect", False),  # the value decides who wins
        ("players margin", True),
        ("players circle", False),
        ("study margin", True),
        ("study circle", False),
    ):
        shown = " ".join(command(*asked.split(), home=home).stdout.split())
        assert (PERFECT_STRATEGY_NOTE in shown) == said, asked
    solved = command("solve", "circle", home=home).stdout
    assert "First player, best strategy (one of several):" in solved
    assert "First player, best strategy:" in command("solve", "margin", home=home).stdout
