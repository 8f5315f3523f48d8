"""Which of several best picks is played in games of turns."""

from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, Solution
from evenodds.coach.reasons import losing_replies
from evenodds.engine.policies import Policy, SoftmaxPolicy
from evenodds.engine.position_keys import packing
from tests.support.engine import silent, solve_compiled, solve_interpreted
from tests.support.play import SEATS, play, positions
from tests.support.table_games import WON, Table, table_game

pytestmark = pytest.mark.long


def plain_pick(solution: Solution, state: Any, seat: int) -> int:
    """The best pick by value, then distance or losing replies, then number; PASS out of turn."""
    game, side = solution.game, 1 if seat == FIRST else -1
    if not solution.mix(state, seat):
        return 0
    worth = side * solution.value(state)

    def rank(number: int) -> tuple[float, float, int]:
        after = game.step(state, (number, 0) if seat == FIRST else (0, number))
        tie = worth * (solution.distance(after) or 0)
        return (
            -side * solution.value(after),
            tie or -losing_replies(solution, state, seat, number),
            number,
        )

    return min(game.picks(state, seat), key=rank)


def plain(solution: Solution) -> Policy:
    return lambda state, seat: plain_pick(solution, state, seat)


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
    game = solution.game
    for state in positions(game, solution.rulings):
        seat = FIRST if solution.mix(state, FIRST) else SECOND
        (pick,) = solution.mix(state, seat)
        after = game.step(state, (pick, 0) if seat == FIRST else (0, pick))
        assert solution.value(after) == solution.value(state)
        if solution.value(state) == (1 if seat == FIRST else -1):
            assert pick == plain_pick(solution, state, seat)
            assert solution.distance(state) == 1 + (solution.distance(after) or 0)


@pytest.mark.parametrize(("name", "given"), CHOICES[:2])
@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_nobody_gains_by_knowing_the_choices(name: str, given: dict[str, Any], seat: int) -> None:
    ruled = evenodds.game(name, given)
    solution = evenodds.solve(ruled)
    value = solution.value(solution.start) * (1 if seat == FIRST else -1)
    assert evenodds.best_response(ruled, solution, seat).value == value


@pytest.mark.parametrize(("name", "given"), CHOICES)
def test_the_choices_are_found_alike_by_compiled_kernels(name: str, given: dict[str, Any]) -> None:
    ruled = evenodds.game(name, given)
    found = solve_compiled(*ruled, 1 << 30, silent)
    interpreted = solve_interpreted(*ruled)
    assert interpreted is not None
    assert dict(by_fields(*ruled, found)) == dict(by_fields(*ruled, interpreted))


def by_fields(game: Any, rulings: Any, solved: Any) -> Any:
    """The value and the pick at each position: two solvers need not pack keys alike."""
    unpack = packing(game.start(rulings)).unpack
    for key, value, pick in zip(solved.keys, solved.values, solved.picks, strict=True):
        yield unpack(int(key), rulings, solved.layout), (int(value), pick)


def test_nothing_changes_where_all_picks_are_alike() -> None:
    solution = evenodds.solve("circle")
    for state in positions(solution.game, solution.rulings):
        for seat in SEATS:
            pick = plain_pick(solution, state, seat)
            assert solution.mix(state, seat) == ({pick: 1.0} if pick else {})


def test_against_nines_alone_the_match_goes_on() -> None:
    solution = evenodds.solve("factors")
    match = play(
        Match("factors", {}),
        lambda match, seat: 9 if seat == FIRST else max(solution.mix(match.state, seat)),
    )
    replies = [picks[SECOND] for picks in match.history if picks[SECOND]]
    assert replies == [9, 3, 3, 3, 3, 3, 9, 9]


def test_perfect_play_of_factors_beats_those_who_slip() -> None:
    game = evenodds.game("factors", target=10, numbers=3)
    solution = evenodds.solve(game)
    level = SoftmaxPolicy(solution, 0.714, 0.25)
    for policy, expected in ((plain(solution), 0.50966), (solution, 0.51143)):
        assert evenodds.odds(game, policy, level).score == pytest.approx(expected, abs=1e-5)


def test_a_win_that_takes_too_long_to_keep_is_refused_without_a_compiler_too() -> None:
    length = 33_000
    links = [{(1, 0): place + 1} for place in range(length - 1)]
    chain = Table([((1,), (0,))] * length, [*links, {(1, 0): WON}])
    ruled = table_game("chain", lambda _: chain, simultaneous=False, loops=True)(0)
    with pytest.raises(evenodds.EvenOddsError, match="more than 32,767 picks, which is not kept"):
        solve_interpreted(ruled.game, ruled.rulings, 1e9)
