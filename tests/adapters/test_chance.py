"""Chance and points in the environments of other libraries, and in tools of a language model."""

from functools import partial
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from open_spiel.python.algorithms import exploitability
from pettingzoo.test import api_test, parallel_api_test, seed_test

import evenodds
from evenodds import FIRST, PASS, BadTerms, IllegalPick, Match
from evenodds.core.catalog import add
from tests.adapters.test_openspiel import any_actions, apply
from tests.support.environments import (
    Mixes,
    ObservationEncoder,
    SeatEnv,
    by_position,
    pettingzoo,
    register,
)
from tests.support.examples import example
from tests.support.mcp_callers import Caller, in_process
from tests.support.play import SEATS
from tests.support.table_games import DRAWN, WON, Table, table_game

DICE = table_game(
    "dice",
    lambda number: Table(
        [((1, 3), (0,)), ((1, 2), (1, 2)), ((1,), (0,))],
        [
            {(1, 0): 1, (3, 0): 1},
            {(1, 1): WON, (1, 2): 2, (2, 1): DRAWN, (2, 2): 2},
            {(1, 0): DRAWN},
        ],
        [{1: 3, 3: 5}, {}, {1: 1}],
        [
            {(1, 0): 2, (3, 0): -4},
            {(1, 1): 1, (1, 2): -2, (2, 1): -3, (2, 2): 7},
            {(1, 0): 10},
        ],
    ),
    simultaneous=True,
    loops=False,
    chance=True,
    points=True,
)(0)
"""A die of unequal sides before the first round and after some; each brings points."""
for each in ("goofspiel", "nim", "oshi_zumo", "pig", "rock_paper_scissors"):
    register(example(each))
register(DICE.game)
GIVEN: list[tuple[str, dict[str, Any]]] = [
    ("goofspiel", {"cards": 4}),
    ("goofspiel", {"cards": 4, "order": "rising", "score": "points"}),
    ("nim", {}),
    ("oshi_zumo", {"coins": 6}),
    ("pig", {"goal": 6, "sides": 3}),
    ("rock_paper_scissors", {}),
    ("dice", {}),
]
GIVEN_GAMES = pytest.mark.parametrize(("name", "rulings"), GIVEN)
TREES = pytest.mark.parametrize(
    ("name", "rulings"),
    [("goofspiel", {"cards": 3}), ("goofspiel", {"cards": 3, "score": "points"}), ("dice", {})],
)
pytestmark = [
    pytest.mark.xdist_group("compiled"),
    pytest.mark.filterwarnings("ignore:Observation"),
    pytest.mark.filterwarnings("ignore:.*WARN"),
]


def game_of(name: str) -> Any:
    return DICE.game if name == "dice" else example(name)


def load(name: str, rulings: dict[str, Any]) -> Any:
    return pyspiel.load_game(f"evenodds_{name}", rulings)


@GIVEN_GAMES
def test_openspiels_own_simulation_passes(name: str, rulings: dict[str, Any]) -> None:
    game = load(name, rulings)
    assert (game.max_chance_outcomes() > 0) == (name in ("goofspiel", "pig", "dice"))
    forms = [game, pyspiel.convert_to_turn_based(game)] if game_of(name).simultaneous else [game]
    for form in forms:
        pyspiel.random_sim_test(form, num_sims=2, serialize=True, verbose=False)


@GIVEN_GAMES
def test_a_match_goes_in_openspiel_as_it_goes_at_home(name: str, rulings: dict[str, Any]) -> None:
    spiel, chance = load(name, rulings), Random(4)
    for number in range(5):
        match = Match(game_of(name), rulings, seed=str(number))
        state, paid = spiel.new_initial_state(), 0.0
        drawn = list(match.draws[0])
        while not state.is_terminal():
            if state.is_chance_node():
                weights = match.game.draws(state.position)
                shares = {each: weight / sum(weights.values()) for each, weight in weights.items()}
                assert dict(state.chance_outcomes()) == pytest.approx(shares)
                state.apply_action(drawn.pop(0))
                continue
            paid += state.rewards()[FIRST]
            assert not drawn
            assert state.position == match.state
            assert state.returns()[FIRST] == (match.points or 0)
            actions = any_actions(state, chance)
            apply(state, actions)
            pair = iter(actions)
            asked = [len(actions) == 2 or bool(match.choices(seat)) for seat in SEATS]
            first, second = (next(pair) if each else PASS for each in asked)
            match.play((first, second))
            drawn = list(match.draws[-1])
        assert match.result
        total = (match.points or 0) + match.game.outcome(match.state)
        assert state.returns() == [total, -total]
        assert paid + state.rewards()[FIRST] == total
        assert spiel.min_utility() <= -abs(total) <= abs(total) <= spiel.max_utility()


def test_the_greatest_returns_are_exact_where_they_can_be_found() -> None:
    for cards, most in ((2, 1), (3, 4), (4, 8)):  # all but the worst prize, and the best one lost
        rulings = {"cards": cards, "score": "points"}
        game = load("goofspiel", rulings)
        assert (game.min_utility(), game.max_utility()) == (-most, most)
    assert load("dice", {}).max_utility() == 2 + 7 + 10
    long = example("goofspiel")._replace(name="goofspiel_long", longest=lambda ruled: ruled.cards)
    register(long)
    game = load("goofspiel_long", {"cards": 12, "score": "points"})
    assert (game.max_game_length(), game.max_utility()) == (12, np.inf)


