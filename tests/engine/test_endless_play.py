"""Play that can go on for ever by luck or at once: values between bounds, and picks where known."""

from typing import Any

import pytest

import evenodds
from evenodds import BadGame, Match
from evenodds.coach.position_report import PositionReport, as_json, value_sentence
from evenodds.core.terms import agree
from evenodds.engine.on_demand import NotSolved, solution_for
from tests.support.table_games import LOST, WON, Table, table_game

STAY: Any = table_game(
    "stay",
    lambda number: Table(
        [((1, 2), (0,)), ((1, 2), (0,))],
        [{(1, 0): 0, (2, 0): 1}, {(1, 0): WON, (2, 0): LOST}],
        [{}, {1: 3, 2: 1}],
    ),
    simultaneous=False,
    loops=True,
    chance=True,
)(0)
"""Stay, for ever if you like, or draw: three times in four that wins. Endless play is a draw."""


def test_where_bounds_do_not_meet_no_pick_is_called_best() -> None:
    solution = evenodds.solve(STAY, fresh=True)
    assert abs(solution.value(solution.start) - 0.5) <= solution.gap / 2
    said = "stay: values are known only to within 0.5, best picks not"
    for ask in (
        lambda: solution.mix(solution.start, 0),
        lambda: evenodds.odds(STAY, solution, solution),
        lambda: evenodds.exploitability(STAY, solution),
    ):
        with pytest.raises(BadGame, match=said):
            ask()
    with pytest.raises(NotSolved, match=said):  # so nobody hints, and search plays
        solution_for(agree(STAY))
    report = PositionReport(Match(STAY), solution)
    told = "with best play the first player scores from 75% to 100%; more is not known"
    assert value_sentence(report) == told
    assert as_json(report)["first"] == {}
