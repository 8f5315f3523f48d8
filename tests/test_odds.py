"""Exact odds: against fractions, against sampling, and as a command."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import catalog
from evenodds.solver import TooLarge, Uniform, odds
from tests.commands import evenodds_here as command
from tests.test_simulator import exact_odds


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("underdog", {"numbers": 4}),
        ("margin", {"numbers": 4}),
        ("circle", {"numbers": 8, "reach": 2}),
        ("duel", {"hp": 4}),
    ],
)
def test_uniform_odds_are_those_of_fractions(name: str, given: dict[str, Any]) -> None:
    """Every outcome and the mean length, by recursion over the tree."""
    game = catalog.get(name)
    way = Uniform(game)
    found = odds(name, way, way, **given)
    exact = exact_odds(game, game.start(game.settle(given)), 99)
    shares = {"FIRST_WINS": found.first, "DRAW": found.draw, "SECOND_WINS": found.second}
    for outcome, share in shares.items():
        total = sum(float(part) for (kind, _), part in exact.items() if kind == outcome)
        assert share == pytest.approx(total, abs=1e-12)
    mean = sum(rounds * float(part) for (_, rounds), part in exact.items())
    assert found.length == pytest.approx(mean, abs=1e-12)
    assert found.endless == 0


@pytest.mark.xdist_group("compiled")
def test_odds_with_loops_agree_with_sampling() -> None:
    """Uniform play in a game that can go on for ever ends all the same."""
    game = catalog.get("factors")
    way = Uniform(game)
    found = odds("factors", way, way, target=15)
    sampled = evenodds.simulate("factors", matches=200_000, seed=2, target=15)
    for share, count in ((found.first, sampled.first), (found.second, sampled.second)):
        assert abs(count - 200_000 * share) < 5 * sqrt(200_000 * share * (1 - share))
    mean = sum(rounds * count for rounds, count in sampled.lengths.items()) / 200_000
    assert found.length == pytest.approx(mean, rel=0.01)
    assert found.first + found.draw + found.second + found.endless == pytest.approx(1, abs=1e-12)


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
    """Two perfect players of factors to 19 never end, and then there is no length."""
    done = command(
        "odds", "factors", "perfect", "perfect", "--rule", "target=19", "--json", home=home
    )
    assert json.loads(done.stdout) == {
        "first": 0.0,
        "draw": 0.0,
        "second": 0.0,
        "endless": 1.0,
        "length": None,
    }


@pytest.mark.xdist_group("compiled")
def test_the_command_speaks_to_people(home: Path) -> None:
    """Bars for the outcomes, and the length in the game's own unit."""
    done = command("odds", "duel", "perfect", "perfect", home=home)
    assert done.returncode == 0
    assert "100.00 %" in done.stdout
    assert "A match takes 4.00 rounds on average." in done.stdout
    circle = command("odds", "circle", "uniform", "uniform", home=home)
    assert "A match takes 10.00 picks on average." in circle.stdout
    endless = command("odds", "factors", "perfect", "perfect", "--rule", "target=19", home=home)
    assert "A match may not end." in endless.stdout
    assert command("odds", "duel", "perfect", "clever", home=home).returncode == 2


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With how far it got."""
    monkeypatch.setenv("EVENODDS_MEMORY_MB", "1")
    way = Uniform(catalog.get("underdog"))
    with pytest.raises(TooLarge, match=r"the memory limit .* allows"):
        odds("underdog", way, way)
