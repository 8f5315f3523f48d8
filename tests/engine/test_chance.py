"""Chance and points where many matches are played: as the exact odds say."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, BadGame, Uniform, odds, simulate
from evenodds.engine.batch import Batch
from evenodds.engine.policies import SoftmaxPolicy
from evenodds.engine.small_games import solve_interpreted
from evenodds.system import silent
from tests.support.engine import solve_compiled
from tests.support.environments import ObservationEncoder
from tests.support.examples import example
from tests.support.table_games import LOST, WON, Table, table_game
from tests.support.toll import TOLL

MATCHES = 100_000


def ruled(name: str, given: dict[str, Any]) -> Any:
    return evenodds.game(TOLL if name == "toll" else example(name), given)


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), [("pig", {"goal": 6}), ("toll", {})])
def test_draws_and_points_are_simulated_as_their_odds_say(name: str, given: dict[str, Any]) -> None:
    game = ruled(name, given)
    best, other = evenodds.solve(game), Uniform(game.game)
    found, exact = simulate(game, best, other, MATCHES, seed=5), odds(game, best, other)
    for count, share in zip(found[:3], (exact.first, exact.draw, exact.second), strict=True):
        assert abs(count - MATCHES * share) <= 5 * sqrt(MATCHES * share * (1 - share)) + 1
    rounds = sum(length * count for length, count in found.lengths.items())
    assert rounds / MATCHES == pytest.approx(exact.length, rel=0.02)  # draws are no rounds
    few: dict[str, Any] = {"matches": 300, "seed": 8, "longest": 4}
    assert simulate(game, **few) == simulate(game, **few, compiled=False)


def test_what_is_drawn_after_the_last_round_counts() -> None:
    found = simulate(TOLL, matches=400, longest=2, compiled=False)
    assert found.cut_off == 0
    assert found.lengths == {2: 400}


def episodes(batch: Batch, agents: int, seed: int, matches: int) -> list[tuple[float, ...]]:
    """The sums of rewards of matches by chance, for each agent."""
    chance, paid = Random(seed), [[0.0] * agents for _ in range(batch.size)]
    ended: list[tuple[float, ...]] = []
    batch.begin(seed)
    actions: Any = [[0] * agents] * batch.size
    while len(ended) < matches:
        flat = actions if agents == 2 else [each[0] for each in actions]
        found = batch.step(flat, None if agents == 2 else FIRST)
        masks = found.masks.reshape(batch.size, agents, -1)
        for place, rewards in enumerate(found.rewards.reshape(batch.size, agents).tolist()):
            paid[place] = [sum(both) for both in zip(paid[place], rewards, strict=True)]
            if found.terminated[place]:
                ended.append(tuple(paid[place]))
                paid[place] = [0.0] * agents
        actions = [
            [chance.choice(mask.nonzero()[0].tolist() or [0]) for mask in line] for line in masks
        ]
    return ended


@pytest.mark.parametrize("agents", [1, 2])
def test_rewards_of_a_batch_are_the_points_of_a_match_and_its_outcome(agents: int) -> None:
    rulings = TOLL.settle({})
    encoder = ObservationEncoder(TOLL, rulings)
    batch = Batch(
        TOLL, rulings, 50, encoder.sets, encoder.highest, repetition=0, limit=9, compiled=False
    )
    sums = episodes(batch, agents, 3, 2000)
    # The opponent's toll is paid before the first pick of a single agent.
    shares = Counter(first for first, *_ in sums)
    exact = {0: 1 / 4, 1: 1 / 4, 5: 3 / 16, 6: 3 / 16, -3: 1 / 16, -2: 1 / 16}
    assert shares.keys() == exact.keys()
    assert all(abs(shares[each] / len(sums) - exact[each]) < 0.05 for each in exact)
    assert agents == 1 or all(first == -second for first, second in sums)


@pytest.mark.parametrize("agents", [1, 2])
def test_a_match_that_the_opening_draw_ends_is_paid(agents: int) -> None:
    rows = Table(
        [((1, 2), (0,)), ((1, 2), (0,))],
        [{(1, 0): WON, (2, 0): 1}, {(1, 0): LOST, (2, 0): LOST}],
        [{1: 1, 2: 1}, {}],
    )
    named = {"simultaneous": False, "loops": False, "chance": True}
    game, rulings = table_game("natural", lambda number: rows, **named)(0)
    encoder = ObservationEncoder(game, rulings)
    how: Any = {"repetition": 0, "limit": 9, "compiled": False}
    batch = Batch(game, rulings, 50, encoder.sets, encoder.highest, **how)
    sums = [first for first, *_ in episodes(batch, agents, 3, 1000)]
    assert set(sums) == {1, -1}
    assert abs(sum(sums)) < 200


def test_carelessness_grows_with_what_is_at_stake() -> None:
    mixes = []
    for unit in (1, 10):
        solution = evenodds.solve(evenodds.game(TOLL, unit=unit))
        assert solution.value(solution.start) == 3 * unit
        assert solution.span == 2 * 6 * unit
        policy = SoftmaxPolicy(solution, 0.0, 1.0)
        mixes.append(policy(solution.start, SECOND))
    assert mixes[0] == mixes[1]
    assert mixes[0][1] > mixes[0][2] > 0.4


def by_loops(game: Any, rulings: Any) -> Any:
    return solve_compiled(game, rulings, 1 << 28, silent, compiled=False)


@pytest.mark.parametrize("solver", [solve_interpreted, by_loops])
@pytest.mark.parametrize(("wrong", "number"), [("weight", 0), ("weight", -2), ("reward", 2**60)])
def test_wrong_weights_and_points_are_refused_at_every_position_that_is_solved(
    solver: Any, wrong: str, number: int
) -> None:
    toll: Any = TOLL
    game = toll._replace(**{wrong: lambda state, given: number if state.place == 2 else 1})
    with pytest.raises(BadGame, match=rf"^toll: {wrong} of .* is {number}; it is .*, at place=2$"):
        solver(game, game.rulings())
