"""How strong the levels are: exact, pinned, and summed another way."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import evenodds
from tests.support.commands import evenodds_here as command
from tests.support.studies import below_half

pytestmark = pytest.mark.long


def strengths(name: str, home: Path, **given: Any) -> Any:
    rules = [f"{key}={value}" for key, value in given.items()]
    return json.loads(command("players", *name.split(), *rules, "--json", home=home).stdout)


@pytest.mark.parametrize(
    ("name", "step", "score"),
    [
        ("circle", 0.5, 0.5),
        ("duel", 0.6097, 0.9938),
        ("factors", 0.645, 0.9992),
        ("margin", 0.5092, 0.5976),
        ("underdog", 0.5404, 0.8633),
    ],
)
def test_each_level_is_one_step_higher(name: str, step: float, score: float, home: Path) -> None:
    found = strengths(name, home)
    for below, level in pairwise(found["levels"]):
        assert level["below"] == pytest.approx(step, abs=0.004)
        if step > 0.5:
            assert level["random"] > below["random"]
            assert level["perfect"] > below["perfect"]
            assert level["best_opponent"] < below["best_opponent"]
        assert (level["played_on"] is None) == (name != "factors")
    assert level["perfect"] == pytest.approx(0.5, abs=1e-9)
    assert level["best_opponent"] == pytest.approx(0.5, abs=1e-9)
    assert found["perfect_score"] == pytest.approx(score, abs=0.0001)
    assert below_half({level["name"]: level["below"] for level in found["levels"]}) == ""


LADDERS = [
    *("circle reach=3 numbers=8", "circle reach=2 numbers=7", "duel hp=5 numbers=4"),
    *("factors target=5", "factors target=5 finish=round", "factors target=6 opening=live"),
    *("factors target=5 numbers=12", "factors target=7 same=twice"),
    *("margin numbers=4", "underdog numbers=4 target=2"),
]


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("typed", LADDERS)
def test_a_level_beats_the_one_below_and_gives_the_best_less(typed: str, home: Path) -> None:
    levels = strengths(typed, home)["levels"]
    for below, level in pairwise(levels):
        score = level["below"] if level["played_on"] is None else level["played_on"]
        assert score >= 0.5 - 1e-12
        assert level["perfect"] >= below["perfect"] - 1e-12
        assert level["best_opponent"] <= below["best_opponent"] + 1e-12
    assert levels[0]["best_opponent"] > levels[-1]["best_opponent"] + 1e-6
    assert levels[-1]["best_opponent"] == pytest.approx(0.5, abs=1e-9)


def test_strong_levels_of_factors_often_draw_by_repetition(home: Path) -> None:
    found = strengths("factors", home)
    assert (found["repetition"], found["value"]) == (3, 0)
    assert [level["drawn"] for level in found["levels"][1:]] == pytest.approx(
        [0.007, 0.013, 0.031, 0.075, 0.175, 0.364, 0.703], abs=0.001
    )


def test_exact_figures_of_underdog_with_five_numbers(home: Path) -> None:
    levels = strengths("underdog", home, numbers=5, target=2)["levels"]
    pinned = [0.5292, 0.5422, 0.5554, 0.5688, 0.5825, 0.597, 0.6128, 0.6308]
    assert [round(level["random"], 4) for level in levels] == pinned


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("players circle", ["There is no room for skill"]),
        ("players duel", ["against random picks. That is 90% or more: skill decides."]),
        ("players duel hp=1", ["That is 70% or more: skill counts for much."]),
        ("players duel numbers=1", ["Number Duel: there is never more than one number to pick."]),
        ("players margin numbers=3", ["That is 55% or more: skill counts, and so does guessing"]),
        ("players circle reach=2 numbers=6", ["Nothing is left to chance: with best play by both"]),
        ("players factors target=5", ["up 3 times is a draw.", "if repeating were"]),
        ("players factors target=4 same=twice", ["however often a position", "be told exactly"]),
        ("players", ["Always picks its highest number."]),
    ],
)
def test_the_table_speaks_to_people(asked: str, said: list[str], home: Path) -> None:
    told = " ".join(command(*asked.split(), home=home).stdout.split())
    assert all(one in told for one in said)
    assert "does not always" not in told
    assert "repeat" not in told or "factors" in asked


def test_the_table_speaks_to_programs(home: Path) -> None:
    data = strengths("duel", home, hp=4)
    assert data["rules"]["hp"] == 4
    assert [row["name"] for row in data["levels"]] == [f"level:{number}" for number in range(1, 9)]
    assert data["levels"][0]["below"] is None
    assert command("players", "--json", home=home).returncode == 2


FALLEN = "Levels 3 and 5 score below 50% against the level below"
SCORES = {"level:3": 0.49, "level:5": 0.4999}


def test_a_study_with_a_fallen_level_says_so_first(tmp_path: Path) -> None:
    report = evenodds.run_study(evenodds.game("duel", hp=2))
    skill = report.study.skill
    rungs = [one._replace(score=SCORES.get(one.name, one.score)) for one in skill.comparisons]
    study = report.study._replace(skill=skill._replace(comparisons=rungs))
    page = tmp_path / "page.html"
    evenodds.write_study_page(report, page)
    assert "below 50" not in page.read_text()
    evenodds.write_study_page(report._replace(study=study), page)
    shown = page.read_text().replace("\N{NO-BREAK SPACE}", " ")
    verdict, _, ladder = shown.partition("What each level scores")
    assert FALLEN in verdict
    assert ladder.index(FALLEN) < ladder.index("Score against the one below")


def test_levels_below_half_are_named() -> None:
    assert below_half({"level:1": None, "level:2": 0.5, "level:3": 0.5 - 1e-12}) == ""
    one = below_half({"level:2": 0.4, "level:3": 0.6})
    assert one == "Level 2 scores below 50% against the level below: 40% at the lowest."
    rounded = below_half({"level:2": 0.49999})
    assert rounded == "Level 2 scores below 50% against the level below: by less than 0.01%."
    some = below_half({"level:2": 0.49, "level:3": 0.45, "level:4": 0.4999})
    assert some.startswith("Levels 2, 3 and 4 score below 50% against the level below: 45%")


@pytest.mark.own_tables
def test_the_table_is_found_once_and_kept(home: Path) -> None:
    found = strengths("duel", home, hp=2)
    (file,) = (home / "cache").glob("*.odds")
    kept = json.loads(file.read_text())
    pairs = kept["figures"][2]
    for level, score in SCORES.items():
        below = f"level:{int(level[-1]) - 1}"
        pairs[f"{level} {below}"][:4] = score, 0, 1 - score, 0
        pairs[f"{below} {level}"][:4] = 1 - score, 0, score, 0
    assert "below 50%" not in command("players", "duel", "hp=2", home=home).stdout
    file.write_text(json.dumps(kept))
    told = command("players", "duel", "hp=2", home=home).stdout
    assert told.splitlines()[1] == f"{FALLEN}: 49% at the lowest."
    assert strengths("duel", home, hp=1) != found
    assert len([*(home / "cache").glob("*.odds")]) == 2
    for damage in ("", "{}", '{"figures": 3}', '{"figures": [[[1]], 2]}'):
        file.write_text(damage)
        assert strengths("duel", home, hp=2) == found
    assert command("cache", "--clear", home=home).returncode == 0
    assert list((home / "cache").glob("*")) == []
