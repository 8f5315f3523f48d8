"""One seat in Gymnasium: its own checker, opponents, seats, seeds."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import evenodds
from evenodds import FIRST, SECOND
from tests.adapters.test_pettingzoo import ALL, WITH_CHANCE
from tests.support.commands import python
from tests.support.environments import SeatEnv, SeatVectorEnv, environment_id
from tests.support.examples import SIMULTANEOUS_GAME, TURN_GAME, example
from tests.support.play import worth


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*WARN")
@pytest.mark.parametrize(("game", "options"), ALL)
@pytest.mark.parametrize("seat", ["second", "random"])
def test_gymnasium_is_content(game: Any, options: dict[str, Any], seat: str) -> None:
    check_env(SeatEnv(game, seat=seat, **options))


@pytest.mark.parametrize(("game", "options"), WITH_CHANCE)
def test_a_seed_repeats_what_is_drawn(game: Any, options: dict[str, Any]) -> None:
    env = SeatEnv(game, seat="random", **options)
    for seed in range(4):
        assert data_equivalence(match_of(env, seed), match_of(env, seed))


def made(game: str, **options: Any) -> Any:
    return gymnasium.make(environment_id(evenodds.game(game).game), **options)


def match_of(env: Any, seed: int | None) -> list[Any]:
    """All that is told in one match in which every open number is picked by chance."""
    told: list[Any] = [env.reset(seed=seed)]
    if seed is not None:
        env.action_space.seed(seed)
    over, paid = False, 0.0
    while not over:
        told.append(env.step(env.action_space.sample(told[-1][0]["action_mask"])))
        over, paid = told[-1][2] or told[-1][3], paid + told[-1][1]
    total = worth(env.unwrapped.episode.match)
    assert paid == (total if env.unwrapped.seat == FIRST else -total)
    return told


@pytest.mark.long
@pytest.mark.parametrize("opponent", ["random", "copy", "level:3", "perfect", "reader", "search:5"])
@pytest.mark.parametrize("game", [SIMULTANEOUS_GAME, TURN_GAME])
def test_any_opponent_plays_and_a_seed_repeats_it(game: str, opponent: str, home: Path) -> None:
    one, two = (made(game, opponent=opponent, seat="alternate") for _ in range(2))
    for seed in (4, None, None, 5):
        assert data_equivalence(match_of(one, seed), match_of(two, seed))
    assert not (home / "habits").exists(), "an agent is nobody to be remembered"


def test_the_opponent_is_the_one_who_was_named() -> None:
    env = made("margin", opponent="high")
    told = match_of(env, 1)
    assert [step[-1]["opponent_pick"] for step in told] == [0, 5, 4, 3, 2, 1]


def test_an_opponent_who_begins_has_picked_when_the_agent_is_asked() -> None:
    env = made("circle", opponent="high", seat="second")
    observation, info = env.reset(seed=1)
    assert info == {"opponent_pick": 10}
    assert list(np.flatnonzero(observation["action_mask"])) == [1, 9]
    _, reward, terminated, _, info = env.step(5)
    assert (reward, terminated) == (-1.0, True)
    assert info["opponent_pick"] == 0
    assert info["illegal"].startswith("5 is ")
    assert info["outcome"] == "first"


def test_seats_alternate_from_the_first_on_and_rewards_are_the_agents() -> None:
    env = made("duel", opponent="high", seat="alternate", rulings={"hp": 3})
    for seat in (0, 1, 0):
        env.reset(seed=1 if seat == 0 else None)
        assert env.unwrapped.seat == seat
        assert env.step(2)[1:3] == (-1.0, True)


def test_rulings_limits_and_repetition_are_taken() -> None:
    env = made(
        "factors", opponent="copy", max_cycles=12, repetition=0, rulings={"numbers": 1, "target": 9}
    )
    env.reset(seed=1)
    ends = [env.step(1)[1:4] for _ in range(6)]
    assert ends == [*[(0.0, False, False)] * 5, (0.0, False, True)]
    told = match_of(made("factors", opponent="copy", rulings={"numbers": 1, "target": 9}), 1)
    info = {"opponent_pick": 1, "outcome": "draw", "reason": "repetition"}
    assert told[-1][1:] == (0.0, True, False, info)


def test_a_match_that_is_over_takes_no_more_picks() -> None:
    env = made("duel", rulings={"hp": 1}).unwrapped
    env.reset(seed=1)
    env.step(9)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)


DOORS = """
import sys
from importlib import import_module
for part in ("gymnasium", "numpy"):
    sys.modules[part] = None
    for door in ("pettingzoo", "gymnasium", "vector"):
        try: import_module(f"evenodds.adapters.{door}")
        except ImportError as error: print(part, error)
        for name in [name for name in sys.modules if name.startswith("evenodds.adapters")]:
            del sys.modules[name]
    del sys.modules[part]
