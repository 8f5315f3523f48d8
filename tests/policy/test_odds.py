"""Exact odds: against fractions, against sampling, and as a command."""

import json
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds.arena.exact_scores import exact_scores_of
from evenodds.arena.schedule import Plan
from evenodds.graph import TooLarge
from evenodds.players.level_strength import strengths
from evenodds.policy import UncountedRepetition, Uniform, odds
from evenodds.study.metrics.skill import perfect_score_against_random
from evenodds.study.solved.solved_game import SolvedGame
from tests.policy.test_simulation import exact_odds
from tests.support.commands import evenodds_here as command
from tests.support.game_data import cases

SMALL = [(name, given) for name, given in cases("policies") if not evenodds.get(name).loops]


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_uniform_odds_are_those_of_fractions(name: str, given: dict[str, Any]) -> None:
    game = evenodds.get(name)
    way = Uniform(game)
    found = odds(evenodds.game(name, given), way, way)
    exact = exact_odds(game, game.start(game.settle(given)), 99)
    shares = {"FIRST_WINS": found.first, "DRAW": found.draw, "SECOND_WINS": found.second}
    for outcome, share in shares.items():
        total = sum(float(part) for (kind, _), part in exact.items() if kind == outcome)
        assert share == pytest.approx(total, abs=1e-12)
    mean = sum(rounds * float(part) for (_, rounds), part in exact.items())
    assert found.length == pytest.approx(mean, abs=1e-12)
    assert found.endless == 0


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("times", [0, 3])
def test_odds_with_loops_agree_with_sampling(times: int) -> None:
    """Uniform play ends all the same, by the rules alone or with the draw by repetition."""
    game = evenodds.get("factors")
    way = Uniform(game)
    found = odds(evenodds.game("factors", target=15), way, way, repetition=times)
    sampled = evenodds.simulate(
        evenodds.game("factors", target=15), matches=200_000, seed=2, repetition=times
    )
    assert found.repetition == sampled.repetition == times
    for share, count in ((found.first, sampled.first), (found.second, sampled.second)):
        assert abs(count - 200_000 * share) < 5 * sqrt(200_000 * share * (1 - share))
    mean = sum(rounds * count for rounds, count in sampled.lengths.items()) / 200_000
    assert found.length == pytest.approx(mean, rel=0.01)
    assert found.first + found.draw + found.second + found.endless == pytest.approx(1, abs=1e-12)


@pytest.mark.long
def test_perfect_play_scores_its_value() -> None:
    """Win less loss between perfect players is the value; against uniform play it is no less."""
    solution = evenodds.solve("margin")
    uniform = Uniform(solution.game)
    both = odds("margin", solution.mix, solution.mix)
    assert both.first - both.second == pytest.approx(solution.value(solution.start), abs=1e-9)
    one = odds("margin", solution.mix, uniform)
    assert one.first + one.draw / 2 == pytest.approx(0.6, abs=0.01)


@pytest.mark.xdist_group("compiled")
def test_endless_play_has_its_own_share(home: Path) -> None:
    """Two perfect players of factors to 19 never end by the rules; then there is no length."""
    perfect = ("odds", "factors", "perfect", "perfect", "--rule", "target=19", "--json")
    as_played = json.loads(command(*perfect, home=home).stdout)
    assert (as_played["draw"], as_played["endless"], as_played["repetition"]) == (1.0, 0.0, 3)
    done = command(*perfect, "--repetition", "0", home=home)
    assert json.loads(done.stdout) == {
        "first": 0.0,
        "draw": 0.0,
        "second": 0.0,
        "endless": 1.0,
        "length": None,
        "repetition": 0,
        "others": {"score": {"least": 0.5, "most": 0.5}, "draw": {"least": 0.0, "most": 0.0}},
    }


def odds_by_history(game: Any, state: Any, times: int, seen: tuple[Any, ...]) -> Any:
    """Shares of wins, draws and losses between random players, over whole histories."""
    outcome = game.outcome(state)
    if outcome != Outcome.ONGOING:
        return np.array(
            [outcome == Outcome.FIRST_WINS, outcome == Outcome.DRAW, outcome == Outcome.SECOND_WINS]
        )
    if seen.count(state) == times - 1:
        return np.array([0, 1, 0])
    after = [game.step(state, alone(state.turn, n)) for n in game.picks(state, state.turn)]
    parts = [odds_by_history(game, child, times, (*seen, state)) for child in after]
    return sum(parts) * Fraction(1, len(parts))


