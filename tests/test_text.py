"""The text environment: what is asked, what an answer gives away, who plays against it."""

import runpy
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from evenodds.text import (
    EDITIONS,
    BadModelAnswer,
    IllegalModelPick,
    TextEnv,
    parse_legal_pick,
    pick_losses,
)
from tests.support.chance_games import CHANCE
from tests.support.paths import ROOT
from tests.support.strategies import GAMES

ANY_GAME = [*((game, {}) for game in GAMES), *CHANCE[2:]]


def played(env: TextEnv, seed: int) -> list[Any]:
    """A match in which every pick is drawn."""
    chance, said = Random(seed), [env.reset(seed)]
    while env.question:
        choices = env.match.choices(env.seat)
        assert len(choices) > 1, "a forced pick is asked"
        said.append(env.question)
        names = env.match.game.words.pick_names(env.match.terms.rulings, env.seat, choices)
        number = chance.choice(choices)
        turn = env.answer(f"PICK: {names.get(number, number)}")
        assert (turn.number, turn.problem) == (number, "")
        assert -1 <= turn.reward <= 0
    return [*said, env.turns, env.score, env.match]


@pytest.mark.long
@pytest.mark.parametrize(("game", "rulings"), ANY_GAME)
def test_any_game_is_played_to_its_end_and_a_seed_repeats_it(
    game: Any, rulings: dict[str, Any]
) -> None:
    one, two = (TextEnv(game, rulings=rulings, opponent="random", seat="random") for _ in range(2))
    for seed in range(3):
        assert played(one, seed) == played(two, seed)
        result = one.match.result
        assert result is not None
        assert one.score == (1 + (1, -1)[one.seat] * result.outcome) / 2


@pytest.mark.long
@pytest.mark.parametrize("opponent", ["high", "copy", "level:2", "perfect", "reader", "search:5"])
def test_any_opponent_plays(opponent: str) -> None:
    env = TextEnv("margin", opponent=opponent, seat="alternate")
    assert [played(env, seed)[-1].terms.computers.index(opponent) for seed in range(4)] == [
        1,
        0,
    ] * 2


def test_a_policy_plays_and_sees_no_pick_before_its_own() -> None:
    env = TextEnv("margin", opponent=lambda state, seat: state.hands[seat].bit_length() - 1)
    env.reset()
    env.answer("PICK: 1")
    assert env.match.history == ((1, 5),)


def test_the_loss_of_a_pick_is_exact() -> None:
    env = TextEnv("margin", rulings={"numbers": 4}, opponent="random", seat=SECOND)
    env.reset(seed=2)
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    while env.question:
        state, losses = env.match.state, pick_losses(env.match, SECOND)
        mix = solution.mix(state, SECOND)
        assert sum(share * losses[number] for number, share in mix.items()) == pytest.approx(0)
        value = solution.value(state, SECOND)
        number = env.match.choices(SECOND)[0]
        given = (value - solution.pick_values(state, SECOND)[number]) / 2
        assert env.answer(f"PICK: {number}").reward == pytest.approx(-given, abs=1e-9)


def test_a_bad_answer_is_asked_for_once_more_and_the_second_forfeits() -> None:
    env = TextEnv("duel", opponent="random")
    asked = env.reset(seed=1)
    assert env.messages[0]["content"].startswith("You are in the first seat")
    assert env.messages[1] == {"role": "user", "content": asked}
    turn = env.answer("I resign.")
    assert (turn.number, turn.reward) == (None, 0)
    assert env.question == f"{turn.problem}. {asked}"
    env.answer("PICK: 1")
    assert env.answer("PICK: 99").problem == "99 is not a number from 1 to 3"
    assert env.answer("").reward == -1
    assert (env.question, env.score) == ("", 0)
    assert env.match.result is not None
    assert env.match.result.reason == "forfeit"
    with pytest.raises(evenodds.EvenOddsError, match="nothing is asked"):
        env.answer("PICK: 1")
    assert env.reset(seed=1) == asked


def test_an_answer_is_read_for_a_match_of_ones_own() -> None:
    match = Match("duel")
    asked = match.terms, match.view(FIRST)
    assert parse_legal_pick("**PICK: 2**", *asked) == 2
    with pytest.raises(IllegalModelPick):
        parse_legal_pick("PICK: 4", *asked)
    with pytest.raises(BadModelAnswer, match="may mean several"):
        parse_legal_pick("PICK: 1 or 2", *asked)


def test_a_question_is_put_in_an_edition() -> None:
    env = TextEnv("duel", opponent="random", edition=EDITIONS["unlisted"])
    assert "legal numbers are" in TextEnv("duel", opponent="random").reset()
    assert "legal numbers are" not in env.reset()


@pytest.mark.long
def test_the_learner_of_the_examples_learns() -> None:
    name = str(ROOT / "examples" / "training" / "exact_rewards.py")
    measured = [*runpy.run_path(name)["train"](target=9, numbers=4, matches=400, seed=1)]
    assert measured[0][2] > 0.9
    assert measured[-1][1] < measured[1][1]
    assert measured[-1][2] < 0.05


@pytest.mark.processes
def test_a_program_plays_and_loses_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROGRAM_TRACES", str(tmp_path))
    program = ROOT / "tests" / "players" / "programs" / "unruly.py"
    env = TextEnv("duel", opponent=f"cmd:{sys.executable} {program} answers_badly 0", seat="second")
    env.reset()
    env.answer("PICK: 3")
    assert (env.question, env.score) == ("", 1)
