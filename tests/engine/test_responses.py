"""Best responses and exploitability: what can be taken from a way of playing."""

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, BadPolicy, Uniform, best_response, exploitability, odds
from evenodds.engine.graph import Graph
from evenodds.engine.policies import SoftmaxPolicy, mix_of
from evenodds.engine.positions import Listing
from evenodds.engine.responses import respond_on
from tests.support.engine import silent, sum_of_steps
from tests.support.examples import LOOPING_GAME, SIMULTANEOUS_GAME
from tests.support.game_data import cases, data_of
from tests.support.play import SEATS
from tests.support.table_games import DRAWN, WON, Table, table_game

SMALL = [(name, given) for name, given in cases("policies") if not evenodds.game(name).game.loops]


def test_of_equal_picks_the_first_is_named_however_sums_are_rounded() -> None:
    """1 wins against 3, and 2 against 1 and 2: both in 30% of all matches, but 0.1 + 0.2 > 0.3."""
    wins = {(1, 3), (2, 1), (2, 2)}
    pairs = list(product((1, 2), (1, 2, 3, 4)))
    table = Table([((1, 2), (1, 2, 3, 4))], [{p: WON if p in wins else DRAWN for p in pairs}])
    ruled = table_game("ties", lambda _: table, simultaneous=True, loops=False)(0)
    mix = {1: 0.1, 2: 0.2, 3: 0.3, 4: 0.4}
    found = best_response(ruled, lambda *_: mix, FIRST)
    assert dict(found.picks) == {ruled.start(): 1}
    assert found.value == pytest.approx(0.3)


@pytest.mark.parametrize("name", ["duel", "factors"])
def test_a_best_response_can_be_pickled(name: str) -> None:
    ruled = evenodds.game(name, data_of(name).small)
    found = best_response(ruled, Uniform(name), FIRST)
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    assert copy.picks[ruled.start()] in ruled.picks(ruled.start(), FIRST)
    assert len(copy.picks) > 1


def test_a_mix_of_single_precision_is_scaled() -> None:
    game = evenodds.game("margin", numbers=3)
    third: Any = np.float32(1 / 3)
    mix = mix_of(game.game, lambda state, seat: {1: third, 2: third, 3: third}, game.start(), FIRST)
    assert sum(mix.values()) == pytest.approx(1, abs=1e-15)


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), [*SMALL, ("factors", {"target": 9})])
def test_a_response_that_is_played_earns_its_value(name: str, given: dict[str, Any]) -> None:
    ruled, uniform = evenodds.game(name, given), Uniform(name)
    for seat, side in zip(SEATS, (1, -1), strict=True):
        found = best_response(ruled, uniform, seat, repetition=0)
        answer = {state: {pick: 1.0} for state, pick in found.picks.items()}
        ways = (answer, uniform) if seat == FIRST else (uniform, answer)
        earned = odds(ruled, *ways, repetition=0)
        assert side * (earned.first - earned.second) == pytest.approx(found.value, abs=1e-12)


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.parametrize("name", [SIMULTANEOUS_GAME, LOOPING_GAME])
def test_large_games_are_answered_as_small_ones(name: str) -> None:
    ruled, uniform = evenodds.game(name, data_of(name).small), Uniform(name)
    graph = Graph(Listing(*ruled, silent, compiled=True))
    times = 3 if graph.game.loops else 0
    solution = evenodds.solve(ruled)
    taken = sum(respond_on(graph, solution, seat, times).value for seat in SEATS) / 2
    assert taken == pytest.approx(0, abs=1e-9)
    known = respond_on(graph, uniform, FIRST, times)
    asked = respond_on(graph, lambda *where: uniform(*where), FIRST, times)
    assert known.value == pytest.approx(asked.value, abs=1e-12)
    assert dict(known.picks) == dict(asked.picks)


def test_a_policy_is_a_function_a_mapping_or_a_solution() -> None:
    ruled = evenodds.game("duel", hp=6, numbers=4)
    solution = evenodds.solve(ruled)
    states = best_response(ruled, solution, FIRST).picks
    by_both = {(state, seat): solution.mix(state, seat) for state in states for seat in SEATS}
    by_state = {state: solution.mix(state, FIRST) for state in states}
    expected = pytest.approx(odds(ruled, solution, solution)[:5], abs=1e-12)
    for way in (solution.mix, by_both, lambda state, seat: solution.mix(state, seat)):
        assert odds(ruled, way, way)[:5] == expected
    assert odds(ruled, by_state, solution)[:5] == expected
    with pytest.raises(BadPolicy, match="the policy has no mix at"):
        odds(ruled, {}, solution)


def test_picks_are_a_mapping_from_positions_of_these_rulings() -> None:
    ruled = evenodds.game("circle", numbers=6)
    picks = best_response(ruled, Uniform("circle"), FIRST).picks
    assert ruled.start() in picks
    assert len(picks) == len(list(picks))
    assert evenodds.game("circle", numbers=7).start() not in picks
    assert "nonsense" not in picks


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), cases("policies"))
def test_a_blend_is_the_same_by_the_block_and_one_by_one(name: str, given: dict[str, Any]) -> None:
    ruled, uniform = evenodds.game(name, given), Uniform(name)
    softmax = SoftmaxPolicy(evenodds.solve(ruled), 0.3, 0.5)

    def asked(state: Any, seat: int) -> Any:
        return softmax(state, seat)

    fast, slow = odds(ruled, softmax, uniform), odds(ruled, asked, uniform)
    assert fast[:5] == pytest.approx(slow[:5], abs=1e-12)
    taken = exploitability(ruled, asked)
    assert exploitability(ruled, softmax) == pytest.approx(taken, abs=1e-12)


def test_play_that_hardly_ever_ends_is_summed_up_all_the_same() -> None:
    chance = np.random.default_rng(4)
    size = 60
    leads = np.zeros((size, size))
    for place in range(size):
        leads[place, (place + 1) % size] += 0.7
        leads[place, chance.integers(size)] += 0.2999
    start = np.eye(size)[0]
    found = sum_of_steps(leads.T, start, 1)
    exact = np.linalg.solve(np.eye(size) - leads.T, start)
    assert found == pytest.approx(exact, rel=1e-9)
    assert found.sum() == pytest.approx(10_000, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("given", [{"target": 6}, {"target": 5, "same": "twice"}])
def test_knots_are_eliminated_or_followed(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evenodds.game("factors", given)
    softmax = SoftmaxPolicy(evenodds.solve(game), 0.7, 0.5)
    found = []
    for most in (10**9, 0):
        for name in ("MAX_INTERPRETED_SUMS", "MAX_SUMS"):
            monkeypatch.setattr(f"evenodds.engine.components.{name}", most)
        values = [best_response(game, softmax, seat, repetition=0).value for seat in SEATS]
        found.append((*values, *odds(game, softmax, Uniform("factors"), repetition=0)[:5]))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
