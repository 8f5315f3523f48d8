"""Exact odds: against fractions, against sampling, and as a command."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import Outcome, TooLarge, Uniform, odds
from tests.engine.test_simulation import exact_odds
from tests.support.commands import evenodds_here as command
from tests.support.exact import REPEATED, odds_by_history
from tests.support.game_data import cases
from tests.support.studies import study_of

SMALL = [(name, given) for name, given in cases("policies") if not evenodds.game(name).game.loops]


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), SMALL)
def test_uniform_odds_are_those_of_fractions(name: str, given: dict[str, Any]) -> None:
    ruled, way = evenodds.game(name, given), Uniform(name)
    found = odds(ruled, way, way)
    exact = exact_odds(ruled.game, ruled.start(), 99)
    shares = {"FIRST_WINS": found.first, "DRAW": found.draw, "SECOND_WINS": found.second}
    for outcome, share in shares.items():
        total = sum(float(part) for (kind, _), part in exact.items() if kind == outcome)
        assert share == pytest.approx(total, abs=1e-12)
    mean = sum(rounds * float(part) for (_, rounds), part in exact.items())
    assert found.length == pytest.approx(mean, abs=1e-12)
    assert found.endless == 0


@pytest.mark.long
@pytest.mark.parametrize("times", [0, 3])
def test_odds_with_loops_agree_with_sampling(times: int) -> None:
    ruled, way = evenodds.game("factors", target=15), Uniform("factors")
    found = odds(ruled, way, way, repetition=times)
    sampled = evenodds.simulate(ruled, matches=200_000, seed=2, repetition=times)
    assert found.repetition == sampled.repetition == times
    for share, count in ((found.first, sampled.first), (found.second, sampled.second)):
        assert abs(count - 200_000 * share) < 5 * sqrt(200_000 * share * (1 - share))
    mean = sum(rounds * count for rounds, count in sampled.lengths.items()) / 200_000
    assert found.length == pytest.approx(mean, rel=0.01)
    assert found.first + found.draw + found.second + found.endless == pytest.approx(1, abs=1e-12)


@pytest.mark.long
def test_endless_play_has_its_own_share(home: Path) -> None:
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
    }


@pytest.mark.parametrize("more", [(), ("--repetition", "2")])
def test_repetition_counts_in_games_that_can_repeat_positions(
    more: tuple[str, ...], home: Path
) -> None:
    told = command("odds", "duel", "high", "high", "--json", *more, home=home).stdout
    assert json.loads(told)["repetition"] == 0
    said = " ".join(command("odds", "--help", home=home).stdout.split())
    assert "In games that can repeat positions: draw when one occurs N times" in said


@pytest.mark.parametrize("given", [{"target": 3, "numbers": 2}, {"target": 4, "numbers": 3}])
@pytest.mark.parametrize("times", [2, 3])
def test_odds_count_repetitions_as_histories_do(given: dict[str, Any], times: int) -> None:
    ruled, way = evenodds.game("factors", given), Uniform("factors")
    exact = odds_by_history(ruled.game, ruled.start(), times)
    options: dict[str, Any] = {} if times == 3 else {"repetition": times}
    found = odds(ruled, way, way, **options)
    drawn = exact[Outcome.DRAW] + exact[REPEATED]
    shares = (exact[Outcome.FIRST_WINS], drawn, exact[Outcome.SECOND_WINS])
    assert found[:3] == pytest.approx(tuple(map(float, shares)), abs=1e-12)
    assert found.repetition == times
    assert found.draw > 0


@pytest.mark.long
def test_perfect_against_random_scores_the_same_everywhere(home: Path) -> None:
    ruled = evenodds.game("factors", target=7, numbers=3)
    ways = (evenodds.solve(ruled), Uniform("factors"))
    met = odds(ruled, *ways), odds(ruled, *ways[::-1])
    score = pytest.approx((met[0].score + 1 - met[1].score) / 2, abs=1e-9)
    assert met[0].draw > 0.1, "repetition makes draws here, or there is nothing to test"
    (pair,) = evenodds.run_arena(ruled, ["perfect", "random"], matches=0).pairs
    assert pair.exact == score
    assert study_of(*ruled).skill.perfect_score == score
    for way, repetition in (((), 3), (("--repetition", "2"), 2), (("--repetition", "0"), 0)):
        options = ("--rule", "target=7", "--rule", "numbers=3", "--json", *way)
        done = command("odds", "factors", "perfect", "uniform", *options, home=home)
        told = json.loads(done.stdout)
        assert told["repetition"] == repetition
        known = odds(ruled, *ways, repetition=repetition)
        assert told["draw"] == pytest.approx(known.draw, abs=1e-12)
        table = json.loads(command("players", "factors", *options, home=home).stdout)
        assert table["repetition"] == repetition
        assert repetition != 3 or table["levels"][-1]["random"] == score


@pytest.mark.long
def test_a_draw_by_repetition_that_is_not_exact_is_left_out(home: Path) -> None:
    twice, uniform = evenodds.game("factors", target=9, same="twice"), Uniform("factors")
    assert odds(twice, uniform, uniform, repetition=0).repetition == 0
    asked = ("odds", "factors", "uniform", "uniform", "--rule", "target=9", "--rule", "same=twice")
    done = command(*asked, home=home)
    assert "cannot be told exactly under these rulings" in done.stderr
    assert "Play goes on, however often a position comes up." in done.stdout
    for counted in (asked, ("players", "factors", *asked[4:])):
        refused = command(*counted, "--repetition=3", home=home)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "cannot be told exactly under these rulings" in refused.stderr


@pytest.mark.long
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


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_MEMORY_MB", "1")
    way = Uniform("underdog")
    with pytest.raises(TooLarge, match=r"the memory limit .* allows"):
        odds("underdog", way, way)
