"""How strong the levels are: exact, pinned, and against sampling."""

import json
from math import sqrt
from pathlib import Path

import pytest

import evenodds
from evenodds.players import strength
from evenodds.players.exact import level
from evenodds.players.strength import strengths
from tests.commands import evenodds as command


@pytest.mark.parametrize(
    ("name", "step", "room"), [("margin", 0.5092, 0.5963), ("duel", 0.6046, 0.9938)]
)
def test_each_level_is_a_step_above_the_one_below(name: str, step: float, room: float) -> None:
    """The same step everywhere; each gives the best opponent less; the last is perfect."""
    game = evenodds.get(name)
    found = strengths(game, game.rulings())
    for below, standing in zip(found.standings, found.standings[1:], strict=False):
        assert standing.below == pytest.approx(step, abs=0.001)
        assert standing.random > below.random
        assert standing.perfect > below.perfect
        assert standing.taken < below.taken
    assert found.room == pytest.approx(room, abs=0.0001)
    assert found.standings[-1].perfect == pytest.approx(0.5)
    assert found.standings[-1].taken == pytest.approx(0.5)


def test_a_level_scores_what_the_table_says() -> None:
    """Level 3 of margin against random picks, by playing."""
    game = evenodds.get("margin")
    solution = evenodds.solve("margin")
    matches = 100_000
    counts = evenodds.simulate(
        "margin", level(game, solution, 3), evenodds.Uniform("margin"), matches, 2
    )
    score = (counts.first + counts.draw / 2) / matches
    exact = strengths(game, game.rulings()).standings[2].random
    assert abs(score - exact) < 5 * 0.5 / sqrt(matches)


def test_the_table_speaks_to_people_and_programs(home: Path) -> None:
    """How much room for skill there is, in words; the table as data."""
    done = command("players", "circle", home=home)
    assert "There is no room for skill" in done.stdout
    done = command("players", "duel", home=home)
    assert "Perfect play scores 99.4 % against random picks: skill decides." in done.stdout
    data = json.loads(command("players", "duel", "--json", "--rule", "hp=4", home=home).stdout)
    assert data["rules"]["hp"] == 4
    assert [row["name"] for row in data["levels"]] == [f"level:{number}" for number in range(1, 9)]
    assert data["levels"][0]["below"] is None
    assert command("players", "--json", home=home).returncode == 2
    assert "always the highest number" in command("players", home=home).stdout


def test_the_table_is_found_once_and_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the same rules, rulings and ladder only; cleared with the rest; damage does no harm."""
    game = evenodds.get("duel")
    settled = game.rulings(hp=4)
    found = strengths(game, settled)
    (file,) = (home / "cache").glob("*.levels")
    with monkeypatch.context() as patch:
        patch.setattr(strength, "_weigh", lambda *_: pytest.fail("it was found before"))
        assert strengths(game, settled) == found
        with pytest.raises(pytest.fail.Exception):
            strengths(game._replace(ladder=(9.0, *game.ladder[1:])), settled)
        with pytest.raises(pytest.fail.Exception):
            strengths(game, game.rulings(hp=5))
    for damage in ("", "{}", '{"figures": 3}', '{"figures": [[[1]], 2]}'):
        file.write_text(damage)
        assert strengths(game, settled) == found
    assert command("cache", "--clear", home=home).returncode == 0
    assert list((home / "cache").glob("*")) == []


def test_exact_figures_of_underdog_with_six_numbers() -> None:
    """Pinned, so that no change of a ladder or of the solver goes unnoticed."""
    game = evenodds.get("underdog")
    found = strengths(game, game.rulings(numbers=6))
    assert [round(standing.random, 4) for standing in found.standings] == [
        0.5154,
        0.5209,
        0.5262,
        0.5314,
        0.5367,
        0.5419,
        0.5472,
        0.5526,
    ]
