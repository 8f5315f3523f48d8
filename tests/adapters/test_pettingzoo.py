"""The games in PettingZoo: its own suites, and what they do not look at."""

from functools import partial
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from evenodds import BadTerms
from evenodds.core.catalog import get
from tests.support.chance_games import CHANCE
from tests.support.environments import pettingzoo as door
from tests.support.examples import example
from tests.support.game_data import cases
from tests.support.play import worth
from tests.support.strategies import GAMES


def wish_of(given: dict[str, Any]) -> dict[str, Any]:
    """Keywords of an environment: rulings, and what else is given."""
    ours = {key: given[key] for key in ("max_cycles", "repetition") if key in given}
    return ours | {"rulings": {key: given[key] for key in given if key not in ours}}


RULINGS: list[tuple[str, dict[str, Any]]] = [
    *((game.name, {}) for game in GAMES),
    *((name, wish_of(given)) for name, given in cases("environments")),
]
WITH_CHANCE = [(game, {"rulings": rulings}) for game, rulings in CHANCE]
ALL: list[tuple[Any, dict[str, Any]]] = [*RULINGS, *WITH_CHANCE]
NAMED = pytest.mark.parametrize(
    ("game", "options"), ALL, ids=[f"{name} {len(options)}" for name, options in ALL]
)
SIMULTANEOUS = [(game, options) for game, options in ALL if get(game).simultaneous]

pytestmark = pytest.mark.filterwarnings(
    # PettingZoo says so of every environment with a mask that is not in a list of its own.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    # Clash of Numbers begins without points, without a number to answer, with the first seat.
    "ignore:Observation numpy array is all zeros",
)


@NAMED
def test_pettingzoo_is_content(game: Any, options: dict[str, Any]) -> None:
    api_test(door.env(game, **options), num_cycles=100)
    seed_test(partial(door.env, game, **options), num_cycles=50)
    render_test(partial(door.env, game, **options))


@NAMED
def test_what_is_paid_is_what_a_match_is_worth(game: Any, options: dict[str, Any]) -> None:
    env = door.env(game, **options)
    for seed in (1, None):
        env.reset(seed=seed)
        totals = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            totals[agent] += reward
            mask = None if observation is None else observation["action_mask"]
            over = terminated or truncated
            env.step(None if over else int(env.action_space(agent).sample(mask)))
        total = worth(env.episode.match)
        assert list(totals.values()) == [total, -total]


def test_seeds_draw_differently_and_so_do_matches_after_one() -> None:
    env = door.parallel_env(example("goofspiel"), rulings={"cards": 4})
    prizes = []
    for seed in (1, None, 2, 1, None):
        env.reset(seed=seed)
        prizes.append((env.episode.match.draws, env.episode.match.seed))
    assert prizes[:2] == prizes[3:]
    assert len({seed for _, seed in prizes}) == 3


@pytest.mark.parametrize(("game", "options"), SIMULTANEOUS)
def test_pettingzoo_is_content_with_the_parallel_form(game: Any, options: dict[str, Any]) -> None:
    parallel_api_test(door.parallel_env(game, **options), num_cycles=100)
    parallel_seed_test(partial(door.parallel_env, game, **options), num_cycles=50)


@pytest.mark.parametrize("game", [game for game in GAMES if not game.simultaneous], ids=str)
def test_turns_have_no_parallel_form(game: Any) -> None:
    name = game.name
    with pytest.raises(BadTerms, match=rf'{name} is played in turns .* use env\("{name}"\)$'):
        door.parallel_env(name)


@pytest.mark.parametrize("game", [game for game in GAMES if game.simultaneous], ids=str)
def test_the_second_agent_cannot_observe_what_the_first_has_picked(game: Any) -> None:
    chance = Random(3)
    before: list[int] = []
    for _ in range(4):
        seen = []
        for number in openings(game, before):
            env = played(game, [*before, number])
            assert env.agent_selection == "player_1"
            seen.append(everything(env))
        assert len(seen) > 1
        assert all(data_equivalence(other, seen[0]) for other in seen)
        before += [chance.choice(openings(game, before))]
        before += [chance.choice(openings(game, before))]


def openings(game: Any, actions: list[int]) -> list[int]:
    observation = played(game, actions).last()[0]
    assert observation is not None
    return [int(number) for number in np.flatnonzero(observation["action_mask"])]


def played(game: Any, actions: list[int], **options: Any) -> Any:
    env = door.env(game, render_mode="ansi", **options)
    env.reset(seed=1)
    for action in actions:
        env.step(action)
    return env


