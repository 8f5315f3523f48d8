"""Which of several best picks is played in games of turns."""

from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, Solution
from evenodds.engine.graph import Graph
from evenodds.engine.listing import Listing
from evenodds.engine.policies import SoftmaxPolicy
from tests.support.engine import choices_of, silent, winning_picks, winning_picks_in
from tests.support.game_data import data_of
from tests.support.play import SEATS, play, positions
from tests.support.tables import cached

pytestmark = pytest.mark.long


def plain(solution: Solution) -> Solution:
    return Solution(solution.game, solution.rulings, solution.solved)


CHOICES = [
    ("circle", {"numbers": 7, "leaps": 1}),
    ("factors", {"target": 10}),
    ("factors", {"target": 13, "numbers": 5}),
    ("factors", {"target": 8, "same": "twice"}),
]


@pytest.mark.parametrize(("name", "given"), CHOICES)
def test_a_choice_keeps_the_value_and_a_win_is_the_shortest(
    name: str, given: dict[str, Any]
) -> None:
    solution = evenodds.solve(evenodds.game(name, given))
    assert solution.choices is not None
    game = solution.game
    for state in positions(game, solution.rulings):
        seat = FIRST if solution.mix(state, FIRST) else SECOND
        (pick,) = solution.mix(state, seat)
        after = game.step(state, (pick, 0) if seat == FIRST else (0, pick))
        assert solution.value(after) == solution.value(state)
        if solution.value(state) == (1 if seat == FIRST else -1):
            assert solution.mix(state, seat) == plain(solution).mix(state, seat)


@pytest.mark.parametrize(("name", "given"), CHOICES[:2])
@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_nobody_gains_by_knowing_the_choices(name: str, given: dict[str, Any], seat: int) -> None:
    ruled = evenodds.game(name, given)
    solution = evenodds.solve(ruled)
    value = solution.value(solution.start) * (1 if seat == FIRST else -1)
    assert evenodds.best_response(ruled, solution, seat).value == value


@pytest.mark.own_tables
def test_the_choices_are_found_alike_and_cached() -> None:
    ruled = evenodds.game("factors", target=9)
    solution = evenodds.solve(ruled)
    again = winning_picks(solution.game, solution.rulings, solution.solved, silent)
    assert solution.choices == again
    (file,) = cached("choices")
    kept = file.read_bytes()
    file.write_bytes(b"{}")
    assert evenodds.solve(ruled).choices == again
    assert file.read_bytes() == kept


def test_the_choices_are_found_alike_by_compiled_kernels() -> None:
    for name in {name for name, _ in CHOICES}:
        solution = evenodds.solve(evenodds.game(name, data_of(name).small))
        graph = Graph(Listing(solution.game, solution.rulings, silent))
        assert winning_picks_in(graph, solution.solved) == solution.choices
        as_if_large = solution.solved._replace(positions=60_000)
        found = winning_picks(solution.game, solution.rulings, as_if_large, silent)
        assert found == solution.choices


def test_large_games_are_played_by_the_plain_choice() -> None:
    assert evenodds.solve("duel").choices is None
    circle = evenodds.solve("circle")
    for count, is_plain in ((60_000, False), (60_001, True)):
        solved = circle.solved._replace(positions=count)
        found = choices_of(circle.game, circle.rulings, solved, silent, False)
        assert (found is None) == is_plain


def test_nothing_changes_where_all_picks_are_alike() -> None:
    solution = evenodds.solve("circle")
    for state in positions(solution.game, solution.rulings):
        for seat in SEATS:
            assert solution.mix(state, seat) == plain(solution).mix(state, seat)


def test_against_nines_alone_the_match_goes_on() -> None:
    """The reply is no copy that would repeat the position three times at the start."""
    solution = evenodds.solve("factors")
    match = play(
        Match("factors", {}),
        lambda match, seat: 9 if seat == FIRST else max(solution.mix(match.state, seat)),
    )
    replies = [picks[SECOND] for picks in match.history if picks[SECOND]]
    assert replies == [9, 3, 3, 3, 3, 3, 9, 9]


def test_perfect_play_of_factors_beats_those_who_slip() -> None:
    """The plain choice among perfect picks scores no more than half against such a level."""
    game = evenodds.get("factors")
    solution = evenodds.solve(game)
    level = SoftmaxPolicy(plain(solution), 0.714, 0.25)
    for policy, expected in ((plain(solution), 0.5), (solution, 0.6934)):
        ways = [evenodds.odds(game, policy, level), evenodds.odds(game, level, policy)]
        assert (ways[0].score + 1 - ways[1].score) / 2 == pytest.approx(expected, abs=1e-4)