"""


@pytest.mark.processes
def test_a_missing_extra_is_named_with_the_command_that_adds_it() -> None:
    done = python(DOORS)
    said = "{0} this needs {0}, which is not installed; add it with: make setup"
    parts = ["gymnasium"] * 3 + ["numpy"] * 3
    assert done.stdout.splitlines() == [said.format(part) for part in parts]


def lowest(state: Any, seat: int) -> int:
    return evenodds.game("margin").game.picks(state, seat)[0]


@pytest.mark.long
def test_a_policy_is_an_opponent() -> None:
    game = evenodds.game("margin", numbers=3)
    solution = evenodds.solve(game)
    answers = evenodds.best_response(game, lowest, SECOND).picks
    answer = answers[solution.start]
    for opponent, expected in ((lowest, 1), (answers, answer), (solution, None)):
        env = gymnasium.make("evenodds/Margin-v0", game=game, opponent=opponent)
        env.reset(seed=1)
        info = env.step(2)[-1]
        assert info["opponent_pick"] in ({1, 2, 3} if expected is None else {expected})
        envs = gymnasium.make_vec("evenodds/Margin-v0", num_envs=2, game=game, opponent=opponent)
        envs.reset(seed=1)
        infos = envs.step(np.array([2, 2]))[-1]
        assert expected is None or infos["opponent_pick"].tolist() == [expected] * 2
    with pytest.raises(evenodds.BadPolicy, match="of another game or of other rulings"):
        gymnasium.make("evenodds/Margin-v0", opponent=solution)


@pytest.mark.long
def test_a_seat_is_a_word_or_a_constant() -> None:
    assert made("duel", seat=SECOND).unwrapped.seating == "second"
    assert SeatVectorEnv(2, "duel", seat=SECOND).seating == "second"


def test_the_mask_of_an_observation_is_a_method_too() -> None:
    env = made(TURN_GAME, seat="second")
    observation, _ = env.reset(seed=1)
    mask = env.get_wrapper_attr("action_masks")()
    assert mask.dtype == bool
    assert mask.tolist() == observation["action_mask"].astype(bool).tolist()


def test_a_match_lost_before_the_agent_is_asked_ends_in_its_first_step() -> None:
    lost = {"first": 0, "second": 0, "third": 1}
    given: dict[str, Any] = {"opponent": "high", "seat": "second", "rulings": lost}
    one, many = SeatEnv(example("nim"), **given), SeatVectorEnv(1, example("nim"), **given)
    for _ in range(2):
        observation, info = one.reset(seed=1)
        assert info["opponent_pick"]
        assert observation["action_mask"].sum() == observation["action_mask"][0] == 1
        assert one.step(0)[1:4] == (-1, True, False)
        with pytest.raises(gymnasium.error.ResetNeeded):
            one.step(0)
    observations, infos = many.reset(seed=1)
    for _ in range(2):
        assert infos["opponent_pick"][0]
        assert observations["action_mask"].sum() == observations["action_mask"][0, 0] == 1
        assert [told.item() for told in many.step([0])[1:4]] == [-1, True, False]
        observations, rewards, ended, _, infos = many.step([0])
        assert (rewards[0], ended[0]) == (0, False)


def test_a_match_that_might_go_on_for_ever_is_cut_off() -> None:
    env = SeatEnv(example("rock_paper_scissors"), opponent="high", seat="first", max_cycles=5000)
    env.reset(seed=1)
    for _ in range(1000):
        _, reward, terminated, truncated, info = env.step(3)
        assert (reward, terminated) == (0, False)
    assert truncated
    assert "outcome" not in info
