"""Exact odds: against fractions, against sampling, and as a command."""

import json
from pathlib import Path

import pytest

import evenodds
from evenodds import TooLarge, Uniform, odds
from tests.support.commands import evenodds_here as command
from tests.support.studies import study_of


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