def test_what_was_drawn_is_part_of_what_is_remembered() -> None:
    state = load("goofspiel", {"cards": 3}).new_initial_state()
    for _ in range(2):
        state.apply_action(max(dict(state.chance_outcomes())))
        state.apply_actions([max(state.legal_actions(seat)) for seat in SEATS])
    assert state.information_state_string(FIRST) == "first: (3) 3-3(2) 2-2"
    with pytest.raises(IllegalPick, match="3 cannot be drawn"):
        state.apply_action(3)


def test_play_that_might_never_end_is_cut_off_as_a_draw() -> None:
    game = load("rock_paper_scissors", {"horizon": 2})
    state = game.new_initial_state()
    for _ in range(game.max_game_length()):
        state.apply_actions([1, 1])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    with pytest.raises(BadTerms, match="horizon=0 is not allowed; allowed: 1 or more"):
        load("pig", {"horizon": 0})


@TREES
def test_our_mix_gives_nothing(name: str, rulings: dict[str, Any]) -> None:
    game = pyspiel.convert_to_turn_based(load(name, rulings))
    solution = evenodds.solve(evenodds.game(game_of(name), rulings), fresh=True)
    ours = Mixes(game, solution)
    assert exploitability.nash_conv(game, ours) <= 1e-6


@TREES
def test_what_can_be_taken_is_the_same_for_both(name: str, rulings: dict[str, Any]) -> None:
    game = pyspiel.convert_to_turn_based(load(name, rulings | {"recall": False}))
    tree = pyspiel.convert_to_cached_tree(game)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    learned = solver.average_policy()
    ours = evenodds.exploitability(
        evenodds.game(game_of(name), rulings), by_position(game, learned)
    )
    assert ours == pytest.approx(pyspiel.exploitability(tree, learned), abs=1e-9)


@GIVEN_GAMES
def test_gymnasium_is_content_and_a_seed_repeats_what_is_drawn(
    name: str, rulings: dict[str, Any]
) -> None:
    env = SeatEnv(game_of(name), rulings=rulings, seat="random")
    check_env(env, skip_render_check=True)
    for seed in range(4):
        told = [match_of(env, seed) for _ in range(2)]
        assert data_equivalence(told[0], told[1])


def match_of(env: Any, seed: int) -> list[Any]:
    """All that is told in a match of picks at random; what is paid is what a match is worth."""
    told = [env.reset(seed=seed)]
    env.action_space.seed(seed)
    over, paid = False, 0.0
    while not over:
        step = env.step(env.action_space.sample(told[-1][0]["action_mask"]))
        told.append(step)
        over, paid = step[2] or step[3], paid + step[1]
    match = env.episode.match
    total = (match.points or 0) + match.game.outcome(match.state)
    assert paid == (total if env.seat == FIRST else -total)
    return told


@GIVEN_GAMES
def test_pettingzoo_is_content_and_a_seed_repeats_what_is_drawn(
    name: str, rulings: dict[str, Any]
) -> None:
    game = game_of(name)
    made = partial(pettingzoo.env, game, rulings=rulings)
    api_test(made(), num_cycles=50)
    seed_test(made, num_cycles=50)
    if game.simultaneous:
        parallel_api_test(pettingzoo.parallel_env(game, rulings=rulings), num_cycles=50)
    env = made()
    for seed in (1, None, None):
        env.reset(seed=seed)
        totals = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            totals[agent] += reward
            mask = None if observation is None else observation["action_mask"]
            over = terminated or truncated
            env.step(None if over else int(env.action_space(agent).sample(mask)))
        match = env.episode.match
        total = (match.points or 0) + match.game.outcome(match.state)
        assert list(totals.values()) == [total, -total]


def test_seeds_draw_differently_and_so_do_matches_after_one() -> None:
    env = pettingzoo.parallel_env(example("goofspiel"), rulings={"cards": 13})
    prizes = []
    for seed in (1, None, 2, 1, None):
        env.reset(seed=seed)
        prizes.append((env.episode.match.draws, env.episode.match.seed))
    assert prizes[:2] == prizes[3:]
    assert len({seed for _, seed in prizes}) == 3


def test_the_highest_number_may_come_later() -> None:
    assert ObservationEncoder(*evenodds.game(example("pig"), sides=2)).highest == 2
    assert ObservationEncoder(*evenodds.game(example("goofspiel"), order="rising")).highest == 5
    encoder = ObservationEncoder(*evenodds.game(example("nim")))
    assert [field.name for field in encoder.fields[1:4]] == ["heaps, 1", "heaps, 2", "heaps, 3"]


def test_tools_tell_what_was_drawn_and_the_points() -> None:
    for name in ("goofspiel", "pig"):
        add(example(name))

    async def talk(caller: Caller) -> None:
        given = {"game": "goofspiel", "opponent": "random", "seat": "second"}
        seen = await caller.call("open_match", rulings={"cards": 4, "score": "points"}, **given)
        points = 0
        for rounds in range(4):
            assert [len(drawn) for drawn in seen["draws"]] == [1] * (rounds + 1)
            assert seen["points"] == points
            ((prize,),) = seen["draws"][rounds:]
            seen = await caller.call("pick", match=seen["match"], number=seen["legal"][0])
            first, second = seen["history"][-1]
            points += prize * ((first > second) - (first < second))
        assert seen["points"] == points
        outcome = ["second", "draw", "first"][1 + (points > 0) - (points < 0)]
        assert seen["result"] == {"outcome": outcome, "reason": "rules"}
        seen = await caller.call("open_match", game="duel", opponent="random")
        assert not {"draws", "points"} & set(seen)
        seen = await caller.call("open_match", game="pig", opponent="random")
        refused = await caller.refused("pick", match=seen["match"], number=7)
        assert refused.endswith("allowed: 1 (roll)")
        page = await caller.call("read_rules", game="pig")
        assert "a 1 loses what the turn has brought" in page["page"]

    in_process(talk)