def everything(env: Any) -> Any:
    return (
        env.last(),
        env.observe("player_1"),
        dict(env.infos),
        dict(env.rewards),
        dict(env.terminations),
        dict(env.truncations),
        env.render(),
    )


WIN = {"outcome": "first", "reason": "rules"}
FORFEIT = {"outcome": "second", "reason": "forfeit"}
REPEATED = {"outcome": "draw", "reason": "repetition"}
SPENT = "7 has already been played; each number can be used only once"


@pytest.mark.parametrize(
    ("game", "actions", "options", "reward", "infos", "said"),
    [
        ("underdog", [7, 8, 10, 6, 9, 2], {}, 1, (WIN, WIN), "player_0 has reached 3 points and"),
        ("underdog", [7, 8, 7], {}, -1, ({**FORFEIT, "illegal": SPENT}, FORFEIT), "player_0"),
        ("factors", [1] * 6, {}, 0, (REPEATED, REPEATED), "three times"),
        ("factors", [1] * 40, {"repetition": 0, "max_cycles": 40}, 0, ({}, {}), "cut off after 40"),
    ],
    ids=["a win", "an illegal action", "a repetition", "cut off"],
)
def test_the_end_of_a_match_is_told_and_paid(
    game: str, actions: list[int], options: dict[str, Any], reward: float, infos: Any, said: str
) -> None:
    env = played(get(game), actions, **options)
    assert env.rewards == {"player_0": reward, "player_1": -reward}
    assert env.infos == {"player_0": infos[0], "player_1": infos[1]}
    cut_off = "max_cycles" in options
    assert env.truncations == {"player_0": cut_off, "player_1": cut_off}
    assert env.terminations == {"player_0": not cut_off, "player_1": not cut_off}
    assert said in env.render()


def test_actions_that_are_no_numbers_of_the_game_lose_too() -> None:
    for action in (0, 11, -1):
        env = played(get("circle"), [action])
        assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
        assert env.infos["player_0"]["illegal"].startswith(f"{action} is ")


def test_two_illegal_actions_at_once_lose_for_both() -> None:
    env = door.parallel_env("duel")
    env.reset()
    _, rewards, terminations, _, infos = env.step({"player_0": 4, "player_1": 0})
    assert rewards == {"player_0": -1.0, "player_1": -1.0}
    assert all(terminations.values())
    assert [list(info) for info in infos.values()] == [["illegal"], ["illegal"]]
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_numbers_of_numpy_are_taken() -> None:
    env = door.env("duel", max_cycles=cast(int, np.int32(7)), rulings={"hp": np.int64(4)})
    assert env.terms == door.env("duel", rulings={"hp": 4}).terms
    assert env.max_cycles == 7


def test_no_ruling_is_called_like_an_option_of_the_environments() -> None:
    taken = {"game", "opponent", "seat", "max_cycles", "repetition", "render_mode", "num_envs"}
    for game in GAMES:
        assert not taken & set(game.options)


def test_nothing_is_there_before_the_first_match() -> None:
    env = door.env("duel")
    for ask in (env.last, env.render, lambda: env.step(1), lambda: env.observe("player_0")):
        with pytest.raises(AttributeError, match=r"^there is no \w+ before reset\(\)$"):
            ask()
    both = door.parallel_env("duel")
    with pytest.raises(AttributeError, match=r"^there is no \w+ before reset\(\)$"):
        both.step({"player_0": 1, "player_1": 1})


def test_what_is_no_whole_number_is_no_action() -> None:
    for action in (2.0, None, "2"):
        problem = f"^an action is a whole number from 0 to 3, not {action!r}$"
        env = played(get("duel"), [2])
        with pytest.raises(TypeError, match=problem):
            env.step(action)
        assert not env.terminations["player_1"]
        both: Any = door.parallel_env("duel")
        both.reset()
        with pytest.raises(TypeError, match=problem):
            both.step({"player_0": 1, "player_1": action})
        assert both.agents


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        ({"player_0": 1}, "player_1"),
        ({}, "player_0 or player_1"),
        (None, "player_0 or player_1"),
        ([1, 1], "player_0 or player_1"),
    ],
)
def test_a_round_takes_an_action_of_either_agent(actions: Any, missing: str) -> None:
    env = door.parallel_env("duel")
    env.reset()
    problem = "a round takes an action of player_0 and player_1 by name; there is none of"
    with pytest.raises(ValueError, match=f"^{problem} {missing}$"):
        env.step(actions)
    env.step({"player_0": 1, "player_1": 1})
    assert env.agents
