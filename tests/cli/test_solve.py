"""The command solve: to people, as JSON, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Terminal
from tests.support.commands import evenodds_here as command
from tests.support.tables import tables

pytestmark = pytest.mark.own_tables


KEYS = {
    *("game", "rules", "after", "positions", "value", "first", "second"),
    *("only", "distance", "gap", "seconds"),
}


def finding(home: Path, *arguments: str) -> dict[str, Any]:
    done = command("solve", *arguments, "--json", home=home)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found) == KEYS
    return found


@pytest.mark.long
@pytest.mark.usefixtures("kernels")
def test_solve_speaks_json(home: Path) -> None:
    start = finding(home, "circle", "--rule", "numbers=3")
    assert start["game"] == "circle"
    assert start["rules"] == {"numbers": 3, "reach": 1, "leaps": 0}
    assert (start["after"], start["value"], start["distance"]) == ("", 1.0, 3)
    assert (start["first"], start["second"]) == ({"1": 1.0}, {})
    assert start["only"] == {"first": False, "second": True}
    later = finding(home, "circle", "--rule", "numbers=3", "--after", "  2   1 ")
    assert (later["after"], later["first"], later["distance"]) == ("2 1", {"3": 1.0}, 1)
    over = finding(home, "circle", "--rule", "numbers=3", "--after", "2 1 3")
    assert (over["value"], over["first"], over["second"]) == (1.0, {}, {})
    margin = finding(home, "margin")
    assert margin["positions"] == 2261
    assert margin["distance"] is None
    assert margin["gap"] <= 1e-9
    assert sum(margin["first"].values()) == pytest.approx(1)
    drawn = finding(home, "factors", "--rule", "target=8", "--rule", "numbers=2")
    assert (drawn["value"], drawn["distance"]) == (0.0, None)


@pytest.mark.long
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["circle"], "the second player always wins, whatever anybody picks"),
        (
            ["circle", "--rule", "numbers=8", "--rule", "reach=2"],
            "the second player wins with best play in 8",
        ),
        (["margin"], "with best play neither player is ahead"),
        (["margin", "--after", "5-1"], "is ahead and scores"),
        (["duel"], "Nobody needs to vary: 3 against 3 is a saddle point."),
        (["duel", "--after", "1-3 1-3 1-3"], "the second player wins with best play"),
        (["duel", "--after", "1-3 1-3 1-3 1-3"], "the second player has won"),
        (
            ["factors", "target=8", "numbers=3"],
            "neither player can force a win: with best play the game never",
        ),
        (["factors", "target=6", "numbers=4"], "the first player wins with best play in 3 picks"),
    ],
)
def test_solve_speaks_to_people(arguments: list[str], sentence: str, home: Path) -> None:
    done = command("solve", *arguments, home=home)
    assert done.returncode == 0
    assert sentence in done.stdout
    assert " positions, " in done.stdout


@pytest.mark.xdist_group("compiled")
@pytest.mark.usefixtures("kernels")
def test_too_large_a_ruling_is_refused_at_once(home: Path) -> None:
    done = command("solve", "margin", "--rule", "numbers=9", home=home, EVENODDS_MEMORY_MB="1")
    assert done.returncode == 1
    assert "and more to come, about" in done.stderr
    assert "; the memory limit (EVENODDS_MEMORY_MB) of 1 MB allows 20,164\n" in done.stderr
    done = command("solve", "underdog", "--fresh", home=home, EVENODDS_MEMORY_MB="1")
    assert done.stderr.startswith("290,161 positions at least need 15 MB; the memory limit")


@pytest.mark.parametrize(
    ("setting", "allowed"),
    [
        *((f"EVENODDS_MEMORY_MB={value}", "whole megabytes") for value in ("abc", "-5", "1.5")),
        ("EVENODDS_CACHE_MB=abc", "whole megabytes"),
        *((f"EVENODDS_CORES={value}", "whole numbers from 1") for value in ("0", "-1", "two")),
    ],
)
def test_a_setting_that_is_no_number_is_refused(home: Path, setting: str, allowed: str) -> None:
    typed = ["sweep duel hp=3..4"] if "CORES" in setting else ["solve duel hp=9", "solve duel"]
    for words in typed:  # the last is stored
        done = command(*words.split(), home=home, **dict([setting.split("=")]))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"{setting} is not allowed; allowed: {allowed}\n"
    assert not list((home / "cache").glob("*"))


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
@pytest.mark.usefixtures("kernels")
def test_long_work_shows_a_bar_and_can_be_interrupted(home: Path) -> None:
    work = Terminal("solve", "underdog", "--rule", "numbers=12", home=home)
    work.see("positions")
    work.press("c", at_work=True)
    assert work.end() == 130
    assert b"Traceback" not in work.stream
    assert tables() == []