@pytest.mark.parametrize("given", [{"target": 3, "numbers": 2}, {"target": 4, "numbers": 3}])
@pytest.mark.parametrize("times", [2, 3])
def test_odds_count_repetitions_as_histories_do(given: dict[str, Any], times: int) -> None:
    """Against recursion over whole histories, in fractions; the third time unless asked."""
    game = evenodds.get("factors")
    exact = odds_by_history(game, game.start(game.settle(given)), times, ())
    wish: dict[str, Any] = {} if times == DEFAULT_REPETITION else {"repetition": times}
    found = odds(evenodds.game(game, given), Uniform(game), Uniform(game), **wish)
    assert found[:3] == pytest.approx(exact.astype(float), abs=1e-12)
    assert found.repetition == times
    assert found.draw > 0


@pytest.mark.xdist_group("compiled")
def test_perfect_against_random_scores_the_same_everywhere(home: Path) -> None:
    """In odds, in the table of players, in the study and in the arena."""
    game, rulings = evenodds.game("factors", {"target": 12})
    solution = evenodds.solve(evenodds.game("factors", target=12))
    ways = (solution, Uniform(game))
    met = (
        odds(evenodds.game("factors", target=12), *ways),
        odds(evenodds.game("factors", target=12), *ways[::-1]),
    )
    score = (met[0].score + 1 - met[1].score) / 2
    assert score < 1 - 1e-3, "repetition makes draws here, or there is nothing to test"
    plan = Plan(game, rulings, ("perfect", "random"), 0, 0)
    assert exact_scores_of(plan, {0: solution, 1: Uniform(game)})[0, 1] == pytest.approx(
        score, abs=1e-9
    )
    assert strengths(game, rulings).perfect_score == pytest.approx(score, abs=1e-9)
    assert perfect_score_against_random(
        SolvedGame(game, rulings, solution=solution)
    ) == pytest.approx(score, abs=1e-9)
    for way, repetition in (((), 3), (("--repetition", "0"), 0), (("--repetition", "2"), 2)):
        options = ("--rule", "target=12", "--json", *way)
        told = json.loads(
            command("odds", "factors", "perfect", "uniform", *options, home=home).stdout
        )
        assert told["repetition"] == repetition
        known = odds(evenodds.game("factors", target=12), *ways, repetition=repetition)
        assert told["draw"] == pytest.approx(known.draw, abs=1e-12)
        table = json.loads(command("players", "factors", *options, home=home).stdout)
        assert table["repetition"] == repetition


TWICE: dict[str, Any] = {"target": 9, "same": "twice"}


@pytest.mark.long
def test_a_draw_by_repetition_that_is_not_exact_is_refused(home: Path) -> None:
    """In Python; the command leaves it out and says so, unless it was asked for."""
    uniform = Uniform("factors")
    for ask in (
        lambda: odds(evenodds.game("factors", TWICE), uniform, uniform),
        lambda: evenodds.best_response(evenodds.game("factors", TWICE), uniform, 0),
        lambda: evenodds.exploitability(evenodds.game("factors", TWICE), uniform),
    ):
        with pytest.raises(UncountedRepetition, match=r"cannot be told exactly .* repetition=0"):
            ask()
    assert odds(evenodds.game("factors", TWICE), uniform, uniform, repetition=0).repetition == 0
    with pytest.raises(BadTerms, match="repetition=1 is not allowed"):
        odds("factors", uniform, uniform, repetition=1)
    options = ("--rule", "target=9", "--rule", "same=twice")
    done = command("odds", "factors", "uniform", "uniform", *options, home=home)
    assert "cannot be told exactly under these rulings" in done.stderr
    assert "Play goes on, however often a position comes up." in done.stdout
    asked = command("odds", "factors", "uniform", "uniform", *options, "--repetition=3", home=home)
    assert (asked.returncode, asked.stdout) == (1, "")
    assert "cannot be told exactly under these rulings" in asked.stderr
    wrong = command("odds", "factors", "uniform", "uniform", "--repetition=1", home=home)
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)


@pytest.mark.xdist_group("compiled")
def test_the_command_speaks_to_people(home: Path) -> None:
    done = command("odds", "duel", "perfect", "perfect", home=home)
    assert done.returncode == 0
    assert "100%" in done.stdout
    assert "A match takes 4.00 rounds on average." in done.stdout
    circle = command("odds", "circle", "uniform", "uniform", home=home)
    assert "A match takes 10.00 picks on average." in circle.stdout
    assert "comes up" not in circle.stdout
    factors = ("odds", "factors", "perfect", "perfect", "--rule", "target=19")
    drawn = command(*factors, home=home)
    assert "The first player scores 50%" in drawn.stdout
    assert "A position that comes up 3 times is a draw." in drawn.stdout
    assert "endless" not in drawn.stdout
    endless = command(*factors, "--repetition", "0", home=home)
    assert "A match may not end." in endless.stdout
    assert "Play goes on, however often a position comes up." in endless.stdout
    assert command("odds", "duel", "perfect", "clever", home=home).returncode == 2


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_MEMORY_MB", "1")
    way = Uniform(evenodds.get("underdog"))
    with pytest.raises(TooLarge, match=r"the memory limit .* allows"):
        odds("underdog", way, way)
